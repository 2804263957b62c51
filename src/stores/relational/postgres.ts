import { sql } from 'kysely';
import { Pool } from 'pg';
import { accounts } from './accounts.ts';
import { columnTypes, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import type { RelationalStore } from './port.ts';
import { snapshots } from './snapshots.ts';
import { usage } from './usage.ts';

/** PostgreSQL 15 or newer on a server. */
export async function openPostgres({
  url,
  poolSize = 10,
}: {
  url: string;
  poolSize?: number;
}): Promise<RelationalStore> {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 1_000,
    statement_timeout: 3_000,
    // Longer than the server's own limit: for a server that does not answer at all.
    query_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'repo-intel',
    types: columnTypes,
  });
  const database = openDatabase(pool);
  try {
    await migrate(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return {
    engine: 'postgres',
    accounts: accounts(database),
    snapshots: snapshots(database),
    usage: usage(database),
    ping: async () => void (await sql`SELECT 1`.execute(database)),
    close: () => database.destroy(),
  };
}
