import { appendFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

// Loaded before a program (`--import`), in its threads too: keeps what they send to SQLite in the file that RECORD_SQLITE names,
// a JSON text a line.
const file = process.env['RECORD_SQLITE'];
if (file === undefined) throw new Error('RECORD_SQLITE names no file.');
for (const method of ['prepare', 'exec'] as const) {
  const original = DatabaseSync.prototype[method] as (sql: string, ...rest: unknown[]) => never;
  DatabaseSync.prototype[method] = function (this: DatabaseSync, sql: string, ...rest: unknown[]) {
    appendFileSync(file, `${JSON.stringify(sql)}\n`);
    return original.call(this, sql, ...rest);
  };
}
