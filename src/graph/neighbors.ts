import { z } from 'zod';
import { integer } from '../http/query.ts';
import { route } from '../http/route.ts';
import { graphEdgeSchema } from '../model/graph.ts';
import type { GraphReader, Neighbor, NeighborEdge } from '../stores/graph/port.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { exampleDependency, exampleEdge } from './examples.ts';
import { noNode, nodeNotFound } from './node-not-found.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import { noRepository } from './repository-not-found.ts';
import {
  filterOf,
  filterQuery,
  nodeIdText,
  nodeOf,
  nodeSchema,
  pageOf,
  pageParameters,
  pageShape,
  windowOf,
} from './wire.ts';

const neighborSchema = nodeSchema
  .extend({
    edges: z
      .array(
        z.object({
          ...graphEdgeSchema.pick({ type: true, weight: true, confidence: true, strategy: true }).shape,
          direction: z.enum(['in', 'out']).meta({ description: 'out: from what was asked for to the neighbor.' }),
        }),
      )
      .min(1)
      .meta({ description: 'All that join it to what was asked for, by type, the heaviest first.' }),
  })
  .meta({ id: 'Neighbor' });

const responseSchema = z
  .object({
    repo: z.string(),
    total_neighbors: z.int().min(0).meta({
      description: 'Neighbors that match, each counted once however many edges join it; of all pages and on each.',
    }),
    neighbors: z.array(neighborSchema),
    ...pageShape,
  })
  .meta({ id: 'Neighbors' });

/** What `GET /api/graph/neighbors/{name}` answers. */
export type NeighborsAnswer = z.infer<typeof responseSchema>;

const query = {
  ...filterQuery,
  direction: z.enum(['in', 'out']).optional().meta({ description: 'Only over edges in this direction.' }),
  level: z.enum(['repository', 'symbol']).default('repository').meta({
    description: 'repository: only repositories and contributors; symbol: whatever one edge leads to.',
  }),
  node: nodeIdText.optional().meta({
    description: 'Id of a node inside this repository, in whose place its neighbors are shown.',
    examples: ['payments-api/src/url.ts#parseUrl'],
  }),
  page: pageParameters.page,
  page_size: integer(1, 1000).default(1000).meta({ description: 'Neighbors on a page.' }),
};
type Query = z.output<z.ZodObject<typeof query>>;

interface Shown {
  neighbors: readonly Neighbor[];
  total: number;
}

/** `GET /api/graph/neighbors/{name}`: what is one edge away from a repository, or from something inside it. */
export function neighborsRoute(viewOf: ViewOf) {
  return route({
    method: 'GET',
    path: '/api/graph/neighbors/{name}',
    operation_id: 'get_graph_neighbors',
    summary: 'What is next to one repository',
    description:
      'The repositories and contributors that an edge joins to this repository, each once with its edges: by type of the first of them, the heaviest first. With level=symbol also what it contains; with node, what is next to that part of it, as who calls a function and whom it calls.',
    access: 'tenant',
    product: 'code-graph',
    credits: 1,
    errors: [repositoryNotFound, nodeNotFound],
    params: { name: z.string().meta({ description: 'Name of the repository.', examples: ['payments-api'] }) },
    query,
    response: responseSchema,
    example: {
      repo: 'payments-api',
      total_neighbors: 1,
      neighbors: [
        {
          ...exampleDependency,
          edges: [
            {
              type: exampleEdge.type,
              weight: exampleEdge.weight,
              confidence: exampleEdge.confidence,
              strategy: exampleEdge.strategy,
              direction: 'out',
            },
          ],
        },
      ],
      page: 1,
      page_size: 1000,
      total_pages: 1,
    },
    handle: async ({ caller, params: { name }, query }) => {
      const { graph } = await viewOf(caller);
      const { neighbors, total } =
        query.level === 'symbol' || query.node !== undefined
          ? await nextToAny(graph, name, query)
          : await nextToRepository(graph, name, query);
      return {
        repo: name,
        total_neighbors: total,
        neighbors: neighbors.map(neighborOf),
        ...pageOf(total, query),
      };
    },
  });
}

/** Without a look at what lies inside. */
async function nextToRepository(graph: GraphReader, name: string, query: Query): Promise<Shown> {
  const found = await graph.neighbors(name);
  if (found === null) throw noRepository(name);
  const { nodeTypes, edgeTypes, minConfidence } = filterOf(query);
  const isAsked = ({ edge, direction }: NeighborEdge) =>
    (query.direction === undefined || direction === query.direction) &&
    edgeTypes.includes(edge.type) &&
    edge.confidence >= minConfidence;
  const heaviest = (a?: NeighborEdge, b?: NeighborEdge) =>
    compare(a?.edge.type ?? '', b?.edge.type ?? '') || (b?.edge.weight ?? 0) - (a?.edge.weight ?? 0);
  const matching = found
    .filter(({ node }) => nodeTypes.includes(node.type))
    .map(({ node, edges }) => ({ node, edges: edges.filter(isAsked).sort(heaviest) }))
    .filter(({ edges }) => edges.length > 0)
    .sort((a, b) => heaviest(a.edges[0], b.edges[0]) || compare(a.node.id, b.node.id));
  const { offset, limit } = windowOf(query);
  return { neighbors: matching.slice(offset, offset + limit), total: matching.length };
}

async function nextToAny(graph: GraphReader, name: string, { node, direction, ...query }: Query): Promise<Shown> {
  const [repository, asked] = await Promise.all([graph.node(name), graph.node(node ?? name)]);
  if (repository?.type !== 'Repository') throw noRepository(name);
  const isInside = asked?.repository === repository.id;
  const found = isInside
    ? await graph.adjacent({
        id: node ?? name,
        ...filterOf(query),
        ...(direction === undefined ? {} : { direction }),
        ...windowOf(query),
      })
    : null;
  if (found === null) throw noNode(node ?? name);
  return found;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function neighborOf({ node, edges }: Neighbor): z.infer<typeof neighborSchema> {
  return {
    ...nodeOf(node),
    edges: edges.map(({ direction, edge: { type, weight, confidence, strategy } }) => {
      return { type, weight, confidence, strategy, direction };
    }),
  };
}
