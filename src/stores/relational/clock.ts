import { sql } from 'kysely';
import type { Database } from './database.ts';

/** What time it is there. */
export async function clock(database: Database): Promise<Date> {
  const { rows } = await sql<{ now: string }>`SELECT now()`.execute(database);
  return new Date(rows[0]?.now ?? NaN);
}
