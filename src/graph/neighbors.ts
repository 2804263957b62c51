import { z } from 'zod';
import { list } from '../http/query.ts';
import { route } from '../http/route.ts';
import { edgeTypeSchema, graphEdgeSchema, graphNodeSchema, nodeTypeSchema } from '../model/graph.ts';
import type { GraphStore } from '../stores/graph/port.ts';
import { noRepository, repositoryNotFound } from './repository-not-found.ts';

const neighborSchema = graphNodeSchema
  .pick({ id: true, type: true, name: true, kind: true, language: true, doc: true })
  .extend({
    edge_type: edgeTypeSchema,
    direction: z.enum(['in', 'out']).meta({ description: 'out: from the repository asked for to the neighbor.' }),
    ...graphEdgeSchema.pick({ weight: true, confidence: true, strategy: true }).shape,
    properties: z.record(z.string(), z.unknown()).meta({ description: 'What only some types have.' }),
  });

/** `GET /api/graph/neighbors/{name}`: what is one edge away from a repository. */
export function neighborsRoute(graph: GraphStore) {
  return route({
    method: 'GET',
    path: '/api/graph/neighbors/{name}',
    operation_id: 'get_graph_neighbors',
    summary: 'What is next to one repository',
    description:
      'The repositories and contributors that one edge joins to this repository, an entry for each edge: by edge type, the heaviest first.',
    access: 'tenant',
    product: 'code-graph',
    credits: 1,
    errors: [repositoryNotFound],
    params: { name: z.string().meta({ description: 'Name of the repository.', examples: ['payments-api'] }) },
    query: {
      node_types: list(nodeTypeSchema).optional().meta({ description: 'Only neighbors of these types.' }),
      edge_types: list(edgeTypeSchema).optional().meta({ description: 'Only over edges of these types.' }),
      direction: z.enum(['in', 'out']).optional().meta({ description: 'Only over edges in this direction.' }),
    },
    response: z.object({
      repo: z.string(),
      total_neighbors: z.int().min(0).meta({ description: 'Length of neighbors.' }),
      neighbors: z.array(neighborSchema),
    }),
    example: {
      repo: 'payments-api',
      total_neighbors: 1,
      neighbors: [
        {
          id: 'ledger',
          type: 'Repository',
          name: 'ledger',
          kind: null,
          language: 'Go',
          doc: null,
          edge_type: 'DEPENDS_ON',
          direction: 'out',
          weight: 12,
          confidence: 1,
          strategy: 'manifest',
          properties: {},
        },
      ],
    },
    handle: async ({ params: { name }, query: { node_types, edge_types, direction } }) => {
      const found = await graph.neighbors(name);
      if (found === null) throw noRepository(name);
      const neighbors = found
        .filter(
          ({ node, edge }) => (node_types?.includes(node.type) ?? true) && (edge_types?.includes(edge.type) ?? true),
        )
        .filter((neighbor) => direction === undefined || neighbor.direction === direction)
        .sort(
          (a, b) => compare(a.edge.type, b.edge.type) || b.edge.weight - a.edge.weight || compare(a.node.id, b.node.id),
        )
        .map(({ node: { id, type, name, kind, language, doc, properties }, direction, edge }) => ({
          id,
          type,
          name,
          kind,
          language,
          doc,
          edge_type: edge.type,
          direction,
          weight: edge.weight,
          confidence: edge.confidence,
          strategy: edge.strategy,
          properties,
        }));
      return { repo: name, total_neighbors: neighbors.length, neighbors };
    },
  });
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
