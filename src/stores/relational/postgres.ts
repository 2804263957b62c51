import { Pool } from 'pg';
import { StoreUnavailable } from '../errors.ts';
import { columnTypes, openDatabase } from './database.ts';
import { exclusively } from './exclusively.ts';
import { migrate } from './migrate.ts';
import type { RelationalStore } from './port.ts';
import { createRelationalStore } from './store.ts';

/**
 * PostgreSQL 15 or newer on a server. It opens without the server as well: then the tables are brought up to date by the first
 * question that reaches it.
 */
export async function openPostgres({
  url,
  poolSize = 10,
  timeoutMs = 3_000,
}: {
  url: string;
  poolSize?: number;
  /** Of one statement; a connection may take a third of it. */
  timeoutMs?: number | undefined;
}): Promise<RelationalStore> {
  const server = {
    connectionString: url,
    connectionTimeoutMillis: timeoutMs / 3,
    application_name: 'repo-intel',
    types: columnTypes,
  };
  // A migration may take its time, a request may not.
  const migrated = untilDone(async () => {
    const migrating = openDatabase(new Pool({ ...server, max: 1 }));
    try {
      await migrate(migrating);
    } finally {
      await migrating.destroy();
    }
  });
  await migrated().catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
  });
  const database = openDatabase(
    new Pool({
      ...server,
      max: poolSize,
      statement_timeout: timeoutMs,
      // For a server that does not answer at all.
      query_timeout: timeoutMs + 1_000,
      idle_in_transaction_session_timeout: 10_000,
    }),
    migrated,
  );
  return createRelationalStore(database, {
    engine: 'postgres',
    exclusively: (name, work) => exclusively(server, name, work),
    openJobs: async () => (await import('../jobs/pg-boss.ts')).openPgBoss({ url }),
    close: () => database.destroy(),
  });
}

/** Does the work once, for all who wait for it; after a failure, for whoever comes next. */
function untilDone(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}
