import { z } from 'zod';
import type { Commit } from './commit.ts';
import type { DeclaredRow } from './declared-name.ts';
import type { Measurements } from './due-diligence.ts';
import { ecosystems, type EcosystemId } from './ecosystems/index.ts';
import type { GraphEdge, GraphNode } from './graph.ts';

/** A package that a repository publishes, or needs, by the name its registry knows. */
export const packageNameSchema = z.object({
  ecosystem: z.enum(ecosystems.map(({ id }) => id) as [EcosystemId, ...EcosystemId[]]),
  name: z.string(),
});
export type PackageName = z.infer<typeof packageNameSchema>;

/** A package that a repository's manifests ask for. */
export const requirementSchema = packageNameSchema.extend({
  /** As written: `^3.1.0`; null where the manifest gives none. */
  range: z.string().nullable(),
  scope: z.enum(['runtime', 'development', 'optional', 'peer']),
  /** The manifest: path and line. */
  path: z.string(),
  line: z.int().nullable(),
  /** How many source files import it. */
  imports: z.int(),
});
export type Requirement = z.infer<typeof requirementSchema>;

/** A request that the code makes, to whomever answers it. */
export const requestSchema = z.object({
  method: z.string(),
  /** Null where it is a setting. */
  host: z.string().nullable(),
  /** `/users/{}`: what is computed is `{}`. */
  path: z.string(),
  /** The file and line where it is made first, and how many places there are. */
  file: z.string(),
  line: z.int(),
  count: z.int(),
});
export type Request = z.infer<typeof requestSchema>;

/** What was left out of the analysis, and why; a closed list so that figures can be added up. */
export const skippedSchema = z.object({
  path: z.string(),
  reason: z.enum([
    'binary',
    'vendored',
    'generated',
    'minified',
    'too_large',
    'not_utf8',
    'symlink',
    'submodule',
    'parse_error',
    'timeout',
    'unreadable',
  ]),
  detail: z.string().optional(),
});
export type Skipped = z.infer<typeof skippedSchema>;

/** Lines of a file that the parser could not read: first and last of each range, from 1, both among them. */
export const unparsedSchema = z.object({ path: z.string(), lines: z.array(z.tuple([z.int(), z.int()])) });
export type Unparsed = z.infer<typeof unparsedSchema>;

/** What is known of the repository itself, beside its node. */
export const repositoryInfoSchema = z.object({
  name: z.string(),
  /** Where it was read from: an absolute path or a URL without credentials. */
  source: z.string(),
  /** Its page on the forge that it was cloned from, without credentials; absent where that is none that is known. */
  forge: z.string().optional(),
  /** 40 or 64 hex digits; null where the path is no git repository. */
  commit: z.string().nullable(),
  branch: z.string().nullable(),
  /** Of the commit, RFC 3339; null without a commit. */
  committed_at: z.string().nullable(),
  /** Equal when the analysis would be: made from the tree, the commit and the analyzer's version. */
  fingerprint: z.string(),
  analyzer_version: z.string(),
  /** Whether the text of its files is kept; absent from what an older version made, which kept none. */
  source_kept: z.boolean().optional(),
  /** How many commits led to this one; absent where none are kept. */
  commits_total: z.int().optional(),
  /** How many points of its history are measured as well; absent where none are. */
  trend_points: z.int().optional(),
  /** History, measurements and findings follow: they are not read yet; nor is the text, where none is kept. */
  only_graph: z.literal(true).optional(),
  publishes: z.array(packageNameSchema),
  requires: z.array(requirementSchema),
  /** Addresses that it answers at, as templates, and those that it asks; absent from what an older version made. */
  endpoints: z.array(z.object({ method: z.string(), path: z.string() })).optional(),
  requests: z.array(requestSchema).optional(),
  skipped: z.array(skippedSchema),
  /** Absent from what an older version made, as are `lines` and `lines_unparsed` below. */
  unparsed: z.array(unparsedSchema).optional(),
  completeness: z.object({
    files: z.int(),
    files_parsed: z.int(),
    files_skipped: z.int(),
    files_with_syntax_errors: z.int(),
    /** Of the files that were parsed. */
    lines: z.int().optional(),
    lines_unparsed: z.int().optional(),
    calls: z.int(),
    calls_resolved: z.int(),
    calls_external: z.int(),
    calls_unresolved: z.int(),
  }),
  /** For the person who loads, one sentence each: shallow clone, no history, submodules left out. */
  warnings: z.array(z.string()),
});
export type RepositoryInfo = z.infer<typeof repositoryInfoSchema>;

/** A way into another repository: ecosystem and module, as written; from there names, and `()` for what calling gives. */
export const outsideWaySchema = z.object({
  module: z.string(),
  path: z.array(z.string()),
  /** Modules in which the path may begin as well, before all others, the innermost first. */
  around: z.array(z.string()).optional(),
});
export type OutsideWay = z.infer<typeof outsideWaySchema>;

/** What each name stands for. */
const namesSchema = z.record(z.string(), z.string());
type Names = z.infer<typeof namesSchema>;

/**
 * What a repository gives to others. What is named leads to a definition by its path and qualified name; `()` after a class is
 * an instance of it, and `[]` behind a name is what holds several of it: an array, a collection, an optional value.
 */
export interface Surface {
  /** By ecosystem and module, as others write it: what each name stands for; that without a name is the module itself,
   * `*` where any other is looked for. */
  modules: Record<string, Names>;
  /** The classes that can be reached so, with those above them in the order of look-up; of overloads each by `name/parameters`. */
  classes: Record<string, { bases: string[]; members: Names }>;
  /** What functions give back. */
  results: Names;
  /** What is named above and lies outside again: handed on, inherited or given back. */
  outside: Record<string, OutsideWay[]>;
}

/** A use of what another repository gives. */
export const outsideReferenceSchema = outsideWaySchema.extend({
  type: z.enum(['CALLS', 'INHERITS', 'IMPORTS']),
  /** The definition that says so: path and qualified name; empty for an import, which is the repository's. */
  from: z.string(),
  /** Of the first place; how many there are, and how many arguments each passes. */
  file: z.string(),
  line: z.int(),
  weight: z.int(),
  arguments: z.int(),
});
export type OutsideReference = z.infer<typeof outsideReferenceSchema>;

/** What links the symbols of repositories. */
export interface Boundary {
  surface: Surface;
  references: OutsideReference[];
}

/** A boundary in pieces, for there may be very many: one module, class, function or name of its surface, or one reference. */
export const boundaryRowSchema = z.union([
  z.object({ module: z.string(), names: namesSchema }),
  z.object({ class: z.string(), bases: z.array(z.string()), members: namesSchema }),
  z.object({ function: z.string(), result: z.string() }),
  z.object({ outside: z.string(), ways: z.array(outsideWaySchema) }),
  z.object({ reference: outsideReferenceSchema }),
]);
export type BoundaryRow = z.infer<typeof boundaryRowSchema>;

/** Why a text is no part of the graph. */
export const leftOutSchema = z.enum(['vendored', 'generated', 'minified']);
export type LeftOut = z.infer<typeof leftOutSchema>;

/** Which commits wrote the lines of a file, as `git blame` tells it. */
export const lineHistorySchema = z.object({
  commits: z.array(
    z.object({
      id: z.string(),
      /** By the author's clock, RFC 3339. */
      at: z.string(),
      /** `id`: of the contributor in the graph. */
      author: z.object({ id: z.string(), name: z.string() }),
      subject: z.string(),
    }),
  ),
  /** From the first line on: so many lines, and the place of their commit; null of lines that are older than what was gone back to. */
  runs: z.array(z.tuple([z.int().min(1), z.int().min(0).nullable()])),
});
export type LineHistory = z.infer<typeof lineHistorySchema>;

/** A text that was read, with all files that hold it. */
export const sourceRowSchema = z.object({
  /** By path; the texts are in the order of the first of these. */
  files: z
    .array(
      z.object({
        path: z.string(),
        /** Linguist's name; null where it is none that linguist calls a programming language. */
        language: z.string().nullable(),
        /** Its path says it is a test. */
        test: z.boolean(),
        /** Absent where it is part of the graph. */
        left_out: leftOutSchema.optional(),
        /** Absent where there is no history, and of what is no source. */
        history: lineHistorySchema.optional(),
      }),
    )
    .min(1),
  /** In UTF-8, compressed by zstd, in base64. */
  content: z.base64(),
});
export type SourceRow = z.infer<typeof sourceRowSchema>;

/** A list that may lie on disk: it is gone through from its beginning, as often as one likes. */
export interface Rows<T> extends Iterable<T> {
  readonly length: number;
}

/**
 * One repository at one commit: all that the stores are made from. In a stable order: same input, same bytes.
 * Search documents are derived from it (loaders/records), so it does not hold them.
 */
export interface Snapshot {
  repository: RepositoryInfo;
  /** The repository's own node first. */
  nodes: Rows<GraphNode>;
  edges: Rows<GraphEdge>;
  /** For due diligence; absent from a snapshot that an older version made. */
  measurements?: Measurements;
  /** For the edges between symbols of repositories; absent likewise. */
  boundary?: Rows<BoundaryRow>;
  /** Names that are neither functions nor classes, which search finds; absent likewise. */
  declared?: Rows<DeclaredRow>;
  /** The text of the files, each text once; absent where it is not kept. */
  source?: Rows<SourceRow>;
  /** The newest commits, the newest first; absent where the source is not kept, or there is no history. */
  commits?: Rows<Commit>;
}

/** What due diligence reads of one repository at one commit, without the graph, and all that has a name in it. */
export interface MeasuredRepository {
  repository: Pick<RepositoryInfo, 'name' | 'commit' | 'committed_at' | 'requires' | 'warnings'>;
  measurements: Measurements;
  /** Of all files, those left out as well. */
  paths: readonly string[];
  people: readonly string[];
}
