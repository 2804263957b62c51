import { sql } from 'kysely';
import { Pool } from 'pg';
import { oneAtATimeByName } from '../batches.ts';
import { StoreUnavailable, UnreadableDatabase } from '../errors.ts';
import { columnTypes, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { PgliteConnection } from './pglite-connection.ts';
import { copyRunning } from './pglite-copy.ts';
import type { RelationalStore } from './port.ts';
import { createRelationalStore } from './store.ts';
import { removeUnfinishedSnapshots } from './aggregates/snapshots.ts';

/** PostgreSQL in this process, on a folder that nobody else has open (see lockDataFolder). */
export async function openPglite({ folder }: { folder: string }): Promise<RelationalStore> {
  let exited: Promise<void> = Promise.resolve();
  const pool = new Pool({
    // One connection, kept for good: PGlite has no more, and transactions take turns by it. One that broke is opened again.
    max: 1,
    idleTimeoutMillis: 0,
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
    types: columnTypes,
    stream: () => {
      const connection = new PgliteConnection(folder, exited);
      exited = connection.exited;
      return connection;
    },
  });
  const database = openDatabase(pool);
  const close = async () => {
    await database.destroy();
    await exited;
  };
  try {
    await migrate(database);
    await removeUnfinishedSnapshots(database);
  } catch (error) {
    await close();
    // There is no server that could be away: what is wrong is the folder, and the person who starts us can mend that.
    const cause = error instanceof StoreUnavailable ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnreadableDatabase(`The database in ${folder} can't be opened: ${reason}`, { cause: error });
  }
  let isCopying = false;
  const store = createRelationalStore(database, {
    engine: 'pglite',
    // There is no other process.
    exclusively: oneAtATimeByName(),
    openJobs: async () => (await import('../jobs/pg-boss.ts')).openPgBoss({ pool }),
    close,
  });
  return {
    ...store,
    async purge() {
      const purged = await store.purge();
      // Where no server runs beside it, PostgreSQL does this at its end alone, and its log grows until then. A copy needs the log.
      if (!isCopying) await sql`CHECKPOINT`.execute(database);
      return purged;
    },
    async *copy(atMoment) {
      if (isCopying) throw new Error('A backup is being made already: wait until it is done.');
      isCopying = true;
      try {
        yield* copyRunning(database, folder, atMoment);
      } finally {
        isCopying = false;
      }
    },
  };
}
