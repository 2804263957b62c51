import { z } from 'zod';
import { integer } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { EdgeType } from '../model/graph.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { exampleDependency, exampleRepository } from './examples.ts';
import { noNode, nodeNotFound } from './node-not-found.ts';
import { filterOf, filterQuery, nodeOf, nodeSchema, pageOf, pageParameters, pageShape, windowOf } from './wire.ts';

/** Over these a change is passed on, unless others are asked for. */
const passedOn: EdgeType[] = ['CALLS', 'DEPENDS_ON', 'IMPORTS', 'INHERITS'];

const responseSchema = z
  .object({
    node: nodeSchema,
    affected: z.array(nodeSchema.extend({ depth: z.int().min(1) })),
    total_affected: z.int().min(0).meta({ description: 'On every page.' }),
    by_depth: z.array(z.object({ depth: z.int().min(1), count: z.int().min(0) })),
    truncated: z.boolean().meta({ description: 'So many were found that those further away were not looked for.' }),
    ...pageShape,
  })
  .meta({ id: 'Impact' });

/** What `GET /api/graph/impact/{id}` answers. */
export type ImpactAnswer = z.infer<typeof responseSchema>;

/** `GET /api/graph/impact/{id}`: who is affected when something changes. */
export function impactRoute(viewOf: ViewOf) {
  return route({
    method: 'GET',
    path: '/api/graph/impact/{id}',
    operation_id: 'get_graph_impact',
    summary: 'Who is affected when something changes',
    description:
      'What calls, inherits, imports or depends on this node or on what it contains, directly (depth 1) or through others, the nearest first. Of a repository: which others need it.',
    access: 'tenant',
    product: 'code-graph',
    credits: 2,
    errors: [nodeNotFound],
    params: {
      id: z.string().meta({ description: 'Id of the node.', examples: ['payments-api/src/url.ts#parseUrl'] }),
    },
    query: {
      ...filterQuery,
      edge_types: filterQuery.edge_types.meta({
        description: `Only over edges of these types; ${passedOn.join(', ')} unless told.`,
        examples: ['CALLS'],
      }),
      depth: integer(1, 10).default(3).meta({ description: 'At most so many edges away.' }),
      ...pageParameters,
    },
    response: responseSchema,
    example: {
      node: exampleDependency,
      affected: [{ ...exampleRepository, depth: 1 }],
      total_affected: 1,
      by_depth: [{ depth: 1, count: 1 }],
      truncated: false,
      page: 1,
      page_size: 100,
      total_pages: 1,
    },
    handle: async ({ caller, params: { id }, query }) => {
      const { graph } = await viewOf(caller);
      const { edge_types = passedOn, depth } = query;
      const [node, impact] = await Promise.all([
        graph.node(id),
        graph.impact({ id, depth, ...filterOf({ ...query, edge_types }), ...windowOf(query) }),
      ]);
      if (node === null || impact === null) throw noNode(id);
      return {
        node: nodeOf(node),
        affected: impact.affected.map((each) => ({ ...nodeOf(each.node), depth: each.depth })),
        total_affected: impact.total,
        by_depth: impact.depths.map((count, index) => ({ depth: index + 1, count })),
        truncated: impact.truncated,
        ...pageOf(impact.total, query),
      };
    },
  });
}
