import { sql } from 'kysely';
import type { Change } from '../../../model/change.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';

/** Which change is meant. */
export interface AskedChange {
  /** What its organization calls it. */
  repository: string;
  /** Branches, tags or commits. */
  base: string;
  head: string;
  /** By which it is measured. */
  analyzer: string;
}

/** A change that was asked for, and what was measured of it, if it was. */
export interface MeasuredChange {
  /** When it was asked for last. */
  asked_at: string;
  /** When the last measurement ended; null before. */
  ended_at: string | null;
  /** How long ago, in milliseconds by the clock of the database. */
  age_ms: number;
  /** Null before, and where it can't be measured. */
  change: Change | null;
  /** Why not, one sentence. */
  error: string | null;
}

/** One organization's changes. */
export interface MeasuredChanges {
  get(asked: AskedChange): Promise<MeasuredChange | null>;
  /** Has it be measured, or measured again; false, and nothing is done, where so many others wait already. */
  ask(asked: AskedChange, maxWaiting: number): Promise<boolean>;
}

/** The changes of all organizations, for whoever measures them. */
export interface ChangeResults {
  /** Keeps what became of one that was asked for; of an organization's changes only the latest are kept. */
  save(of: AskedChange & { organizationId: string }, outcome: { change: Change } | { error: string }): Promise<void>;
  /** Forgets those of a repository. */
  forget(organizationId: string, repository: string): Promise<void>;
}

/** Of one organization; each has some megabytes at most. */
const maxKept = 500;
/** One that waits for longer is waited for by nobody. */
const waiting = sql<boolean>`ended_at IS NULL AND asked_at > now() - interval '1 hour'`;
const now = sql<string>`now()`;

/** One organization's changes over any engine. */
export function measuredChanges(database: Database, organizationId: string): MeasuredChanges {
  return {
    async get(asked) {
      const row = await database
        .selectFrom('measured_change')
        .select(['asked_at', 'ended_at', 'change', 'error'])
        .select(sql<number>`(extract(epoch FROM now() - coalesce(ended_at, asked_at)) * 1000)::float8`.as('age_ms'))
        .where((where) => where.and(keyOf(organizationId, asked)))
        .executeTakeFirst();
      return row ?? null;
    },

    async ask(asked, maxWaiting) {
      const key = keyOf(organizationId, asked);
      const { others } = await database
        .selectFrom('measured_change')
        .select((select) => select.fn.countAll<number>().as('others'))
        .where('organization_id', '=', organizationId)
        .where(waiting)
        .where((where) => where.not(where.and(key)))
        .executeTakeFirstOrThrow();
      if (others >= maxWaiting) return false;
      await database
        .insertInto('measured_change')
        .values(key)
        .onConflict((conflict) =>
          conflict
            .columns(['organization_id', 'repository_name', 'base', 'head', 'analyzer'])
            .doUpdateSet({ asked_at: now, ended_at: null, change: null, error: null }),
        )
        .execute();
      return true;
    },
  };
}

/** The changes of all organizations over any engine. */
export const changeResults: Aggregate<ChangeResults> = {
  calls: { save: 'write', forget: 'write' },
  open: (database) => ({
    async save({ organizationId, ...asked }, outcome) {
      await database
        .updateTable('measured_change')
        .set({
          ended_at: now,
          change: 'change' in outcome ? JSON.stringify(outcome.change) : null,
          error: 'error' in outcome ? outcome.error : null,
        })
        .where((where) => where.and(keyOf(organizationId, asked)))
        .execute();
      await sql`
        DELETE FROM measured_change WHERE organization_id = ${organizationId} AND ended_at < (
          SELECT ended_at FROM measured_change WHERE organization_id = ${organizationId} AND ended_at IS NOT NULL
          ORDER BY ended_at DESC OFFSET ${maxKept - 1} LIMIT 1)
      `.execute(database);
    },

    async forget(organizationId, repository) {
      await database
        .deleteFrom('measured_change')
        .where('organization_id', '=', organizationId)
        .where('repository_name', '=', repository)
        .execute();
    },
  }),
};

const keyOf = (organizationId: string, { repository, base, head, analyzer }: AskedChange) => ({
  organization_id: organizationId,
  repository_name: repository,
  base,
  head,
  analyzer,
});
