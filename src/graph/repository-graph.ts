import { z } from 'zod';
import { list, integer, text } from '../http/query.ts';
import { route } from '../http/route.ts';
import { refuse } from '../http/validate.ts';
import { edgeTypeSchema, nodeTypeSchema } from '../model/graph.ts';
import type { GraphEdge, GraphNode } from '../model/graph.ts';
import type { GraphReader, RepositoryGraph } from '../stores/graph/port.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import { exampleContributor, exampleDependency, exampleEdge, exampleRepository } from './examples.ts';
import { noRepository } from './repository-not-found.ts';
import {
  edgeOf,
  edgeSchema,
  filterOf,
  filterQuery,
  nodeOf,
  nodeSchema,
  pageOf,
  pageParameters,
  pageSize,
  pageShape,
  windowOf,
} from './wire.ts';

const countsSchema = z.object({
  nodes: z.partialRecord(nodeTypeSchema, z.int().min(0)),
  edges: z.partialRecord(edgeTypeSchema, z.int().min(0)),
});

const responseSchema = z.object({
  nodes: z.array(
    nodeSchema.extend({
      counts: countsSchema
        .nullable()
        .meta({ description: 'What lies inside a repository, by type; null for what is no repository.' }),
    }),
  ),
  edges: z.array(edgeSchema),
  outside: z.array(nodeSchema).meta({
    description: 'At the level of symbols: what lies in other repositories and is at one end of these edges.',
  }),
  total_nodes: z.int().meta({ description: 'Nodes that match, on every page.' }),
  total_edges: z.int().meta({ description: 'Length of edges.' }),
  totals: countsSchema.meta({ description: 'Of the whole graph, whatever the filters: repository level and inside.' }),
  ...pageShape,
});

/** What `GET /api/graph` answers. */
export type GraphAnswer = z.infer<typeof responseSchema>;

const query = {
  ...filterQuery,
  level: z.enum(['repository', 'symbol']).default('repository').meta({
    description:
      'repository: repositories and contributors; symbol: what lies inside the one repository named by repo.',
  }),
  repo: list(text(1, 256))
    .optional()
    .meta({
      description: 'Only these repositories, and contributors to them.',
      examples: ['payments-api'],
    }),
  page: pageParameters.page,
  page_size: integer(1, 1000).optional().meta({
    description: 'Nodes on a page; at the level of repositories all, at that of symbols 100 unless told.',
  }),
};
type Query = z.output<z.ZodObject<typeof query>>;

interface Shown {
  nodes: GraphNode[];
  edges: GraphEdge[];
  outside: GraphNode[];
  total: number;
}

/** `GET /api/graph`: repositories, contributors, and the edges between them; or what lies inside one repository. */
export function repositoryGraphRoute(viewOf: ViewOf) {
  return route({
    method: 'GET',
    path: '/api/graph',
    operation_id: 'get_graph',
    summary: 'The graph of all repositories, or of one from the inside',
    description:
      'Repositories and contributors with the typed edges between them; what lies inside a repository is counted by type. With level=symbol: functions, classes, endpoints, data models, frameworks and security patterns of one repository. By type, then id, in pages; edges are those that lead to the nodes of the page, so that over all pages each comes once; with those that join them to symbols of other repositories.',
    access: 'tenant',
    product: 'code-graph',
    credits: 5,
    errors: [repositoryNotFound],
    query,
    response: responseSchema,
    example: {
      nodes: [
        {
          ...exampleRepository,
          counts: { nodes: { Function: 412, Class: 37, Endpoint: 18 }, edges: { CONTAINS: 467, CALLS: 1208 } },
        },
        { ...exampleContributor, counts: null },
        { ...exampleDependency, counts: { nodes: {}, edges: {} } },
      ],
      edges: [exampleEdge],
      outside: [],
      total_nodes: 3,
      total_edges: 1,
      totals: {
        nodes: { Repository: 2, Contributor: 1, Function: 412, Class: 37, Endpoint: 18 },
        edges: { CONTAINS: 467, CALLS: 1208, DEPENDS_ON: 1 },
      },
      page: 1,
      page_size: 3,
      total_pages: 1,
    },
    handle: async ({ caller, query }) => {
      const { graph, names } = await viewOf(caller);
      const whole = await graph.repositoryGraph();
      const page_size = query.page_size ?? (query.level === 'symbol' ? pageSize : null);
      const { nodes, edges, outside, total } =
        query.level === 'symbol'
          ? await inside(graph, query, page_size ?? 1)
          : betweenRepositories(whole, { ...query, repo: query.repo?.map(names.shownName) }, page_size);
      const counts = new Map(whole.counts.map(({ repository, nodes, edges }) => [repository, { nodes, edges }]));
      return {
        nodes: nodes.map((node) => ({
          ...nodeOf(node),
          counts: node.type === 'Repository' ? (counts.get(node.id) ?? { nodes: {}, edges: {} }) : null,
        })),
        edges: edges.map(edgeOf),
        outside: outside.map(nodeOf),
        total_nodes: total,
        total_edges: edges.length,
        totals: totalsOf(whole),
        ...pageOf(total, { page: query.page, page_size: page_size ?? Math.max(total, 1) }),
      };
    },
  });
}

async function inside(graph: GraphReader, query: Query, page_size: number): Promise<Shown> {
  const [repository, another] = query.repo ?? [];
  if (repository === undefined || another !== undefined) {
    const detail = 'must name one repository where level is symbol';
    throw refuse([{ in: 'query', name: 'repo', pointer: null, code: 'required', detail }]);
  }
  const found = await graph.inside({
    repository,
    ...filterOf(query),
    ...windowOf({ page: query.page, page_size }),
  });
  if (found === null) throw noRepository(repository);
  return { ...found, edges: [...found.edges, ...found.links] };
}

function betweenRepositories(whole: RepositoryGraph, query: Query, page_size: number | null): Shown {
  const { nodeTypes, edgeTypes, minConfidence } = filterOf(query);
  const wanted = new Set(query.repo);
  const contributors = new Set(whole.edges.filter(({ to }) => wanted.has(to)).map(({ from }) => from));
  const matching = whole.nodes.filter(
    ({ id, type }) =>
      nodeTypes.includes(type) &&
      (query.repo === undefined || wanted.has(id) || (type === 'Contributor' && contributors.has(id))),
  );
  const ids = new Set(matching.map(({ id }) => id));
  const { offset, limit } = windowOf({ page: query.page, page_size: page_size ?? Math.max(matching.length, 1) });
  const nodes = matching.slice(offset, offset + limit);
  const onPage = new Set(nodes.map(({ id }) => id));
  const edges = whole.edges.filter(
    ({ type, from, to, confidence }) =>
      edgeTypes.includes(type) && confidence >= minConfidence && ids.has(from) && onPage.has(to),
  );
  return { nodes, edges, outside: [], total: matching.length };
}

function totalsOf({ nodes, edges, counts }: RepositoryGraph): z.infer<typeof countsSchema> {
  const totals: z.infer<typeof countsSchema> = { nodes: {}, edges: {} };
  const add = <K extends string>(sums: Partial<Record<K, number>>, type: K, count: number) => {
    sums[type] = (sums[type] ?? 0) + count;
  };
  for (const { type } of nodes) add(totals.nodes, type, 1);
  for (const { type } of edges) add(totals.edges, type, 1);
  for (const inside of counts) {
    for (const type of nodeTypeSchema.options) if (inside.nodes[type]) add(totals.nodes, type, inside.nodes[type]);
    for (const type of edgeTypeSchema.options) if (inside.edges[type]) add(totals.edges, type, inside.edges[type]);
  }
  return totals;
}
