import { z } from 'zod';
import { list, text } from '../http/query.ts';
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
  cursorOf,
  cursorQuery,
  edgeOf,
  edgeSchema,
  filterOf,
  filterQuery,
  nodeOf,
  nodeSchema,
  pageParameters,
  pageShape,
  positionOf,
} from './wire.ts';
import type { Position } from './wire.ts';

const countsSchema = z
  .object({
    nodes: z.partialRecord(nodeTypeSchema, z.int().min(0)),
    edges: z.partialRecord(edgeTypeSchema, z.int().min(0)),
  })
  .meta({ id: 'GraphCounts' });

const responseSchema = z
  .object({
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
    total_nodes: z.int().min(0).meta({ description: 'Nodes that match, of all pages and on each.' }),
    total_edges: z.int().min(0).meta({ description: 'Edges between them, of all pages and on each.' }),
    totals: countsSchema.meta({
      description: 'Of the whole graph, whatever the filters: repository level and inside.',
    }),
    ...pageShape,
    next_cursor: z.string().nullable().meta({
      description:
        'Where to go on: with the edges that have no room on this page, then with the next nodes. Null at the end.',
    }),
  })
  .meta({ id: 'Graph' });

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
  page: pageParameters.page.meta({ description: 'From 1; of a page that begins with nodes.' }),
  page_size: pageParameters.page_size.meta({ description: 'Nodes on a page at most, and edges.' }),
  cursor: cursorQuery,
};
type Query = z.output<z.ZodObject<typeof query>>;

/** Some nodes, and all edges that lead to them. */
interface Shown {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Of other repositories. */
  outside: GraphNode[];
  totals: Position;
}

/** `GET /api/graph`: repositories, contributors, and the edges between them; or what lies inside one repository. */
export function repositoryGraphRoute(viewOf: ViewOf) {
  return route({
    method: 'GET',
    path: '/api/graph',
    operation_id: 'get_graph',
    summary: 'The graph of all repositories, or of one from the inside',
    description:
      'Repositories and contributors with the typed edges between them; what lies inside a repository is counted by type. With level=symbol: functions, classes, endpoints, data models, frameworks and security patterns of one repository. In pages: repositories, then contributors, each by id, and an edge with the later one of its nodes; symbols by type, then id, and edges with the nodes that they lead to, also those that join them to symbols of other repositories. Following `next_cursor` to the end gives each node and each edge once; `page` alone skips the edges that had no room.',
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
        { ...exampleDependency, counts: { nodes: {}, edges: {} } },
        { ...exampleContributor, counts: null },
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
      page_size: 100,
      total_pages: 1,
      next_cursor: null,
    },
    handle: async ({ caller, query }) => {
      const { graph, names } = await viewOf(caller);
      const { page_size } = query;
      const begin = positionOf(query);
      const whole = await graph.repositoryGraph();
      const { nodes, edges, outside, totals } =
        query.level === 'symbol'
          ? await inside(graph, query, begin)
          : betweenRepositories(whole, { ...query, repo: query.repo?.map(names.shownName) }, begin);
      const onPage = edges.slice(begin.edges, begin.edges + page_size);
      const ends = new Set(onPage.flatMap(({ from, to }) => [from, to]));
      const counts = new Map(whole.counts.map(({ repository, nodes, edges }) => [repository, { nodes, edges }]));
      return {
        // Where edges go on, the nodes that they lead to have been there.
        nodes: (begin.edges > 0 ? [] : nodes).map((node) => ({
          ...nodeOf(node),
          counts: node.type === 'Repository' ? (counts.get(node.id) ?? { nodes: {}, edges: {} }) : null,
        })),
        edges: onPage.map(edgeOf),
        outside: outside.filter(({ id }) => ends.has(id)).map(nodeOf),
        total_nodes: totals.nodes,
        total_edges: totals.edges,
        totals: totalsOf(whole),
        page: Math.floor(begin.nodes / page_size) + 1,
        page_size,
        total_pages: Math.ceil(totals.nodes / page_size),
        next_cursor: nextCursor(begin, { page_size, edges: edges.length, total: totals.nodes }),
      };
    },
  });
}

function nextCursor(
  begin: Position,
  { page_size, edges, total }: { page_size: number; edges: number; total: number },
): string | null {
  if (begin.edges + page_size < edges) return cursorOf({ nodes: begin.nodes, edges: begin.edges + page_size });
  const nodes = begin.nodes + page_size;
  return nodes < total ? cursorOf({ nodes, edges: 0 }) : null;
}

async function inside(graph: GraphReader, query: Query, begin: Position): Promise<Shown> {
  const [repository, another] = query.repo ?? [];
  if (repository === undefined || another !== undefined) {
    const detail = 'must name one repository where level is symbol';
    throw refuse([{ in: 'query', name: 'repo', pointer: null, code: 'required', detail }]);
  }
  const asked = { repository, ...filterOf(query) };
  const [found, edges] = await Promise.all([
    graph.inside({ ...asked, offset: begin.nodes, limit: query.page_size }),
    graph.edgesInside(asked),
  ]);
  if (found === null || edges === null) throw noRepository(repository);
  return { ...found, edges: [...found.edges, ...found.links], totals: { nodes: found.total, edges } };
}

function betweenRepositories(whole: RepositoryGraph, query: Query, begin: Position): Shown {
  const { nodeTypes, edgeTypes, minConfidence } = filterOf(query);
  const wanted = new Set(query.repo);
  const contributors = new Set(whole.edges.filter(({ to }) => wanted.has(to)).map(({ from }) => from));
  const matching = whole.nodes.filter(
    ({ id, type }) =>
      nodeTypes.includes(type) &&
      (query.repo === undefined || wanted.has(id) || (type === 'Contributor' && contributors.has(id))),
  );
  // Of very many contributors nobody turns pages to see the first repository.
  const ordered = [
    ...matching.filter(({ type }) => type === 'Repository'),
    ...matching.filter(({ type }) => type !== 'Repository'),
  ];
  const placeOf = new Map(ordered.map(({ id }, place) => [id, place]));
  const edges = whole.edges.filter(
    ({ type, from, to, confidence }) =>
      edgeTypes.includes(type) && confidence >= minConfidence && placeOf.has(from) && placeOf.has(to),
  );
  const end = begin.nodes + query.page_size;
  return {
    nodes: ordered.slice(begin.nodes, end),
    edges: edges.filter(({ from, to }) => {
      const later = Math.max(placeOf.get(from) ?? 0, placeOf.get(to) ?? 0);
      return later >= begin.nodes && later < end;
    }),
    outside: [],
    totals: { nodes: matching.length, edges: edges.length },
  };
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
