import { z } from 'zod';

/** What a node of the code graph can be; the list is closed by the interface specification. */
export const nodeTypeSchema = z
  .enum(['Repository', 'Function', 'Class', 'Contributor', 'SecurityPattern', 'Framework', 'Endpoint', 'DataModel'])
  .meta({ id: 'NodeType' });
export type NodeType = z.infer<typeof nodeTypeSchema>;

/** What an edge of the code graph can be; the list is closed by the interface specification. */
export const edgeTypeSchema = z
  .enum(['CONTAINS', 'CALLS', 'INHERITS', 'IMPORTS', 'DEPENDS_ON', 'CONTRIBUTED_TO'])
  .meta({ id: 'EdgeType' });
export type EdgeType = z.infer<typeof edgeTypeSchema>;

/**
 * One node. `id` is `<repository>` for a repository, `<repository>/<path>#<qualified name>` for what a file defines
 * (`@line` after the second and later definitions of one name), `<repository>/<path>#<what>:<name>` for an endpoint, a data model, a
 * framework or a security pattern, `contributor:<hash>` for a person.
 */
export const graphNodeSchema = z.object({
  id: z.string(),
  type: nodeTypeSchema,
  /** As people say it: `koa`, `getUser`, `Anna Berg`. */
  name: z.string(),
  /** The repository that the node belongs to; null for a contributor, who may belong to several. */
  repository: z.string().nullable(),
  /** Finer than the type: function, method, constructor, class, interface, struct, enum, trait …; null where there is none. */
  kind: z.string().nullable(),
  /** `Class.method`; null where there is none. */
  qualified_name: z.string().nullable(),
  language: z.string().nullable(),
  /** From the root of the repository, with `/`; null where there is none. */
  path: z.string().nullable(),
  /** From 1: of the identifier that names the definition. */
  line: z.int().nullable(),
  end_line: z.int().nullable(),
  /** One line, as written: `getUser(id: string): Promise<User>`; null where there is none. */
  signature: z.string().nullable(),
  /** First paragraph of the doc comment; null where there is none. */
  doc: z.string().nullable(),
  /** Seen from outside its file or package. */
  exported: z.boolean(),
  /** What only some types have: commit, languages, description of a repository; commits and bot of a contributor. */
  properties: z.record(z.string(), z.json()),
});
export type GraphNode = z.infer<typeof graphNodeSchema>;

/** One edge; (type, from, to) occurs once, `weight` says how often it was seen and path and line where first. */
export const graphEdgeSchema = z.object({
  type: edgeTypeSchema,
  from: z.string(),
  to: z.string(),
  /** How many call sites, imports, commits … stand behind the edge; at least 1. */
  weight: z.number(),
  /** 0 to 1; 1 is certain, below 0.5 is a guess by name alone. */
  confidence: z.number().min(0).max(1),
  /** How the edge was found, for example `import`, `same_file`, `receiver_type`, `unique_name`, `scip`, `manifest`, `history`. */
  strategy: z.string(),
  path: z.string().nullable(),
  line: z.int().nullable(),
});
export type GraphEdge = z.infer<typeof graphEdgeSchema>;

/** The ids of two nodes never share a prefix by accident: a repository's name has no `/` and no `#`. */
export const nodeId = {
  repository: (repository: string) => repository,
  symbol: (repository: string, path: string, qualifiedName: string, ordinalLine?: number) =>
    `${repository}/${path}#${qualifiedName}${ordinalLine === undefined ? '' : `@${ordinalLine}`}`,
  /** What a detector found in a file: no qualified name holds the colon. */
  detected: (repository: string, path: string, what: string, name: string, ordinalLine?: number) =>
    `${repository}/${path}#${what}:${name}${ordinalLine === undefined ? '' : `@${ordinalLine}`}`,
  contributor: (hash: string) => `contributor:${hash}`,
};
