import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** What is kept for a time: the table, and when a row has had its time, which an index must be able to tell. */
const expiring: readonly { table: keyof Schema; ended: ReturnType<typeof sql> }[] = [
  { table: 'idempotency_key', ended: sql`expires_at <= now()` },
  { table: 'used_owner_jwt', ended: sql`expires_at <= now()` },
  // For as long no event counts twice.
  { table: 'webhook_inbox', ended: sql`processed_at IS NOT NULL AND received_at <= now() - interval '90 days'` },
  { table: 'event', ended: sql`occurred_at <= now() - interval '90 days'` },
  { table: 'quota_notice', ended: sql`period <= current_date - 90` },
  // The place of a holiday, a machine that is no more.
  { table: 'api_key_place', ended: sql`last_seen_on <= current_date - 90` },
  // Nobody has shown that the address is theirs.
  { table: 'waitlist_entry', ended: sql`confirmed_at IS NULL AND created_at <= now() - interval '7 days'` },
  // Forges send again for some days at most.
  { table: 'source_delivery', ended: sql`received_at <= now() - interval '30 days'` },
  // Measured again where somebody asks for it again.
  { table: 'measured_change', ended: sql`asked_at <= now() - interval '30 days'` },
  // For a month somebody may ask what became of it; one that let a command line in is kept with its session.
  {
    table: 'cli_pairing',
    ended: sql`status IN ('pending', 'expired', 'revoked') AND expires_at <= now() - interval '30 days'`,
  },
];

const batchSize = 1_000;

/** Removes what has had its time, a batch at a time, so that nobody waits for it, and beside others who do the same. */
export async function purge(database: Database): Promise<number> {
  let purged = 0;
  for (const { table, ended } of expiring) {
    for (let removed = batchSize; removed === batchSize; purged += removed) {
      const rows = sql`SELECT ctid FROM ${sql.table(table)} WHERE ${ended} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`;
      const { numAffectedRows } = await sql`
        DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(${rows}))
      `.execute(database);
      removed = Number(numAffectedRows);
    }
  }
  return purged;
}
