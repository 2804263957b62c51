import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { ulid } from 'ulid';
import type { Liveness, Measurements, Metric } from '../../../model/due-diligence.ts';
import type { EdgeChanges, EdgeList } from '../../../model/event.ts';
import { isTold, moreFindings } from '../../../model/findings.ts';
import type { RepositoryInfo } from '../../../model/snapshot.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';
import { tellOwner } from './events.ts';
import { visibleKeys } from './repositories.ts';

/** One time that a repository was measured. */
export interface PipelineRun {
  id: string;
  repository: string;
  commit: string | null;
  committed_at: string | null;
  status: 'running' | 'succeeded' | 'failed';
  error: string | null;
  started_at: string;
  completed_at: string | null;
}

/** What the runs of the due-diligence pipeline came to. */
export interface ReadPipelineRuns {
  /** The last that succeeded, of each repository or of one, until that time; by repository. */
  latest(options?: { repository?: string; asOf?: string }): Promise<PipelineRun[]>;
  /** The last so many that succeeded, of each repository or of one, until that time; by repository, the newest first. */
  succeeded(options: { last: number; repository?: string; asOf?: string }): Promise<PipelineRun[]>;
  /** The last of each repository, whatever became of it; by repository. */
  last(): Promise<PipelineRun[]>;
  /** All of a repository, the newest first. */
  list(repository: string): Promise<PipelineRun[]>;
  /** What scores are made of: what these runs measured, without the metrics' evidence; a run that is unknown or did not succeed is not there. */
  metrics(ids: readonly string[]): Promise<ReadonlyMap<string, Pick<Measurements, 'metrics' | 'liveness'>>>;
  /** Null where the run is unknown or did not succeed. */
  measurements(id: string): Promise<Measurements | null>;
}

/** The runs of the due-diligence pipeline. A run succeeds with `Snapshots.save`; only one that did is ever the latest. */
export interface PipelineRuns extends ReadPipelineRuns {
  /** The caller has the repository to himself; what still ran there counts as failed. */
  begin(repository: Pick<RepositoryInfo, 'name' | 'commit' | 'committed_at' | 'analyzer_version'>): Promise<string>;
  fail(id: string, error: string): Promise<void>;
}

const columns = [
  'id',
  'repository',
  'commit',
  'committed_at',
  'status',
  'error',
  'started_at',
  'completed_at',
] as const;

/** The runs that measured repositories, over any engine. */
export const pipelineRuns: Aggregate<PipelineRuns> = {
  calls: {
    begin: 'write',
    fail: 'write',
    latest: 'read',
    last: 'read',
    succeeded: 'read',
    list: 'read',
    metrics: 'read',
    measurements: 'read',
  },
  open: openPipelineRuns,
};

/** Those that one organization may read, over any engine. */
export const tenantPipelineRuns = (database: Database, organizationId: string): ReadPipelineRuns =>
  readPipelineRuns(
    database,
    database.selectFrom('pipeline_run').where('repository', 'in', visibleKeys(database, organizationId)),
    visibleKeys(database, organizationId),
  );

function openPipelineRuns(database: Database): PipelineRuns {
  /** Of these, those that still run; their owners are told. */
  const fail = (error: string, of: (runs: Running) => Running) =>
    database.transaction().execute(async (transaction) => {
      const running = transaction.selectFrom('pipeline_run').select('id').where('status', '=', 'running');
      const failed = await transaction
        .updateTable('pipeline_run')
        .set({ status: 'failed', error, completed_at: now })
        .where('id', 'in', of(running))
        .where('status', '=', 'running')
        .returning(['id', 'repository', 'commit'])
        .execute();
      for (const { id, repository, commit } of failed)
        await tellOwner(transaction, repository, { type: 'repository.failed', data: { commit, run_id: id, error } });
    });

  return {
    ...readPipelineRuns(database, database.selectFrom('pipeline_run'), database.selectFrom('repository').select('key')),

    async begin({ name, commit, committed_at: committedAt, analyzer_version: analyzerVersion }) {
      // Whoever begins has the repository to himself: what still runs there has died.
      await fail('The process that ran it was stopped.', (runs) => runs.where('repository', '=', name));
      const id = `run_${ulid()}`;
      await database
        .insertInto('pipeline_run')
        .values({
          id,
          repository: name,
          commit,
          committed_at: committedAt,
          analyzer_version: analyzerVersion,
          status: 'running',
        })
        .execute();
      return id;
    },

    fail: (id, error) => fail(error, (runs) => runs.where('id', '=', id)),
  };
}

function readPipelineRuns(
  database: Database,
  from: SelectQueryBuilder<Schema, 'pipeline_run', object>,
  keys: SelectQueryBuilder<Schema, 'repository', { key: string }>,
): ReadPipelineRuns {
  const runs = from.select(columns);

  return {
    latest: ({ repository, asOf } = {}) =>
      runs
        .distinctOn('repository')
        .where('status', '=', 'succeeded')
        .$if(repository !== undefined, (query) => query.where('repository', '=', repository ?? ''))
        .$if(asOf !== undefined, (query) => query.where('completed_at', '<=', asOf ?? ''))
        .orderBy('repository')
        .orderBy('completed_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    succeeded: ({ last, repository, asOf }) =>
      database
        .with('ranked', () =>
          runs
            .select((select) =>
              select.fn
                .agg<number>('row_number')
                .over((over) => over.partitionBy('repository').orderBy('completed_at', 'desc').orderBy('id', 'desc'))
                .as('nth'),
            )
            .where('status', '=', 'succeeded')
            .$if(repository !== undefined, (query) => query.where('repository', '=', repository ?? ''))
            .$if(asOf !== undefined, (query) => query.where('completed_at', '<=', asOf ?? '')),
        )
        .selectFrom('ranked')
        .select(columns)
        .where('nth', '<=', last)
        .orderBy('repository')
        .orderBy('nth')
        .execute(),

    last: () =>
      database
        .selectFrom(keys.as('seen'))
        .innerJoinLateral(
          (inner) =>
            inner
              .selectFrom('pipeline_run')
              .select(columns)
              .whereRef('repository', '=', 'seen.key')
              .orderBy('started_at', 'desc')
              .orderBy('id', 'desc')
              .limit(1)
              .as('last'),
          (join) => join.onTrue(),
        )
        .selectAll('last')
        .orderBy('last.repository')
        .execute(),

    list: (repository) =>
      runs.where('repository', '=', repository).orderBy('started_at', 'desc').orderBy('id', 'desc').execute(),

    async metrics(ids) {
      const rows = await from
        .select('id')
        .select(
          sql<Omit<Metric, 'evidence'>[]>`(
            SELECT jsonb_agg(metric - 'evidence' ORDER BY nth)
            FROM jsonb_array_elements(measurements -> 'metrics') WITH ORDINALITY AS each (metric, nth)
          )`.as('metrics'),
        )
        .select(sql<Liveness | null>`measurements -> 'liveness'`.as('liveness'))
        .where(sql<boolean>`id = ANY(${ids})`)
        .where('status', '=', 'succeeded')
        .execute();
      // Of no metric at all the sum is null.
      return new Map(
        rows.map(({ id, metrics, liveness }) => [
          id,
          {
            metrics: (metrics ?? []).map((metric): Metric => ({ ...metric, evidence: [] })),
            ...(liveness && { liveness }),
          },
        ]),
      );
    },

    async measurements(id) {
      const row = await from.select('measurements').where('id', '=', id).executeTakeFirst();
      return row?.measurements ?? null;
    },
  };
}

/** A run that ends well. */
export interface Measured {
  run: string;
  measurements: Measurements;
  /** What due diligence made of it; null where it can't say. */
  grade?: string | null;
  /** What it changed of the edges since the load before, which was of the commit `from`; null where that is not known. */
  edges?: (EdgeChanges & { from: string | null }) | null;
}

/** Ends a run well, in the transaction that puts its snapshot in place; its owner is told of another grade, other findings and other edges. */
export async function succeed(
  transaction: Database,
  { run: id, measurements, grade = null, edges = null }: Measured,
): Promise<void> {
  const ended = await transaction
    .updateTable('pipeline_run')
    .set({ status: 'succeeded', measurements: JSON.stringify(measurements), grade, completed_at: now })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returning(['repository', 'commit'])
    .executeTakeFirst();
  if (!ended) return;
  await tellGrade(transaction, { id, repository: ended.repository, grade });
  await tellFindings(transaction, { id, repository: ended.repository, metrics: measurements.metrics });
  if (edges === null || edges.appeared.total + edges.gone.total === 0) return;
  const { repository, commit } = ended;
  const { from, appeared, gone } = edges;
  await tellOwner(transaction, repository, {
    type: 'edges.changed',
    data: (name) => ({
      run_id: id,
      from,
      to: commit,
      appeared: renamed(appeared, repository, name),
      gone: renamed(gone, repository, name),
    }),
  });
}

/** The same edges with the ids that the owner of the repository sees. */
function renamed({ edges, ...list }: EdgeList, key: string, name: string): EdgeList {
  const shown = (id: string) => (id === key || id.startsWith(`${key}/`) ? name + id.slice(key.length) : id);
  return { ...list, edges: edges.map(({ type, from, to }) => ({ type, from: shown(from), to: shown(to) })) };
}

async function tellGrade(
  transaction: Database,
  { id, repository, grade }: { id: string; repository: string; grade: string | null },
): Promise<void> {
  if (grade === null) return;
  const before = await transaction
    .selectFrom('pipeline_run')
    .select('grade')
    .where('repository', '=', repository)
    .where('status', '=', 'succeeded')
    .where('id', '!=', id)
    .orderBy('completed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  // What was not known has not changed.
  if (!before?.grade || before.grade === grade) return;
  const data = { run_id: id, from: before.grade, to: grade };
  await tellOwner(transaction, repository, { type: 'grade.changed', data });
}

/** So many of the findings that are told are named. */
const maxNamed = 20;
/** How far back a metric is looked for that the last runs could not measure. */
const maxRunsBack = 10;

/**
 * Tells what this run found and the last one that measured the same in the same way had not, and the other way round. A run in
 * which a metric could not be measured is passed over, so that nothing is hidden behind it.
 */
async function tellFindings(
  transaction: Database,
  { id, repository, metrics }: { id: string; repository: string; metrics: readonly Metric[] },
): Promise<void> {
  const open = new Map(
    metrics.filter((metric) => isTold(metric.id) && metric.status === 'measured').map((metric) => [metric.id, metric]),
  );
  for (let back = 0; open.size > 0 && back < maxRunsBack; back += 1) {
    const before = await transaction
      .selectFrom('pipeline_run')
      .select(
        sql<Metric[] | null>`(
          SELECT jsonb_agg(metric) FROM jsonb_array_elements(measurements -> 'metrics') AS metric
          WHERE metric ->> 'id' = ANY(${[...open.keys()]}::text[])
        )`.as('metrics'),
      )
      .where('repository', '=', repository)
      .where('status', '=', 'succeeded')
      .where('id', '!=', id)
      .orderBy('completed_at', 'desc')
      .orderBy('id', 'desc')
      .offset(back)
      .limit(1)
      .executeTakeFirst();
    if (!before) return;
    for (const old of before.metrics ?? []) {
      const now = open.get(old.id);
      if (!now || old.status !== 'measured') continue;
      open.delete(old.id);
      const differences = [
        { type: 'findings.appeared', more: moreFindings(now, old) },
        { type: 'findings.gone', more: moreFindings(old, now) },
      ] as const;
      for (const { type, more } of differences) {
        if (!more) continue;
        const findings = more.findings.slice(0, maxNamed).map(({ path, line, note }) => ({ path, line, note }));
        const data = { run_id: id, metric: old.id, total: more.total, complete: more.complete, findings };
        await tellOwner(transaction, repository, { type, data });
      }
    }
  }
}

type Running = SelectQueryBuilder<Schema, 'pipeline_run', { id: string }>;

const now = sql<string>`clock_timestamp()`;
