import { z } from 'zod';
import { route } from '../http/route.ts';
import { edgeTypeSchema, graphEdgeSchema, graphNodeSchema } from '../model/graph.ts';
import type { EdgeType } from '../model/graph.ts';
import type { Neighbor, NeighborEdge } from '../stores/graph/port.ts';
import type { View, ViewOf } from '../tenancy/view.ts';
import { exampleDefinition, exampleEdge } from './examples.ts';
import { noNode, nodeNotFound } from './node-not-found.ts';
import {
  filterOf,
  filterQuery,
  nodeOf,
  nodeSchema,
  pageOf,
  pageParameters,
  pageShape,
  placedOf,
  placedSchema,
  windowOf,
} from './wire.ts';

/** Of more, the heaviest are put in order. */
const maxReferences = 2_000;
/** Of so many files it is looked up whether they are tests, and what stands on the line. */
const maxFiles = 200;
/** A line is cut behind so many UTF-16 units. */
const maxLineLength = 300;

/** What refers to something, unless other edges are asked for. */
const references: EdgeType[] = edgeTypeSchema.options.filter((type) => type !== 'CONTAINS');

const definitionSchema = nodeSchema
  .extend(graphNodeSchema.pick({ end_line: true, signature: true, exported: true }).shape)
  .meta({ id: 'Definition' });

const referenceSchema = z
  .object({
    node: placedSchema.meta({ description: 'What is at the other end: who refers to it, or what it refers to.' }),
    ...graphEdgeSchema.pick({ type: true, weight: true, confidence: true, strategy: true }).shape,
    path: z.string().nullable().meta({ description: 'The file in which the reference is written.' }),
    line: z.int().min(1).nullable().meta({ description: 'Where it is written; of several, the first.' }),
    text: z
      .string()
      .nullable()
      .meta({
        description: `The line, without the space before it, ${maxLineLength} UTF-16 units of it at most; null where the source is not kept.`,
      }),
    test: z.boolean().nullable().meta({ description: 'Whether that file is a test; null where that is not known.' }),
  })
  .meta({ id: 'Reference' });
type Reference = z.infer<typeof referenceSchema>;

const responseSchema = z
  .object({
    node: definitionSchema,
    direction: z.enum(['in', 'out']),
    references: z.array(referenceSchema),
    total_references: z.int().min(0).meta({ description: 'On every page.' }),
    truncated: z
      .boolean()
      .meta({ description: `There are more than ${maxReferences}: of them the heaviest are in the list.` }),
    ...pageShape,
  })
  .meta({ id: 'References' });

/** What `GET /api/graph/references/{id}` answers. */
export type ReferencesAnswer = z.infer<typeof responseSchema>;

/** `GET /api/graph/references/{id}`: who refers to a symbol, or what it refers to, each with the line. */
export function referencesRoute(viewOf: ViewOf) {
  return route({
    method: 'GET',
    path: '/api/graph/references/{id}',
    operation_id: 'get_graph_references',
    summary: 'Who refers to a symbol, or what it refers to, each with its line',
    description:
      'Each edge into a node, or out of it, with the place where it is written and the line that stands there: those of its own repository first, then repository by repository, in each what is no test first, then by path and line.',
    access: 'tenant',
    product: 'code-graph',
    credits: 1,
    errors: [nodeNotFound],
    params: {
      id: z.string().meta({ description: 'Id of the node.', examples: ['payments-api/src/url.ts#parseUrl'] }),
    },
    query: {
      ...filterQuery,
      edge_types: filterQuery.edge_types.meta({
        description: 'Only edges of these types; all but CONTAINS unless told.',
        examples: ['CALLS'],
      }),
      direction: z.enum(['in', 'out']).default('in').meta({
        description: 'in: who refers to it, as its callers; out: what it refers to.',
      }),
      ...pageParameters,
    },
    response: responseSchema,
    example: {
      node: { ...exampleDefinition, end_line: 30, signature: 'parseUrl(text: string): URL | null', exported: true },
      direction: 'in',
      references: [
        {
          node: {
            ...placedOf(exampleDefinition),
            id: 'payments-api/src/pay.ts#pay',
            name: 'pay',
            qualified_name: 'pay',
            path: 'src/pay.ts',
            line: 7,
          },
          type: 'CALLS',
          weight: 2,
          confidence: exampleEdge.confidence,
          strategy: 'import',
          path: 'src/pay.ts',
          line: 9,
          text: 'const url = parseUrl(address);',
          test: false,
        },
      ],
      total_references: 1,
      truncated: false,
      page: 1,
      page_size: 100,
      total_pages: 1,
    },
    handle: async ({ caller, params: { id }, query }) => {
      const view = await viewOf(caller);
      const { edge_types = references, direction } = query;
      const [node, found] = await Promise.all([
        view.graph.node(id),
        view.graph.adjacent({
          id,
          direction,
          ...filterOf({ ...query, edge_types }),
          offset: 0,
          limit: maxReferences,
        }),
      ]);
      if (node === null || found === null) throw noNode(id);
      const placed = found.neighbors.flatMap((neighbor) => neighbor.edges.map((edge) => placeOf(neighbor, edge, id)));
      const known = await withLines(view, placed, node.repository);
      const { offset, limit } = windowOf(query);
      return {
        node: { ...nodeOf(node), end_line: node.end_line, signature: node.signature, exported: node.exported },
        direction,
        references: known.slice(offset, offset + limit),
        total_references: known.length,
        truncated: found.total > found.neighbors.length,
        ...pageOf(known.length, query),
      };
    },
  });
}

/** A reference, and the repository in whose file it is written. */
type Placed = Omit<Reference, 'text' | 'test'> & { within: string | null };

function placeOf({ node }: Neighbor, { edge, direction }: NeighborEdge, id: string): Placed {
  const { type, weight, confidence, strategy, path, line } = edge;
  const within = direction === 'in' ? node.repository : repositoryOf(id);
  return { node: placedOf(node), type, weight, confidence, strategy, path, line, within };
}

/** Of a symbol: what stands before its path. */
const repositoryOf = (id: string) => id.slice(0, id.includes('/') ? id.indexOf('/') : undefined);

/** In order, with what stands on each line. */
async function withLines(view: View, placed: readonly Placed[], own: string | null): Promise<Reference[]> {
  const order = (a: Placed, b: Placed) =>
    Number(a.node.repository !== own) - Number(b.node.repository !== own) ||
    compare(a.node.repository ?? '', b.node.repository ?? '') ||
    compare(a.path ?? '', b.path ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compare(a.node.id, b.node.id);
  const sorted = placed.toSorted(order);
  const keyOf = ({ within, path }: Placed) => `${within ?? ''}\n${path ?? ''}`;
  const wanted = new Map(
    sorted.filter(({ within, path }) => within !== null && path !== null).map((each) => [keyOf(each), each]),
  );
  const files = new Map(
    await Promise.all(
      [...wanted].slice(0, maxFiles).map(async ([key, { within, path }]) => {
        const file = await view.source.read(within ?? '', path ?? '');
        return [key, file && { test: file.test, lines: file.text.split(/\r?\n/) }] as const;
      }),
    ),
  );
  return sorted
    .map((each): { of: Placed; test: boolean | null; text: string | null } => {
      const file = files.get(keyOf(each)) ?? null;
      const text = each.line === null ? undefined : file?.lines[each.line - 1];
      return { of: each, test: file?.test ?? null, text: text?.trim().slice(0, maxLineLength) ?? null };
    })
    .toSorted(
      (a, b) =>
        Number(a.of.node.repository !== own) - Number(b.of.node.repository !== own) ||
        compare(a.of.node.repository ?? '', b.of.node.repository ?? '') ||
        Number(a.test ?? false) - Number(b.test ?? false),
    )
    .map(({ of: { node, type, weight, confidence, strategy, path, line }, test, text }) => {
      return { node, type, weight, confidence, strategy, path, line, text, test };
    });
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
