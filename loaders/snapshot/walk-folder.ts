import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, type Dirent, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { binaryExtensions } from './linguist/binary.ts';
import { SnapshotError } from './snapshot-error.ts';
import type { TreeEntry } from './tree-entry.ts';

/** Folders whose thousands of files are somebody else's by their name alone: one line each instead. */
const vendoredFolders = new Set(['node_modules', 'bower_components', '__pycache__']);
const versionControl = new Set(['.git', '.hg', '.svn']);

/** All files below a folder, read once to name their content as git would (but for binary ones); symlinks are never followed. */
export async function walkFolder(root: string, wholeUpToBytes: number): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  const folders = [''];
  const breathe = breather();
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const child of list(root, folder, entries)) {
      const path = `${folder}${child.name.toString('utf8')}`;
      if (!isUtf8(child.name)) {
        entries.push({ ...nothing(path, child.isDirectory() ? 'unreadable' : 'file'), nameIsUtf8: false });
      } else if (child.isSymbolicLink()) entries.push(nothing(path, 'symlink'));
      else if (child.isDirectory()) {
        const name = child.name.toString('utf8');
        if (vendoredFolders.has(name)) entries.push(nothing(`${path}/`, 'vendored_folder', 'a whole folder'));
        else if (!versionControl.has(name)) folders.push(`${path}/`);
      } else if (child.isFile()) entries.push(entry(root, path, wholeUpToBytes));
      else entries.push(nothing(path, 'unreadable', 'not a regular file'));
      await breathe();
    }
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Lets others run when it is their turn. Small files are read four times faster without a thread change for each step; this
 * keeps a server that loads a folder answering meanwhile.
 */
export function breather(turnMs = 10): () => Promise<void> {
  let until = performance.now() + turnMs;
  return async () => {
    if (performance.now() < until) return;
    await setImmediate();
    until = performance.now() + turnMs;
  };
}

function list(root: string, folder: string, entries: TreeEntry[]): Dirent<Buffer>[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    if (folder === '')
      throw new SnapshotError(
        'unreadable',
        `${root} can't be listed: ${reason(error)}. Allow it, or name another folder.`,
        { cause: error },
      );
    entries.push(nothing(folder, 'unreadable', reason(error)));
    return [];
  }
}

function entry(root: string, path: string, wholeUpToBytes: number): TreeEntry {
  const file = join(root, path);
  try {
    const { size } = lstatSync(file);
    // Never parsed, so nobody asks what is in it.
    if (binaryExtensions.has(extname(path).toLowerCase())) return { ...nothing(path, 'file'), size };
    const blobId = size <= wholeUpToBytes ? blobIdOf(readFileSync(file)) : blobIdInParts(file, size);
    return { path, kind: 'file', blobId, size, nameIsUtf8: true };
  } catch (error) {
    return nothing(path, 'unreadable', reason(error));
  }
}

/** The id that git gives to a blob of this content. */
export function blobIdOf(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.byteLength}\0`).update(content).digest('hex');
}

/** The same, without holding it in memory. */
function blobIdInParts(file: string, size: number): string {
  const hash = createHash('sha1').update(`blob ${size}\0`);
  const part = Buffer.alloc(262_144);
  const descriptor = openSync(file, 'r');
  try {
    for (let read = -1; read !== 0; hash.update(part.subarray(0, read)))
      read = readSync(descriptor, part, 0, part.length, null);
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex');
}

function nothing(path: string, kind: TreeEntry['kind'], detail?: string): TreeEntry {
  return { path, kind, blobId: '', size: 0, nameIsUtf8: true, ...(detail === undefined ? {} : { detail }) };
}

function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
