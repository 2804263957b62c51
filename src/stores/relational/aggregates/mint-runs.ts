import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { MintRun } from '../../../model/mint-run.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';
import { visibleKeys } from './repositories.ts';

/** The searches for task instances. */
export interface ReadMintRuns {
  /** The last one of a repository. */
  latest(repo: string): Promise<MintRun | null>;
  /** The last one of each repository, or of each of these, by repository. */
  list(page: {
    offset: number;
    limit: number;
    repos?: readonly string[];
  }): Promise<{ items: MintRun[]; total: number }>;
}

export interface MintRuns extends ReadMintRuns {
  /** In place of one of the same id. */
  save(run: MintRun): Promise<void>;
}

/** The searches for task instances, over any engine. */
export const mintRuns: Aggregate<MintRuns> = {
  calls: { save: 'unguarded', latest: 'unguarded', list: 'read' },
  open: openMintRuns,
};

/** Those that one organization may read, over any engine. */
export const tenantMintRuns = (database: Database, organizationId: string): ReadMintRuns =>
  readMintRuns(database.selectFrom('mint_run').where('repo', 'in', visibleKeys(database, organizationId)));

function openMintRuns(database: Database): MintRuns {
  return {
    ...readMintRuns(database.selectFrom('mint_run')),
    async save(run) {
      const row = { repo: run.repo, completed_at: run.completed_at, body: JSON.stringify(run) };
      await database
        .insertInto('mint_run')
        .values({ run_id: run.run_id, ...row })
        .onConflict((conflict) => conflict.column('run_id').doUpdateSet(row))
        .execute();
    },
  };
}

function readMintRuns(from: SelectQueryBuilder<Schema, 'mint_run', object>): ReadMintRuns {
  return {
    async latest(repo) {
      const row = await from
        .select('body')
        .where('repo', '=', repo)
        .orderBy('completed_at', 'desc')
        .orderBy('run_id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.body ?? null;
    },

    async list({ offset, limit, repos }) {
      const matching = repos === undefined ? from : from.where(sql<boolean>`repo = ANY(${repos}::text[])`);
      const rows = await matching
        .distinctOn('repo')
        .select('body')
        .orderBy('repo')
        .orderBy('completed_at', 'desc')
        .orderBy('run_id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute();
      const { total } = await matching
        .select((select) => select.fn.count<number>('repo').distinct().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(({ body }) => body), total };
    },
  };
}
