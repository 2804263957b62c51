import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { binaryExtensions } from './linguist/binary.ts';
import { SnapshotError } from './snapshot-error.ts';
import type { TreeEntry } from './tree-entry.ts';

/** Folders whose thousands of files are somebody else's by their name alone: one line each instead. */
const vendoredFolders = new Set(['node_modules', 'bower_components', '__pycache__']);
const versionControl = new Set(['.git', '.hg', '.svn']);
const parallel = 16;

/** All files below a folder, read once to name their content as git would (but for binary ones); symlinks are never followed. */
export async function walkFolder(root: string, wholeUpToBytes: number): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  const files: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const child of await list(root, folder, entries)) {
      const path = `${folder}${child.name.toString('utf8')}`;
      if (!isUtf8(child.name)) {
        entries.push({ ...nothing(path, child.isDirectory() ? 'unreadable' : 'file'), nameIsUtf8: false });
      } else if (child.isSymbolicLink()) entries.push(nothing(path, 'symlink'));
      else if (child.isDirectory()) {
        const name = child.name.toString('utf8');
        if (vendoredFolders.has(name)) entries.push(nothing(`${path}/`, 'vendored_folder', 'a whole folder'));
        else if (!versionControl.has(name)) folders.push(`${path}/`);
      } else if (child.isFile()) files.push(path);
      else entries.push(nothing(path, 'unreadable', 'not a regular file'));
    }
  }
  const queue = files.values();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const path of queue) entries.push(await entry(root, path, wholeUpToBytes));
    }),
  );
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function list(root: string, folder: string, entries: TreeEntry[]): Promise<Dirent<Buffer>[]> {
  try {
    return await readdir(join(root, folder), { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    if (folder === '')
      throw new SnapshotError(
        'unreadable',
        `${root} can't be listed: ${reason(error)}. Allow it, or name another folder.`,
        {
          cause: error,
        },
      );
    entries.push(nothing(folder, 'unreadable', reason(error)));
    return [];
  }
}

async function entry(root: string, path: string, wholeUpToBytes: number): Promise<TreeEntry> {
  const file = join(root, path);
  try {
    const { size } = await lstat(file);
    // Never parsed, so nobody asks what is in it.
    if (binaryExtensions.has(extname(path).toLowerCase())) return { ...nothing(path, 'file'), size };
    const blobId = size <= wholeUpToBytes ? blobIdOf(await readFile(file)) : await streamedBlobId(file, size);
    return { path, kind: 'file', blobId, size, nameIsUtf8: true };
  } catch (error) {
    return nothing(path, 'unreadable', reason(error));
  }
}

/** The id that git gives to a blob of this content. */
export function blobIdOf(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.byteLength}\0`).update(content).digest('hex');
}

async function streamedBlobId(file: string, size: number): Promise<string> {
  const hash = createHash('sha1').update(`blob ${size}\0`);
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function nothing(path: string, kind: TreeEntry['kind'], detail?: string): TreeEntry {
  return { path, kind, blobId: '', size: 0, nameIsUtf8: true, ...(detail === undefined ? {} : { detail }) };
}

function reason(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
