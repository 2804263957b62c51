import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isDamage } from '../../src/stores/sqlite.ts';

/** Facts of files seen before, by language and blob id; losing it costs only time. */
export interface FactsCache {
  get(language: string, path: string, blobId: string): string | null;
  put(language: string, path: string, blobId: string, facts: string): void;
  close(): void;
}

/** Of the cache file; the oldest half is dropped when it grows over this. */
const maxBytes = 2 ** 31;
const writeBatch = 256;
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

/**
 * Opens the cache in one SQLite file, shared safely by several processes. Entries of another analyzer version are dropped, and the
 * file too when it is damaged. The path belongs to the key where extraction depends on it (a Python package's `__init__.py`), so a
 * moved file is read again.
 */
export function openFactsCache(file: string, analyzerVersion: string): FactsCache {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    return open(file, analyzerVersion);
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    return open(file, analyzerVersion);
  }
}

function open(file: string, analyzerVersion: string): FactsCache {
  const db = new DatabaseSync(file);
  try {
    return cacheIn(db, analyzerVersion);
  } catch (error) {
    db.close();
    throw error;
  }
}

function cacheIn(db: DatabaseSync, analyzerVersion: string): FactsCache {
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA busy_timeout = 5000;');
  const version = db.prepare('PRAGMA user_version').get()?.['user_version'];
  const wanted = fold(analyzerVersion);
  if (version !== wanted) {
    db.exec(`BEGIN IMMEDIATE; DROP TABLE IF EXISTS facts; PRAGMA user_version = ${wanted};
      CREATE TABLE facts (key TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT; COMMIT;`);
  }
  const select = db.prepare('SELECT bytes FROM facts WHERE key = ?');
  const insert = db.prepare('INSERT OR REPLACE INTO facts (key, bytes) VALUES (?, ?)');
  const key = (language: string, path: string, blobId: string) => `${blobId} ${language} ${path}`;
  let pending: { key: string; facts: string }[] = [];

  // Short transactions, so that two loads at once hardly wait; a cache that can't be written is only a slower next time.
  const flush = () => {
    const batch = pending;
    pending = [];
    try {
      db.exec('BEGIN IMMEDIATE');
      for (const entry of batch) insert.run(entry.key, zstdCompressSync(entry.facts, fast));
      db.exec('COMMIT');
    } catch {
      if (db.isTransaction) db.exec('ROLLBACK');
    }
  };
  return {
    get(language, path, blobId) {
      try {
        const row = select.get(key(language, path, blobId));
        return row ? zstdDecompressSync(row['bytes'] as Uint8Array).toString() : null;
      } catch {
        // Damaged: the file is read again, as if it had not been seen.
        return null;
      }
    },
    put(language, path, blobId, facts) {
      pending.push({ key: key(language, path, blobId), facts });
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
      db.exec('DELETE FROM facts WHERE rowid <= (SELECT (min(rowid) + max(rowid)) / 2 FROM facts); VACUUM;');
    }
  }
}

/** A version's text as the 31-bit integer that SQLite keeps in its header. */
function fold(text: string): number {
  let hash = 7;
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) & 0x7fffffff;
  return hash;
}
