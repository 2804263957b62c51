import { z } from 'zod';
import { hotspotSchema, metricIdSchema, metricSchema } from './due-diligence.ts';
import { requirementSchema } from './snapshot.ts';

/** The first of a list, and how many there are. */
const listOf = <T extends z.ZodType>(item: T, id: string) =>
  z
    .object({
      total: z.int(),
      items: z.array(item).meta({ description: 'The first of them: 1,000 at most.' }),
    })
    .meta({ id });
const says = <T extends z.ZodType>(schema: T, description: string): T => schema.meta({ description });

const symbolFields = {
  id: says(z.string(), 'That of its node, without the repository: `src/app.py#App.run`.'),
  name: z.string(),
  kind: z.string(),
  path: z.string(),
  line: z.int(),
  end_line: z.int(),
  signature: z.string().nullable(),
  exported: z.boolean(),
  test: says(z.boolean(), 'Whether it is part of the tests.'),
};
/** A function or class as one commit has it; `id` is its node's without the repository: `src/app.ts#App.run`. */
export const changeSymbolSchema = z.object(symbolFields).meta({ id: 'ChangeSymbol' });
export type ChangeSymbol = z.infer<typeof changeSymbolSchema>;

/** What is another: its name, the file or class it is in, who sees it, its signature (or what stands before it), what it does. */
export const changedPartSchema = z.enum(['name', 'place', 'visibility', 'signature', 'body']);
export type ChangedPart = z.infer<typeof changedPartSchema>;

const changedSymbolSchema = z
  .object({
    ...symbolFields,
    parts: says(
      z.array(changedPartSchema).min(1),
      'What is another: its name, the file or class it is in, who sees it, its signature (or what stands before it), what it does.',
    ),
    before: says(
      changeSymbolSchema
        .pick({ id: true, path: true, line: true, signature: true })
        .meta({ id: 'ChangedSymbolBefore' }),
      'The same at the base.',
    ),
  })
  .meta({ id: 'ChangedSymbol' });
export type ChangedSymbol = z.infer<typeof changedSymbolSchema>;

const changedEdgeSchema = z
  .object({ type: z.enum(['CALLS', 'INHERITS']), from: z.string(), to: z.string() })
  .meta({ id: 'ChangedEdge' });
const edgesSchema = listOf(changedEdgeSchema, 'ChangedEdges');

/** Whoever calls or inherits what changed, or what calls that. */
const affectedSchema = z
  .object({
    id: symbolFields.id,
    name: z.string(),
    path: z.string(),
    line: z.int(),
    test: symbolFields.test,
    depth: says(z.int().min(1), 'How many edges away.'),
    way: says(
      z.array(z.string()).min(2),
      'From here to what changed, each by its id; that of a removed one is the one it had.',
    ),
  })
  .meta({ id: 'AffectedSymbol' });
export type AffectedSymbol = z.infer<typeof affectedSchema>;

/** Who calls or inherits what is gone, and did not change; or passes arguments that no longer fit what it calls. */
const brokenSchema = z
  .object({
    repository: says(z.string().nullable(), 'Null: this one.'),
    from: z.string(),
    path: z.string().nullable(),
    line: z.int().nullable(),
    to: z.string(),
    now: says(z.string().nullable(), 'What it may have meant to be called now; null where it was removed.'),
    arguments: says(
      z.int().nullable(),
      'How many arguments the call on this line passes, which were right before; null: what it uses is gone.',
    ),
  })
  .meta({ id: 'BrokenCaller' });
export type BrokenCaller = z.infer<typeof brokenSchema>;

/** A symbol of another repository that uses what changed. */
const elsewhereSchema = z
  .object({
    repository: z.string(),
    from: says(z.string(), 'Empty for an import, which is the repository’s.'),
    path: z.string().nullable(),
    line: z.int().nullable(),
    to: says(z.string(), 'By the id that it had.'),
    broken: says(z.boolean(), 'Whether it is gone, and nothing is in its place.'),
  })
  .meta({ id: 'UseElsewhere' });

const testedSchema = z
  .object({
    id: says(z.string(), 'A test, or the file of tests, that reaches what changed.'),
    path: z.string(),
    reaches: says(z.int(), 'How many of what changed.'),
  })
  .meta({ id: 'ReachingTest' });

const offeredFields = { name: z.string(), path: z.string(), line: z.int().nullable() };
const comparedSchema = z
  .object({
    added: says(listOf(z.object(offeredFields).meta({ id: 'OfferedThing' }), 'OfferedThings'), 'Those that are new.'),
    broken: says(
      listOf(
        z
          .object({
            ...offeredFields,
            lost: says(z.array(z.string()), 'What it has lost; empty where all of it is gone.'),
          })
          .meta({ id: 'BrokenThing' }),
        'BrokenThings',
      ),
      'Those that are gone, and those that have lost something.',
    ),
  })
  .meta({ id: 'ComparedThings' });

const dependencySchema = z
  .object({
    ...requirementSchema.pick({ ecosystem: true, name: true, scope: true, path: true, line: true }).shape,
    ecosystem: says(requirementSchema.shape.ecosystem, 'Where it is published.'),
    status: z.enum(['added', 'removed', 'changed']),
    before: says(z.string().nullable(), 'What the manifest asked for; null where it said nothing.'),
    after: says(z.string().nullable(), 'What the manifest asks for; null where it says nothing.'),
  })
  .meta({ id: 'ChangedDependency' });

const findingSchema = z
  .object({
    metric: says(metricIdSchema, 'The metric that counts it.'),
    path: z.string(),
    line: z.int().nullable(),
    note: z.string().nullable(),
    gated: says(
      z.boolean(),
      'Whether it is one of security, and counts in full: not in tests, documentation and examples.',
    ),
  })
  .meta({ id: 'ChangeFinding' });
const findingsSchema = listOf(findingSchema, 'ChangeFindings');
export type ChangeFinding = z.infer<typeof findingSchema>;

const gradesSchema = z
  .object({
    id: z.string(),
    before: says(z.string().nullable(), 'The grade at the base.'),
    after: says(z.string().nullable(), 'The grade at the head.'),
    score_before: says(z.number().nullable(), '0 to 100, at the base.'),
    score_after: says(z.number().nullable(), '0 to 100, at the head.'),
  })
  .meta({ id: 'ChangedGrade' });

/** What due diligence says of both commits. Ages are counted to the day of the later one. */
export const changeDiligenceSchema = z
  .object({
    findings: z
      .object({
        new: says(findingsSchema, 'Those that the base has not.'),
        fixed: says(findingsSchema, 'Those that the head has no more.'),
      })
      .meta({ id: 'ComparedFindings' }),
    grades: says(z.array(gradesSchema), 'Overall first, then each dimension.'),
    figures: says(
      z.array(
        z
          .object({
            id: metricIdSchema,
            unit: z.string(),
            direction: metricSchema.shape.direction,
            before: says(z.number().nullable(), 'At the base; null: not measured.'),
            after: says(z.number().nullable(), 'At the head; null: not measured.'),
          })
          .meta({ id: 'ChangedFigure' }),
      ),
      'Those that differ.',
    ),
    hotspots: says(
      listOf(hotspotSchema, 'TouchedHotspots'),
      'Files that changed and are both complex and often changed, the hottest first, tests last.',
    ),
  })
  .meta({ id: 'ChangeDiligence' });
export type ChangeDiligence = z.infer<typeof changeDiligenceSchema>;

const symbolsSchema = listOf(changeSymbolSchema, 'ChangeSymbols');
const symbolsOf = (description: string) => says(symbolsSchema, description);

/** What led from one commit of a repository to another. The same two commits give the same. */
export const changeSchema = z
  .object({
    repository: z.string(),
    base: says(
      z.string(),
      'The commit that is compared with; where base and head parted from each other, if that is another.',
    ),
    head: z.string(),
    notes: says(z.array(z.string()), 'A sentence each: what is compared with what, and what could not be.'),
    only_comments: says(
      z.boolean(),
      'Whether nothing but comments, documentation and white space of source files differs.',
    ),
    files: listOf(
      z
        .object({
          path: z.string(),
          old_path: says(z.string().nullable(), 'What it was called; null where it has its name still, or is new.'),
          status: z.enum(['added', 'removed', 'changed', 'renamed']),
          what: says(
            z.enum(['code', 'comments', 'other']),
            'Code in a language that is read, with another meaning; comments alone; or anything else.',
          ),
        })
        .meta({ id: 'ChangedFile' }),
      'ChangedFiles',
    ),
    symbols: says(
      z
        .object({
          added: symbolsOf('Those that are new.'),
          removed: symbolsOf('Those that are gone.'),
          changed: says(listOf(changedSymbolSchema, 'ChangedSymbols'), 'Those of both commits that differ.'),
        })
        .meta({ id: 'ComparedSymbols' }),
      'Functions and classes.',
    ),
    edges: z
      .object({
        gained: says(edgesSchema, 'Those that are new.'),
        lost: says(edgesSchema, 'Those that are gone.'),
      })
      .meta({ id: 'ComparedEdges' }),
    affected: says(
      listOf(affectedSchema, 'AffectedSymbolList')
        .extend({ by_depth: z.array(z.int()) })
        .meta({ id: 'AffectedSymbols' }),
      'Who calls or inherits what changed, over any number of edges, the nearest first; what changed itself is not among them.',
    ),
    broken: says(
      listOf(brokenSchema, 'BrokenCallers'),
      'Who calls or inherits what is gone and did not change, or passes arguments that no longer fit.',
    ),
    elsewhere: says(
      listOf(elsewhereSchema, 'UsesElsewhere').nullable(),
      'What uses in other repositories what changed; null where no other repository was asked about.',
    ),
    tests: says(
      z
        .object({
          reaching: says(listOf(testedSchema, 'ReachingTests'), 'Tests that reach what was added or changed.'),
          untested: symbolsOf('Functions that were added or changed, and that no test reaches over calls.'),
        })
        .meta({ id: 'ChangeTests' }),
      'What tests what was added or changed, and what nothing tests.',
    ),
    endpoints: comparedSchema,
    models: says(comparedSchema, 'Data models.'),
    dependencies: says(listOf(dependencySchema, 'ChangedDependencies'), 'Packages that manifests ask for otherwise.'),
    license: says(
      z
        .object({
          before: says(z.string().nullable(), 'At the base.'),
          after: says(z.string().nullable(), 'At the head.'),
        })
        .meta({ id: 'ComparedLicense' }),
      'Of the repository, as it says.',
    ),
    people: says(
      listOf(z.object({ name: z.string(), files: z.int() }).meta({ id: 'KnowingPerson' }), 'KnowingPeople'),
      'People who know the files that changed, by how many of them; as of the base.',
    ),
    diligence: says(changeDiligenceSchema.nullable(), 'What due diligence says; null where it was not asked.'),
  })
  .meta({ id: 'Change' });
export type Change = z.infer<typeof changeSchema>;

/** At most so many of each list are told. */
export const maxListed = 1_000;

export const listed = <T>(items: readonly T[]): { total: number; items: T[] } => ({
  total: items.length,
  items: items.slice(0, maxListed),
});
