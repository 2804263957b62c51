import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What was used lately may be in use, also by another process. */
const inUseMs = 60 * 60 * 1_000;

/** Removes files and folders from a folder, by their time the one not used for longest first, until no more than this is left. */
export async function makeRoom(folder: string, maxBytes: number): Promise<void> {
  const names = await unlessGone(readdir(folder), []);
  const all = (await Promise.all(names.map((name) => measured(join(folder, name))))).filter((each) => each !== null);
  let bytes = all.reduce((sum, each) => sum + each.bytes, 0);
  for (const each of all.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= maxBytes || Date.now() - each.usedAt < inUseMs) return;
    await rm(each.path, { recursive: true, force: true });
    bytes -= each.bytes;
  }
}

async function measured(path: string): Promise<{ path: string; usedAt: number; bytes: number } | null> {
  const found = await unlessGone(stat(path), null);
  return found && { path, usedAt: found.mtimeMs, bytes: found.isDirectory() ? await sizeOf(path) : found.size };
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await unlessGone(readdir(folder, { withFileTypes: true }), [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(path);
    else if (entry.isFile()) bytes += (await unlessGone(stat(path), null))?.size ?? 0;
  }
  return bytes;
}

/** Meanwhile others finish what they keep there, and make room too. */
function unlessGone<T, U>(found: Promise<T>, instead: U): Promise<T | U> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  });
}
