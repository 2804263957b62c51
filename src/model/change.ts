import { z } from 'zod';
import { hotspotSchema, metricIdSchema, metricSchema } from './due-diligence.ts';
import { requirementSchema } from './snapshot.ts';

/** The first of a list, and how many there are. */
const listOf = <T extends z.ZodType>(item: T) => z.object({ total: z.int(), items: z.array(item) });

/** A function or class as one commit has it; `id` is its node's without the repository: `src/app.ts#App.run`. */
export const changeSymbolSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  path: z.string(),
  line: z.int(),
  end_line: z.int(),
  signature: z.string().nullable(),
  /** Seen from outside its file or package. */
  exported: z.boolean(),
  /** It is part of the tests. */
  test: z.boolean(),
});
export type ChangeSymbol = z.infer<typeof changeSymbolSchema>;

/** What is another: its name, the file or class it is in, who sees it, its signature (or what stands before it), what it does. */
export const changedPartSchema = z.enum(['name', 'place', 'visibility', 'signature', 'body']);
export type ChangedPart = z.infer<typeof changedPartSchema>;

const changedSymbolSchema = changeSymbolSchema.extend({
  parts: z.array(changedPartSchema).min(1),
  before: changeSymbolSchema.pick({ id: true, path: true, line: true, signature: true }),
});
export type ChangedSymbol = z.infer<typeof changedSymbolSchema>;

const changedEdgeSchema = z.object({ type: z.enum(['CALLS', 'INHERITS']), from: z.string(), to: z.string() });

/** Whoever calls or inherits what changed, or what calls that. */
const affectedSchema = changeSymbolSchema.pick({ id: true, name: true, path: true, line: true, test: true }).extend({
  /** How many edges away. */
  depth: z.int().min(1),
  /** From here to what changed, each by its id; that of a removed one is the one it had. */
  way: z.array(z.string()).min(2),
});
export type AffectedSymbol = z.infer<typeof affectedSchema>;

/** Who calls or inherits what is gone, and did not change. */
const brokenSchema = z.object({
  /** Null: this one. */
  repository: z.string().nullable(),
  from: z.string(),
  path: z.string().nullable(),
  line: z.int().nullable(),
  to: z.string(),
  /** What it may have meant to be called now; null where it was removed. */
  now: z.string().nullable(),
});
export type BrokenCaller = z.infer<typeof brokenSchema>;

/** A symbol of another repository that uses what changed. */
const elsewhereSchema = z.object({
  repository: z.string(),
  /** Empty for an import, which is the repository's. */
  from: z.string(),
  path: z.string().nullable(),
  line: z.int().nullable(),
  /** By the id that it had. */
  to: z.string(),
  /** It is gone, and nothing is in its place. */
  broken: z.boolean(),
});

const testedSchema = z.object({
  /** A test, or the file of tests, that reaches what changed; and how many of what changed. */
  id: z.string(),
  path: z.string(),
  reaches: z.int(),
});

const offeredSchema = z.object({ name: z.string(), path: z.string(), line: z.int().nullable() });
const comparedSchema = z.object({
  added: listOf(offeredSchema),
  /** Those that are gone, and those that have lost something; `lost` is empty where all of it is gone. */
  broken: listOf(offeredSchema.extend({ lost: z.array(z.string()) })),
});

const dependencySchema = requirementSchema
  .pick({ ecosystem: true, name: true, scope: true, path: true, line: true })
  .extend({
    status: z.enum(['added', 'removed', 'changed']),
    /** What the manifest asks for; null where it says nothing. */
    before: z.string().nullable(),
    after: z.string().nullable(),
  });

const findingSchema = z.object({
  metric: metricIdSchema,
  path: z.string(),
  line: z.int().nullable(),
  note: z.string().nullable(),
  /** It is one of security, and counts in full: not in tests, documentation and examples. */
  gated: z.boolean(),
});
export type ChangeFinding = z.infer<typeof findingSchema>;

const gradesSchema = z.object({
  id: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** 0 to 100. */
  score_before: z.number().nullable(),
  score_after: z.number().nullable(),
});

/** What due diligence says of both commits. Ages are counted to the day of the later one. */
export const changeDiligenceSchema = z.object({
  findings: z.object({ new: listOf(findingSchema), fixed: listOf(findingSchema) }),
  /** Overall first, then each dimension. */
  grades: z.array(gradesSchema),
  /** Those that differ. */
  figures: z.array(
    z.object({
      id: metricIdSchema,
      unit: z.string(),
      direction: metricSchema.shape.direction,
      before: z.number().nullable(),
      after: z.number().nullable(),
    }),
  ),
  /** Files that changed and are both complex and often changed, the hottest first. */
  hotspots: listOf(hotspotSchema),
});
export type ChangeDiligence = z.infer<typeof changeDiligenceSchema>;

/** What led from one commit of a repository to another. The same two commits give the same. */
export const changeSchema = z.object({
  repository: z.string(),
  /** The commit that is compared with; where base and head parted from each other, if that is another. */
  base: z.string(),
  head: z.string(),
  /** A sentence each: what is compared with what, and what could not be. */
  notes: z.array(z.string()),
  /** Whether nothing but comments, documentation and white space of source files differs. */
  only_comments: z.boolean(),
  files: listOf(
    z.object({
      path: z.string(),
      old_path: z.string().nullable(),
      status: z.enum(['added', 'removed', 'changed', 'renamed']),
      /** Code in a language that is read, with another meaning; comments alone; or anything else. */
      what: z.enum(['code', 'comments', 'other']),
    }),
  ),
  symbols: z.object({
    added: listOf(changeSymbolSchema),
    removed: listOf(changeSymbolSchema),
    changed: listOf(changedSymbolSchema),
  }),
  edges: z.object({ gained: listOf(changedEdgeSchema), lost: listOf(changedEdgeSchema) }),
  /** The nearest first; what changed itself is not among them. */
  affected: listOf(affectedSchema).extend({ by_depth: z.array(z.int()) }),
  broken: listOf(brokenSchema),
  /** Null where no other repository was asked about. */
  elsewhere: listOf(elsewhereSchema).nullable(),
  tests: z.object({
    reaching: listOf(testedSchema),
    /** Functions that were added or changed, and that no test reaches over calls. */
    untested: listOf(changeSymbolSchema),
  }),
  endpoints: comparedSchema,
  models: comparedSchema,
  dependencies: listOf(dependencySchema),
  /** Of the repository, as it says. */
  license: z.object({ before: z.string().nullable(), after: z.string().nullable() }),
  /** People who know the files that changed, by how many of them; as of the base. */
  people: listOf(z.object({ name: z.string(), files: z.int() })),
  /** Null where that was not asked for. */
  diligence: changeDiligenceSchema.nullable(),
});
export type Change = z.infer<typeof changeSchema>;

/** At most so many of each list are told. */
export const maxListed = 1_000;

export const listed = <T>(items: readonly T[]): { total: number; items: T[] } => ({
  total: items.length,
  items: items.slice(0, maxListed),
});
