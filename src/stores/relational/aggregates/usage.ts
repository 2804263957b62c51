import { sql } from 'kysely';
import type { UsageEvent } from '../../../model/account.ts';
import type { Days, UsageColumn, UsageSum } from '../../../model/usage.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';

/** The ledger of metered calls: each event counts once. */
export interface UsageLedger {
  /** Writes a batch; events already known change nothing. */
  append(events: readonly UsageEvent[]): Promise<void>;
  /** When the last call was; of those that were not after `before`, where it is given. Null when there is none. */
  latest(before?: Date): Promise<Date | null>;
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

/** The ledger of metered calls over any engine. */
export const usage: Aggregate<UsageLedger> = {
  calls: { append: 'write', latest: 'read' },
  open: openUsageLedger,
};

function openUsageLedger(database: Database): UsageLedger {
  return {
    async append(events) {
      // In one order everywhere, so that two writers of the same events wait for each other instead of deadlocking.
      const sorted = events.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1));
      for (let start = 0; start < sorted.length; start += batchSize) {
        await appendBatch(database, sorted.slice(start, start + batchSize));
      }
    },

    async latest(before) {
      // By the primary key: an event's id begins with its time.
      let query = database.selectFrom('usage_ledger').select('occurred_at');
      if (before) query = query.where('occurred_at', '<=', before.toISOString());
      const row = await query.orderBy('period', 'desc').orderBy('event_id', 'desc').limit(1).executeTakeFirst();
      return row ? new Date(row.occurred_at) : null;
    },
  };
}

/** Ledger and sums in one statement: the sums grow by the rows that the primary key let in, so an event counts once. */
async function appendBatch(database: Database, events: readonly UsageEvent[]): Promise<void> {
  const column = <Key extends keyof UsageEvent>(key: Key) => events.map((event) => event[key]);
  const periods = events.map((event) => `${new Date(event.occurred_at).toISOString().slice(0, 7)}-01`);
  await sql`
    WITH added AS (
      INSERT INTO usage_ledger (period, event_id, organization_id, member_id, key_id, product, operation, status, class, credits, occurred_at)
      SELECT * FROM unnest(
        ${periods}::date[], ${column('event_id')}::uuid[], ${column('organization_id')}::text[], ${column('member_id')}::text[],
        ${column('key_id')}::text[], ${column('product')}::text[], ${column('operation')}::text[], ${column('status')}::smallint[],
        ${column('class')}::text[], ${column('credits')}::integer[], ${column('occurred_at')}::timestamptz[])
      ON CONFLICT (period, event_id) DO NOTHING
      RETURNING organization_id, period, (occurred_at AT TIME ZONE 'UTC')::date AS day, member_id, product, operation, class, credits
    )
    INSERT INTO usage_rollup AS rollup (organization_id, period, day, member_id, product, operation, class, calls, credits)
    SELECT organization_id, period, day, member_id, product, operation, class, count(*), sum(credits)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (organization_id, day, member_id, product, operation, class)
    DO UPDATE SET calls = rollup.calls + excluded.calls, credits = rollup.credits + excluded.credits
  `.execute(database);
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
