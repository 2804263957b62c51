import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { access, rename, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import {
  livenessSchema,
  metricCatalog,
  metricIdSchema,
  metricReasonSchema,
  metricSchema,
} from '../../model/due-diligence.ts';
import type { Measurements, Metric } from '../../model/due-diligence.ts';
import type { MeasuredRepository } from '../../model/snapshot.ts';
import type { Measured } from '../assess.ts';
import { dayOf } from '../standing.ts';

/** A metric without what is the same of every repository, and without evidence: no source, no path and no person. */
const figureSchema = z.strictObject({
  value: z.number().optional(),
  /** `not_applicable`, or why it could not be measured. */
  status: metricSchema.shape.status.optional(),
  reason: metricReasonSchema.optional(),
  denominator: z.number().optional(),
  quantities: metricSchema.shape.quantities.optional(),
});
type Figure = z.infer<typeof figureSchema>;

const memberSchema = z.strictObject({
  name: z.string(),
  commit: z.string(),
  /** The UTC day to which its ages are counted: when the clone was made. */
  as_of: z.iso.date(),
  liveness: livenessSchema.omit({ notices: true }).extend({ notices: z.int().min(0) }),
  metrics: z.partialRecord(metricIdSchema, figureSchema),
});
/** One repository of a population: figures alone, from which every score can be worked out. */
export type Member = z.infer<typeof memberSchema>;

export const populationFileSchema = z.strictObject({
  format: z.literal('population/1'),
  name: z.string(),
  /** The UTC day on which the last of them was measured. */
  measured_on: z.iso.date(),
  /** Of the repositories, as JSON, SHA-256. */
  digest: z.string(),
  /** `method_version` of each metric: figures of other methods can't be compared with these. */
  methods: z.partialRecord(metricIdSchema, z.string()),
  repositories: z.array(memberSchema),
  left_out: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
});
export type PopulationFile = z.infer<typeof populationFileSchema>;

/** SHA-256 of the repositories as JSON, in their order. */
const sha256Of = (repositories: readonly Member[]): string =>
  createHash('sha256').update(JSON.stringify(repositories)).digest('hex');

/** Throws one sentence for a file that is none. */
export function readPopulationFile(path: string): PopulationFile {
  const text = readFileSync(path, 'utf8');
  let parsed;
  try {
    parsed = populationFileSchema.safeParse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is no population: it is not JSON. Make one: repo-intel population FILE PATH…`);
  }
  if (!parsed.success)
    throw new Error(
      `${path} is no population: ${z.prettifyError(parsed.error)}. Make one: repo-intel population FILE PATH…`,
    );
  const { digest: kept, repositories } = parsed.data;
  if (sha256Of(repositories) !== kept)
    throw new Error(`${path} was changed by hand: its digest is not of its repositories.`);
  return parsed.data;
}

function memberOf(
  { name, commit, as_of }: Pick<Member, 'name' | 'commit' | 'as_of'>,
  { metrics, liveness }: Pick<Measurements, 'metrics' | 'liveness'>,
): Member {
  return {
    name,
    commit,
    as_of,
    liveness: {
      last_human_commit_at: liveness?.last_human_commit_at ?? null,
      last_release_at: liveness?.last_release_at ?? null,
      notices: liveness?.notices.length ?? 0,
    },
    metrics: Object.fromEntries(metrics.map((metric) => [metric.id, figureOf(metric)])),
  };
}

function figureOf({ value, status, reason, denominator, quantities }: Metric): Figure {
  return {
    ...(value === null ? {} : { value }),
    ...(status === 'measured' ? {} : { status }),
    ...(reason === null ? {} : { reason }),
    ...(denominator === null ? {} : { denominator }),
    ...(Object.keys(quantities).length === 0 ? {} : { quantities }),
  };
}

/** What its scores are worked out from: as it was measured, without the evidence. */
export function measuredOf({ metrics, liveness }: Member, methods: PopulationFile['methods']): Measured {
  const notice = { path: null, line: null, commit: null, note: null };
  return {
    liveness: { ...liveness, notices: Array.from({ length: liveness.notices }, () => notice) },
    metrics: metricCatalog.flatMap(({ id, unit, direction }): Metric[] => {
      const figure = metrics[id];
      if (!figure) return [];
      const { value = null, status = 'measured', reason = null, denominator = null, quantities = {} } = figure;
      return [
        {
          id,
          unit,
          direction,
          value,
          status,
          reason,
          numerator: null,
          denominator,
          evidence: [],
          evidence_count: 0,
          quantities,
          method_version: methods[id] ?? '',
        },
      ];
    }),
  };
}

/** With what was measured of a repository on a day in place of what was known of it. */
export function withMember(
  population: PopulationFile,
  name: string,
  { repository, measurements }: MeasuredRepository,
  as_of: string,
): PopulationFile {
  const methods = Object.fromEntries(measurements.metrics.map(({ id, method_version }) => [id, method_version]));
  const other = metricCatalog.find(({ id }) => population.methods[id] !== methods[id]);
  if (population.repositories.length > 0 && other)
    throw new Error(`The population was measured by another version (${other.id}). Begin a new file.`);
  const member = memberOf({ name, commit: repository.commit ?? '', as_of }, measurements);
  const repositories = [...population.repositories.filter((each) => each.name !== name), member].toSorted(byName);
  return {
    ...population,
    measured_on: dayOf(),
    methods,
    digest: sha256Of(repositories),
    repositories,
    left_out: population.left_out.filter((each) => each.name !== name),
  };
}

export function withoutMember(population: PopulationFile, name: string, reason: string): PopulationFile {
  const repositories = population.repositories.filter((each) => each.name !== name);
  return {
    ...population,
    digest: sha256Of(repositories),
    repositories,
    left_out: [...population.left_out.filter((each) => each.name !== name), { name, reason }].toSorted(byName),
  };
}

/** What the file has; an empty one where there is none. */
export async function openPopulationFile(file: string): Promise<PopulationFile> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) return readPopulationFile(file);
  const name = basename(file).replace(/\.json$/, '');
  return {
    format: 'population/1',
    name,
    measured_on: dayOf(),
    digest: sha256Of([]),
    methods: {},
    repositories: [],
    left_out: [],
  };
}

/** A line a repository, so that a difference can be read; whole or not at all. */
export async function writePopulation(file: string, { repositories, ...rest }: PopulationFile): Promise<void> {
  const head = JSON.stringify({ ...rest, repositories: [] }, null, 2);
  const lines = repositories.map((each) => `\n    ${JSON.stringify(each)}`).join(',');
  await writeFile(`${file}.new`, `${head.replace('"repositories": []', () => `"repositories": [${lines}\n  ]`)}\n`);
  await rename(`${file}.new`, file);
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
