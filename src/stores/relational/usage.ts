import { sql } from 'kysely';
import type { UsageEvent } from '../../model/account.ts';
import type { Database } from './database.ts';
import type { UsageLedger } from './port.ts';

const batchSize = 1000;

/** The ledger of metered calls over any engine. */
export function usage(database: Database): UsageLedger {
  return {
    async append(events) {
      // In one order everywhere, so that two writers of the same events wait for each other instead of deadlocking.
      const sorted = events.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1));
      for (let start = 0; start < sorted.length; start += batchSize) {
        await appendBatch(database, sorted.slice(start, start + batchSize));
      }
    },

    totals: (organizationId, period) =>
      database
        .selectFrom('usage_rollup')
        .select((select) => [
          'product',
          'class',
          sql<number>`sum(calls)::bigint`.as('calls'),
          sql<number>`sum(${select.ref('credits')})::bigint`.as('credits'),
        ])
        .where('organization_id', '=', organizationId)
        .where('period', '=', `${period}-01`)
        .groupBy(['product', 'class'])
        .orderBy('product')
        .orderBy('class')
        .execute(),
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
      RETURNING period, organization_id, product, operation, class, credits, (occurred_at AT TIME ZONE 'UTC')::date AS day
    )
    INSERT INTO usage_rollup AS rollup (organization_id, period, product, operation, class, day, calls, credits)
    SELECT organization_id, period, product, operation, class, day, count(*), sum(credits)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (organization_id, period, product, operation, class, day)
    DO UPDATE SET calls = rollup.calls + excluded.calls, credits = rollup.credits + excluded.credits
  `.execute(database);
}
