import { z } from 'zod';
import { list } from '../http/query.ts';
import { route } from '../http/route.ts';
import { edgeTypeSchema, graphEdgeSchema, graphNodeSchema, nodeTypeSchema } from '../model/graph.ts';
import type { GraphStore, RepositoryGraph } from '../stores/graph/port.ts';

const countsSchema = z.object({
  nodes: z.partialRecord(nodeTypeSchema, z.int().min(0)),
  edges: z.partialRecord(edgeTypeSchema, z.int().min(0)),
});

const nodeSchema = graphNodeSchema
  .pick({ id: true, type: true, name: true, kind: true, language: true, doc: true })
  .extend({
    properties: z.record(z.string(), z.unknown()).meta({ description: 'What only some types have.' }),
    counts: countsSchema
      .nullable()
      .meta({ description: 'What lies inside a repository, by type; null for what is no repository.' }),
  });

const responseSchema = z.object({
  nodes: z.array(nodeSchema),
  edges: z.array(
    graphEdgeSchema.pick({ type: true, from: true, to: true, weight: true, confidence: true, strategy: true }),
  ),
  total_nodes: z.int().meta({ description: 'Length of nodes.' }),
  total_edges: z.int().meta({ description: 'Length of edges.' }),
  totals: countsSchema.meta({ description: 'Of the whole graph, whatever the filters: repository level and inside.' }),
});

/** `GET /api/graph`: repositories, contributors, and the edges between them. */
export function repositoryGraphRoute(graph: GraphStore) {
  return route({
    method: 'GET',
    path: '/api/graph',
    operation_id: 'get_graph',
    summary: 'The graph of all repositories',
    description:
      'Repositories and contributors with the typed edges between them. What lies inside a repository is counted by type.',
    access: 'tenant',
    product: 'code-graph',
    credits: 5,
    query: {
      node_types: list(nodeTypeSchema)
        .optional()
        .meta({ description: 'Only nodes of these types, and edges between them; all unless told.' }),
      edge_types: list(edgeTypeSchema).optional().meta({ description: 'Only edges of these types; all unless told.' }),
    },
    response: responseSchema,
    example: {
      nodes: [
        {
          id: 'payments-api',
          type: 'Repository',
          name: 'payments-api',
          kind: null,
          language: 'TypeScript',
          doc: 'Takes payments.',
          properties: { branch: 'main' },
          counts: { nodes: { Function: 412, Class: 37 }, edges: { CONTAINS: 449, CALLS: 1208 } },
        },
        {
          id: 'contributor:3f9a',
          type: 'Contributor',
          name: 'Anna Berg',
          kind: 'person',
          language: null,
          doc: null,
          properties: {},
          counts: null,
        },
        {
          id: 'ledger',
          type: 'Repository',
          name: 'ledger',
          kind: null,
          language: 'Go',
          doc: null,
          properties: {},
          counts: { nodes: {}, edges: {} },
        },
      ],
      edges: [
        { type: 'DEPENDS_ON', from: 'payments-api', to: 'ledger', weight: 12, confidence: 1, strategy: 'manifest' },
      ],
      total_nodes: 3,
      total_edges: 1,
      totals: {
        nodes: { Repository: 2, Contributor: 1, Function: 412, Class: 37 },
        edges: { CONTAINS: 449, CALLS: 1208, DEPENDS_ON: 1 },
      },
    },
    handle: async ({ query: { node_types, edge_types } }) => {
      const whole = await graph.repositoryGraph();
      const inside = new Map(whole.counts.map(({ repository, nodes, edges }) => [repository, { nodes, edges }]));
      const nodes = whole.nodes.filter(({ type }) => node_types?.includes(type) ?? true);
      const shown = new Set(nodes.map(({ id }) => id));
      const edges = whole.edges.filter(
        ({ type, from, to }) => (edge_types?.includes(type) ?? true) && shown.has(from) && shown.has(to),
      );
      return {
        nodes: nodes.map(({ id, type, name, kind, language, doc, properties }) => ({
          id,
          type,
          name,
          kind,
          language,
          doc,
          properties,
          counts: type === 'Repository' ? (inside.get(id) ?? { nodes: {}, edges: {} }) : null,
        })),
        edges: edges.map(({ type, from, to, weight, confidence, strategy }) => ({
          type,
          from,
          to,
          weight,
          confidence,
          strategy,
        })),
        total_nodes: nodes.length,
        total_edges: edges.length,
        totals: totalsOf(whole),
      };
    },
  });
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
