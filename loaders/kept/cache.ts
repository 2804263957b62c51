import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isDamage } from '../../src/stores/sqlite.ts';
import type { TemporaryFile } from '../temporary-file.ts';

/** What an earlier load found out, as text; losing it costs only time. */
export interface Cache {
  get(key: string): string | null;
  /** Text, or its bytes in UTF-8. */
  put(key: string, text: string | Uint8Array): void;
  close(): void;
}

/** What is kept: facts of files, what a look for secrets saw of a version, what commits changed, points of a trend. */
type Kind = 'facts' | 'searched' | 'changed' | 'points';

/** Of the file; the oldest half of each kind is dropped when it grows over this. */
const maxBytes = 2 ** 31;
const writeBatch = 256;
/** Of the tables. */
const format = 2;
/** What a row is known by: most keys are longer than what is kept under them, and each is there twice, in the table and its index. */
const digestOf = (key: string) => createHash('sha256').update(key).digest().subarray(0, 16);
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

/**
 * Opens what is kept of a kind in one SQLite file, shared safely by all kinds and several processes. What another version of the code kept is
 * dropped, and the file too when it is damaged.
 */
export function openCache(file: string, kind: Kind, version: string): Cache {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    return open(file, kind, version);
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    return open(file, kind, version);
  }
}

/** The same for one run alone, in a temporary file; whoever opened the file closes it. Once it is full, nothing more is kept. */
export function cacheOfRun(file: TemporaryFile): Cache {
  const places = new Map<string, { start: number; size: number }>();
  let isFull = false;
  return {
    get(key) {
      const place = places.get(key);
      return place ? zstdDecompressSync(file.read(place.start, place.size)).toString() : null;
    },
    put(key, text) {
      if (isFull) return;
      const bytes = zstdCompressSync(text, fast);
      try {
        places.set(key, { start: file.append(bytes), size: bytes.length });
      } catch {
        isFull = true;
      }
    },
    close() {},
  };
}

function open(file: string, kind: Kind, version: string): Cache {
  const db = new DatabaseSync(file);
  try {
    return cacheIn(db, kind, version);
  } catch (error) {
    db.close();
    throw error;
  }
}

function cacheIn(db: DatabaseSync, kind: Kind, version: string): Cache {
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA busy_timeout = 5000;');
  const table = `${kind}_${createHash('sha256').update(`${format} ${version}`).digest('hex').slice(0, 12)}`;
  const tables = () => db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
  if (!tables().some(({ name }) => name === table)) {
    db.exec('BEGIN IMMEDIATE');
    for (const { name } of tables()) if (name !== table && name.split('_')[0] === kind) db.exec(`DROP TABLE ${name}`);
    db.exec(`CREATE TABLE IF NOT EXISTS ${table} (key BLOB PRIMARY KEY, bytes BLOB NOT NULL) STRICT; COMMIT;`);
  }
  const select = db.prepare(`SELECT bytes FROM ${table} WHERE key = ?`);
  const insert = db.prepare(`INSERT OR REPLACE INTO ${table} (key, bytes) VALUES (?, ?)`);
  let pending: { key: string; bytes: Uint8Array }[] = [];

  // Short transactions, so that two loads at once hardly wait; a cache that can't be written is only a slower next time.
  const flush = () => {
    const batch = pending;
    pending = [];
    try {
      db.exec('BEGIN IMMEDIATE');
      for (const { key, bytes } of batch) insert.run(digestOf(key), bytes);
      db.exec('COMMIT');
    } catch {
      if (db.isTransaction) db.exec('ROLLBACK');
    }
  };
  return {
    get(key) {
      try {
        const row = select.get(digestOf(key));
        return row ? zstdDecompressSync(row['bytes'] as Uint8Array).toString() : null;
      } catch {
        // Damaged: it is found out again, as if it had not been.
        return null;
      }
    },
    put(key, text) {
      pending.push({ key, bytes: zstdCompressSync(text, fast) });
      if (pending.length >= writeBatch) flush();
    },
    close() {
      flush();
      try {
        trim();
      } catch {
        // As large as it is, or damaged: the next opening sees to that.
      } finally {
        db.close();
      }
    },
  };

  function trim(): void {
    const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count'] ?? 0);
    const pageSize = Number(db.prepare('PRAGMA page_size').get()?.['page_size'] ?? 0);
    if (pages * pageSize > maxBytes) {
      for (const { name } of tables())
        db.exec(`DELETE FROM ${name} WHERE rowid <= (SELECT (min(rowid) + max(rowid)) / 2 FROM ${name})`);
      db.exec('VACUUM');
    }
  }
}
