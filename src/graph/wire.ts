import { z } from 'zod';
import { decimal, integer, list, text } from '../http/query.ts';
import { edgeTypeSchema, graphEdgeSchema, graphNodeSchema, nodeTypeSchema } from '../model/graph.ts';
import type { EdgeType, GraphEdge, GraphNode, NodeType } from '../model/graph.ts';

/** A node as every answer has it. */
export const nodeSchema = graphNodeSchema
  .pick({
    id: true,
    type: true,
    name: true,
    kind: true,
    language: true,
    doc: true,
    repository: true,
    qualified_name: true,
    path: true,
    line: true,
  })
  .extend({
    properties: z.record(z.string(), z.unknown()).meta({
      description:
        'What only some types have: of a repository its `full_name` (owner/name, or null) and `completeness` (files parsed and skipped, calls resolved, external and unresolved), of an endpoint `method` and `path`, of a data model `table` and `fields`, of a framework `version`, of a security pattern `cwe` and `severity`.',
    }),
  })
  .meta({ id: 'Node' });

/** What a node is called and where it is written, and no more. */
export const placedSchema = nodeSchema
  .pick({
    id: true,
    type: true,
    name: true,
    kind: true,
    repository: true,
    qualified_name: true,
    path: true,
    line: true,
  })
  .meta({ id: 'PlacedNode' });

/** Likewise an edge. */
export const edgeSchema = graphEdgeSchema
  .pick({
    type: true,
    from: true,
    to: true,
    weight: true,
    confidence: true,
    strategy: true,
  })
  .meta({ id: 'Edge' });

/** The parameters by which every answer can be narrowed. */
export const filterQuery = {
  node_types: list(nodeTypeSchema)
    .optional()
    .meta({ description: 'Only nodes of these types; all unless told.', examples: ['Repository,Endpoint'] }),
  edge_types: list(edgeTypeSchema)
    .optional()
    .meta({ description: 'Only edges of these types; all unless told.', examples: ['DEPENDS_ON,CALLS'] }),
  min_confidence: decimal(0, 1)
    .default(0)
    .meta({ description: 'Only edges that are at least so certain; 1 is what somebody wrote down.', examples: [0.9] }),
};

/** Names a node in a path or a query. */
export const nodeIdText = text(1, 2_048);

/** Nodes on a page unless told. */
export const pageSize = 100;

/** The page of a list that may be long. */
export const pageParameters = {
  page: integer(1, 1_000_000).default(1).meta({ description: 'From 1.' }),
  page_size: integer(1, 1000).default(pageSize).meta({ description: 'Nodes on a page.' }),
};

/** Says where a walk over pages goes on. */
export const cursorQuery = text(1, 40)
  .regex(/^n\d{1,12}e\d{1,12}$/)
  .optional()
  .meta({
    description: 'The `next_cursor` of the page before, asked for with the same parameters; in place of `page`.',
    examples: ['n100e0'],
  });

/** Nodes and edges in turn: a page begins at so many nodes, and at so many of the edges that lead to its nodes. */
export interface Position {
  nodes: number;
  edges: number;
}

/** As text that means nothing to callers. */
export const cursorOf = ({ nodes, edges }: Position) => `n${nodes}e${edges}`;

/** What a cursor says, else the beginning of the page. */
export function positionOf({
  cursor,
  page,
  page_size,
}: {
  cursor?: string | undefined;
  page: number;
  page_size: number;
}): Position {
  if (cursor === undefined) return { nodes: (page - 1) * page_size, edges: 0 };
  const [, nodes, edges] = cursor.split(/[ne]/);
  return { nodes: Number(nodes), edges: Number(edges) };
}

/** What is said of the pages. */
export const pageShape = {
  page: z.int().min(1),
  page_size: z.int().min(1),
  total_pages: z.int().min(0),
};

/** The filters that were asked for; without one, everything passes. */
export function filterOf(query: {
  node_types?: NodeType[] | undefined;
  edge_types?: EdgeType[] | undefined;
  min_confidence: number;
}) {
  return {
    nodeTypes: query.node_types ?? nodeTypeSchema.options,
    edgeTypes: query.edge_types ?? edgeTypeSchema.options,
    minConfidence: query.min_confidence,
  };
}

/** Offset and limit of a page. */
export function windowOf({ page, page_size }: { page: number; page_size: number }) {
  return { offset: (page - 1) * page_size, limit: page_size };
}

/** What is said of the page that is shown. */
export function pageOf(total: number, { page, page_size }: { page: number; page_size: number }) {
  return { page, page_size, total_pages: Math.ceil(total / page_size) };
}

/** A node without what only some answers have. */
export function nodeOf(node: GraphNode): z.infer<typeof nodeSchema> {
  const { id, type, name, kind, language, doc, repository, qualified_name, path, line, properties } = node;
  return { id, type, name, kind, language, doc, repository, qualified_name, path, line, properties };
}

/** A node's name and place. */
export function placedOf(node: z.infer<typeof placedSchema>): z.infer<typeof placedSchema> {
  const { id, type, name, kind, repository, qualified_name, path, line } = node;
  return { id, type, name, kind, repository, qualified_name, path, line };
}

/** An edge without the place where it was seen. */
export function edgeOf({ type, from, to, weight, confidence, strategy }: GraphEdge): z.infer<typeof edgeSchema> {
  return { type, from, to, weight, confidence, strategy };
}
