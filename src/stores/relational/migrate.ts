import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';

const folder = new URL('./migrations/', import.meta.url);

/** Any number will do, as long as it stays the same: the processes that start together take turns by it. */
const advisoryLock = 7_364_915;

/** Brings the tables up to date: each file of migrations/ once, in order, all or nothing. */
export async function migrate(database: Database): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  await database.transaction().execute(async (transaction) => {
    await sql`SET LOCAL statement_timeout = 0`.execute(transaction);
    await sql`SELECT pg_advisory_xact_lock(${advisoryLock})`.execute(transaction);
    await sql`CREATE TABLE IF NOT EXISTS schema_migration (
      name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`.execute(transaction);
    const applied = new Set(
      (await transaction.selectFrom('schema_migration').select('name').execute()).map((row) => row.name),
    );
    const unknown = [...applied].find((name) => !names.includes(name));
    if (unknown !== undefined) {
      throw new Error(
        `The database was written by a newer version of repo-intel (migration ${unknown}): use that one.`,
      );
    }
    for (const name of names.filter((name) => !applied.has(name))) {
      await sql.raw(await readFile(new URL(name, folder), 'utf8')).execute(transaction);
      await transaction.insertInto('schema_migration').values({ name }).execute();
    }
  });
}
