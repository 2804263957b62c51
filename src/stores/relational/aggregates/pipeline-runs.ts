import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { ulid } from 'ulid';
import type { Liveness, Measurements, Metric } from '../../../model/due-diligence.ts';
import type { RepositoryInfo } from '../../../model/snapshot.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';
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
  return {
    ...readPipelineRuns(database, database.selectFrom('pipeline_run'), database.selectFrom('repository').select('key')),

    async begin({ name, commit, committed_at: committedAt, analyzer_version: analyzerVersion }) {
      // Whoever begins has the repository to himself: what still runs there has died.
      await database
        .updateTable('pipeline_run')
        .set({ status: 'failed', error: 'The process that ran it was stopped.', completed_at: now })
        .where('repository', '=', name)
        .where('status', '=', 'running')
        .execute();
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

    async fail(id, error) {
      await database
        .updateTable('pipeline_run')
        .set({ status: 'failed', error, completed_at: now })
        .where('id', '=', id)
        .where('status', '=', 'running')
        .execute();
    },
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

/** Ends a run well, in the transaction that puts its snapshot in place. */
export async function succeed(transaction: Database, id: string, measurements: Measurements): Promise<void> {
  await transaction
    .updateTable('pipeline_run')
    .set({ status: 'succeeded', measurements: JSON.stringify(measurements), completed_at: now })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute();
}

const now = sql<string>`clock_timestamp()`;
