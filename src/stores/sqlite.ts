import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';

/** Tables of an embedded store. They hold nothing that can't be built again, so another version is made anew instead of migrated. */
export interface Schema {
  /** From 1. The file has it too, and its negative as long as it is being filled. */
  version: number;
  sql: string;
}

/** A file of ours does not hold what was written to it. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/**
 * Opens a database file, made when missing: readers go on while one writes, and what was committed survives a loss of power.
 * Throws what `isDamage` knows when it is no such file, or has the tables of another version.
 */
export function openDatabase(file: string, schema: Schema): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true });
  // What lies beside it (-wal, -shm) gets the same mode.
  closeSync(openSync(file, 'a', 0o600));
  return checked(new DatabaseSync(file), schema, (database) => {
    if (!isEmpty(database)) return;
    database.exec('BEGIN IMMEDIATE');
    // Another process may have made the tables while this one waited.
    if (isEmpty(database)) database.exec(`${schema.sql}; PRAGMA user_version = ${schema.version}`);
    database.exec('COMMIT');
  });
}

/** One more connection to a file that `openDatabase` has opened; when it is gone by now, that is damage. */
export function connectTo(file: string, schema: Schema): DatabaseSync {
  if (!existsSync(file)) throw new DamagedFile('the file is gone');
  const existing = pathToFileURL(file);
  existing.searchParams.set('mode', 'rw');
  return checked(new DatabaseSync(existing), schema);
}

function checked(
  database: DatabaseSync,
  schema: Schema,
  prepare: (database: DatabaseSync) => void = () => {},
): DatabaseSync {
  try {
    database.exec('PRAGMA busy_timeout = 10000');
    prepare(database);
    // Before anything is written into a file that may not be ours.
    const version = Math.abs(versionOf(database));
    if (version !== schema.version)
      throw new DamagedFile(`the file is of version ${version}, and this release has version ${schema.version}`);
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const isEmpty = (database: DatabaseSync) =>
  versionOf(database) === 0 && database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** Whether everything is in the file that should be; set by `setWhole`, and true of a new one. */
export function isWhole(database: DatabaseSync): boolean {
  return versionOf(database) > 0;
}

/** Keeps, beside what is in the file, whether that is all. */
export function setWhole(database: DatabaseSync, { version }: Schema, whole: boolean): void {
  database.exec(`PRAGMA user_version = ${whole ? version : -version}`);
}

const [sqliteError, sqliteIoError, sqliteCorrupt, sqliteNotADatabase] = [1, 10, 11, 26];
/** Of all that can fail in input and output, what a disk does that has lost something: a read, a short one, a checksum. */
const lostByDisk = [1, 2, 32, 33].map((kind) => (kind << 8) | sqliteIoError);

/** Whether a file, not the question, is why this failed: SQLite says so, or what it gave can't be read. */
export function isDamage(error: unknown): boolean {
  if (error instanceof DamagedFile) return true;
  if (!(error instanceof Error && 'errcode' in error)) return false;
  const code = Number(error.errcode);
  const kind = code & 0xff;
  if (kind === sqliteCorrupt || kind === sqliteNotADatabase || lostByDisk.includes(code)) return true;
  // Our statements are right: a table that is not there was lost.
  return kind === sqliteError && /^no such (table|column|index)/.test(error.message);
}

/** These bytes with a checksum after them, as SQLite has none: `unsealed` knows whether they are still the same. */
export function sealed(bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(bytes.length + 4);
  all.set(bytes);
  new DataView(all.buffer).setUint32(bytes.length, crc32(bytes));
  return all;
}

/** What was sealed; throws `DamagedFile` when it is anything else. */
export function unsealed(blob: unknown): Uint8Array<ArrayBuffer> {
  if (blob instanceof Uint8Array && blob.length >= 4 && blob.buffer instanceof ArrayBuffer) {
    const bytes = new Uint8Array(blob.buffer, blob.byteOffset, blob.length - 4);
    const sum = new DataView(blob.buffer, blob.byteOffset + bytes.length).getUint32(0);
    if (crc32(bytes) === sum) return bytes;
  }
  throw new DamagedFile('a row does not have its checksum');
}

/** The JSON in a row's column; throws `DamagedFile` when there is none. */
export function jsonIn(column: unknown): unknown {
  try {
    return JSON.parse(String(column));
  } catch (cause) {
    throw new DamagedFile('a row is no JSON', { cause });
  }
}
