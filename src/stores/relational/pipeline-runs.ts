import { sql } from 'kysely';
import { ulid } from 'ulid';
import type { Measurements, Metric } from '../../model/due-diligence.ts';
import type { Database } from './database.ts';
import type { PipelineRuns } from './port.ts';

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
export function pipelineRuns(database: Database): PipelineRuns {
  const runs = database.selectFrom('pipeline_run').select(columns);

  return {
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

    list: (repository) =>
      runs.where('repository', '=', repository).orderBy('started_at', 'desc').orderBy('id', 'desc').execute(),

    async metrics(ids) {
      const rows = await database
        .selectFrom('pipeline_run')
        .select('id')
        .select(
          sql<Omit<Metric, 'evidence'>[]>`(
            SELECT jsonb_agg(metric - 'evidence' ORDER BY nth)
            FROM jsonb_array_elements(measurements -> 'metrics') WITH ORDINALITY AS each (metric, nth)
          )`.as('metrics'),
        )
        .where(sql<boolean>`id = ANY(${ids})`)
        .where('status', '=', 'succeeded')
        .execute();
      // Of no metric at all the sum is null.
      return new Map(
        rows.map(({ id, metrics }) => [id, (metrics ?? []).map((metric): Metric => ({ ...metric, evidence: [] }))]),
      );
    },

    async measurements(id) {
      const row = await database
        .selectFrom('pipeline_run')
        .select('measurements')
        .where('id', '=', id)
        .executeTakeFirst();
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
