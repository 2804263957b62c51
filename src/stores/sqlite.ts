import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Tables of an embedded store. They hold nothing that can't be built again, so another version starts empty instead of migrating. */
export interface Schema {
  version: number;
  sql: string;
}

/** Opens a database file, made when missing: readers go on while one writes, and what was committed survives a loss of power. */
export function openDatabase(file: string, schema: Schema): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec(
    'PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768',
  );
  if (version(database) !== schema.version) {
    database.exec('BEGIN IMMEDIATE');
    // Another process may have made the tables while this one waited.
    if (version(database) !== schema.version) {
      for (const { name } of database.prepare(OURS).all()) database.exec(`DROP TABLE "${String(name)}"`);
      database.exec(`${schema.sql}; PRAGMA user_version = ${schema.version}`);
    }
    database.exec('COMMIT');
  }
  return database;
}

/** Tables, without those that belong to a virtual table: they go with it. */
const OURS = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%'`;

function version(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
