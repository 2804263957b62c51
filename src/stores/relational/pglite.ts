import { Pool } from 'pg';
import { oneAtATimeByName } from '../batches.ts';
import { StoreUnavailable } from '../errors.ts';
import { columnTypes, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { PgliteConnection } from './pglite-connection.ts';
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
    throw new Error(`The database in ${folder} can't be opened: ${reason}`, { cause: error });
  }
  // There is no other process.
  return createRelationalStore(database, { engine: 'pglite', exclusively: oneAtATimeByName(), close });
}
