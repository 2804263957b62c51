import { z } from 'zod';
import { integer } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { exampleDependency, exampleEdge, exampleRepository } from './examples.ts';
import { noNode, nodeNotFound } from './node-not-found.ts';
import { edgeOf, edgeSchema, filterOf, filterQuery, nodeIdText, nodeOf, nodeSchema } from './wire.ts';

const responseSchema = z
  .object({
    from: z.string(),
    to: z.string(),
    length: z.int().nullable().meta({ description: 'Number of edges; null where no way is so short.' }),
    nodes: z.array(nodeSchema).meta({ description: 'From the first to the last; none where there is no way.' }),
    edges: z.array(edgeSchema).meta({ description: 'Each from one of the nodes to the next.' }),
  })
  .meta({ id: 'GraphPath' });

/** What `GET /api/graph/path` answers. */
export type PathAnswer = z.infer<typeof responseSchema>;

/** `GET /api/graph/path`: the shortest way from one node to another. */
export function pathRoute(viewOf: ViewOf) {
  return route({
    method: 'GET',
    path: '/api/graph/path',
    operation_id: 'get_graph_path',
    summary: 'The shortest way from one node to another',
    description:
      'Along the edges, also from repository to repository: how an endpoint comes to call a function, or why one repository needs another. Where there are several, always the same one.',
    access: 'tenant',
    product: 'code-graph',
    credits: 2,
    errors: [nodeNotFound],
    query: {
      from: nodeIdText.meta({ description: 'Id of the first node.', examples: ['payments-api'] }),
      to: nodeIdText.meta({ description: 'Id of the last.', examples: ['ledger'] }),
      edge_types: filterQuery.edge_types,
      min_confidence: filterQuery.min_confidence,
      max_length: integer(1, 20).default(10).meta({ description: 'At most so many edges.' }),
    },
    response: responseSchema,
    example: {
      from: 'payments-api',
      to: 'ledger',
      length: 1,
      nodes: [exampleRepository, exampleDependency],
      edges: [exampleEdge],
    },
    handle: async ({ caller, query: { from, to, max_length, ...query } }) => {
      const { graph } = await viewOf(caller);
      const { edgeTypes, minConfidence } = filterOf(query);
      const [start, end, path] = await Promise.all([
        graph.node(from),
        graph.node(to),
        graph.path({ from, to, edgeTypes, minConfidence, longest: max_length }),
      ]);
      if (start === null) throw noNode(from);
      if (end === null) throw noNode(to);
      return {
        from,
        to,
        length: path?.edges.length ?? null,
        nodes: path?.nodes.map(nodeOf) ?? [],
        edges: path?.edges.map(edgeOf) ?? [],
      };
    },
  });
}
