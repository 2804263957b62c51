import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Changes all that is kept of a kind; how many entries it has. */
export function changeKept(cacheFile: string, kind: string, change: (text: string) => string): number {
  const db = new DatabaseSync(cacheFile);
  try {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const table = tables.map(({ name }) => String(name)).find((name) => name.startsWith(kind));
    const rows = db.prepare(`SELECT key, bytes FROM ${table}`).all();
    const update = db.prepare(`UPDATE ${table} SET bytes = ? WHERE key = ?`);
    for (const { key, bytes } of rows)
      update.run(zstdCompressSync(change(zstdDecompressSync(bytes as Uint8Array).toString())), key as Uint8Array);
    return rows.length;
  } finally {
    db.close();
  }
}
