import { sql } from 'kysely';
import type { UsageEvent } from '../../../model/account.ts';
import type { Days, UsageColumn, UsageSum } from '../../../model/usage.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';
import { tellQuotas } from './plans.ts';

/** The ledger of metered calls: each event counts once. */
export interface UsageLedger {
  /** Writes a batch; events already known change nothing. */
  append(events: readonly UsageEvent[]): Promise<void>;
  /** When the last call was; of those that were not after `before`, where it is given. Null when there is none. */
  latest(before?: Date): Promise<Date | null>;
  /** Reads all of it, and compares it with the sums. */
  check(): Promise<UsageCheck>;
}

export interface UsageCheck {
  /** In the ledger. */
  calls: number;
  /** Among them those that are there a second time. */
  twice: number;
  /** At most 100 sums that are not those of the ledger, by day. */
  differing: {
    organization_id: string;
    /** YYYY-MM-DD */
    day: string;
    operation: string;
    calls_in_ledger: number;
    calls_in_sums: number;
    credits_in_ledger: number;
    credits_in_sums: number;
  }[];
}

/** What one organization has used, summed by these columns and in their order; what is not there has no sum. */
export interface TenantUsage {
  /** Metered calls by class, too; of one product only where told. */
  calls<Column extends UsageColumn>(days: Days, by: readonly Column[], product?: string): Promise<UsageSum<Column>[]>;
  /** Events of its own, by the day they were received. */
  events<Column extends 'member_id' | 'day'>(
    days: Days,
    by: readonly Column[],
  ): Promise<(Record<Column, string> & { events: number })[]>;
}

const batchSize = 1000;
const maxDiffering = 100;

/** The ledger of metered calls over any engine. */
export const usage: Aggregate<UsageLedger> = {
  calls: { append: 'write', latest: 'read', check: 'unguarded' },
  open: openUsageLedger,
};

function openUsageLedger(database: Database): UsageLedger {
  return {
    async append(events) {
      // In one order everywhere, so that two writers of the same events wait for each other instead of deadlocking.
      const sorted = events.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1));
      for (let start = 0; start < sorted.length; start += batchSize) {
        const batch = sorted.slice(start, start + batchSize);
        // What is told of it is there with it, and once.
        await database.transaction().execute((transaction) => appendBatch(transaction, batch));
      }
    },

    async latest(before) {
      // By the primary key: an event's id begins with its time.
      let query = database.selectFrom('usage_ledger').select('occurred_at');
      if (before) query = query.where('occurred_at', '<=', before.toISOString());
      const row = await query.orderBy('period', 'desc').orderBy('event_id', 'desc').limit(1).executeTakeFirst();
      return row ? new Date(row.occurred_at) : null;
    },

    async check() {
      // One statement, so that a batch written meanwhile is in both or in neither.
      const { rows: differing } = await sql<UsageCheck['differing'][number]>`
        SELECT organization_id, day::text, operation, sum(in_ledger)::bigint AS calls_in_ledger, sum(in_sums)::bigint AS calls_in_sums,
          sum(ledger_credits)::bigint AS credits_in_ledger, sum(sums_credits)::bigint AS credits_in_sums
        FROM (
          SELECT organization_id COLLATE "C" AS organization_id, (occurred_at AT TIME ZONE 'UTC')::date AS day,
            member_id COLLATE "C" AS member_id, product COLLATE "C" AS product, operation COLLATE "C" AS operation,
            class COLLATE "C" AS class, environment COLLATE "C" AS environment, 1 AS in_ledger, 0 AS in_sums, credits AS ledger_credits, 0 AS sums_credits
          FROM usage_ledger
          UNION ALL
          SELECT organization_id COLLATE "C", day, member_id COLLATE "C", product COLLATE "C", operation COLLATE "C", class COLLATE "C",
            environment COLLATE "C", 0, calls, 0, credits
          FROM usage_rollup
        ) both_of_them
        GROUP BY organization_id, day, member_id, product, operation, class, environment
        HAVING sum(in_ledger) <> sum(in_sums) OR sum(ledger_credits) <> sum(sums_credits)
        ORDER BY 2, 1, 3 LIMIT ${maxDiffering}
      `.execute(database);
      const { rows } = await sql<Pick<UsageCheck, 'calls' | 'twice'>>`
        SELECT count(*)::bigint AS calls, (count(*) - count(DISTINCT event_id))::bigint AS twice FROM usage_ledger
      `.execute(database);
      return { calls: 0, twice: 0, ...rows[0], differing };
    },
  };
}

/** Ledger and sums in one statement: the sums grow by the rows that the primary key let in, so an event counts once. */
async function appendBatch(database: Database, events: readonly UsageEvent[]): Promise<void> {
  const column = <Key extends keyof UsageEvent>(key: Key) => events.map((event) => event[key]);
  const periods = events.map((event) => `${new Date(event.occurred_at).toISOString().slice(0, 7)}-01`);
  await sql`
    WITH added AS (
      INSERT INTO usage_ledger (period, event_id, organization_id, member_id, key_id, product, operation, status, class, credits, occurred_at, environment)
      SELECT * FROM unnest(
        ${periods}::date[], ${column('event_id')}::uuid[], ${column('organization_id')}::text[], ${column('member_id')}::text[],
        ${column('key_id')}::text[], ${column('product')}::text[], ${column('operation')}::text[], ${column('status')}::smallint[],
        ${column('class')}::text[], ${column('credits')}::integer[], ${column('occurred_at')}::timestamptz[],
        ${events.map(({ environment = 'live' }) => environment)}::text[])
      ON CONFLICT (period, event_id) DO NOTHING
      RETURNING organization_id, period, (occurred_at AT TIME ZONE 'UTC')::date AS day, member_id, product, operation, class, environment, credits
    )
    INSERT INTO usage_rollup AS rollup (organization_id, period, day, member_id, product, operation, class, environment, calls, credits)
    SELECT organization_id, period, day, member_id, product, operation, class, environment, count(*), sum(credits)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
    ON CONFLICT (organization_id, day, member_id, product, operation, class, environment)
    DO UPDATE SET calls = rollup.calls + excluded.calls, credits = rollup.credits + excluded.credits
  `.execute(database);
  await tellQuotas(database, [...new Set(column('organization_id'))].sort(), [...new Set(periods)]);
}

/** The sums of one organization over any engine. */
export function tenantUsage(database: Database, organizationId: string): TenantUsage {
  return {
    async calls<Column extends UsageColumn>({ from, to }: Days, columns: readonly Column[], product?: string) {
      let query = database
        .selectFrom('usage_rollup')
        .select((select) => [
          sql<number>`sum(${select.ref('calls')})::bigint`.as('calls'),
          sql<number>`sum(${select.ref('credits')})::bigint`.as('credits'),
        ])
        .select([...columns, 'class'])
        .where('organization_id', '=', organizationId)
        .where('day', '>=', from)
        .where('day', '<=', to);
      for (const column of [...columns, 'class'] as const) query = query.groupBy(column).orderBy(column);
      if (product !== undefined) query = query.where('product', '=', product);
      return (await query.execute()) as UsageSum<Column>[];
    },

    async events<Column extends 'member_id' | 'day'>({ from, to }: Days, columns: readonly Column[]) {
      let query = database
        .selectFrom('usage_event_rollup')
        .select((select) => sql<number>`sum(${select.ref('events')})::bigint`.as('events'))
        .select([...columns])
        .where('organization_id', '=', organizationId)
        .where('day', '>=', from)
        .where('day', '<=', to)
        // Else nothing would have a sum, too.
        .having((having) => having.fn.countAll(), '>', 0);
      for (const column of columns) query = query.groupBy(column).orderBy(column);
      return (await query.execute()) as (Record<Column, string> & { events: number })[];
    },
  };
}
