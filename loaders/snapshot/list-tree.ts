import { isUtf8 } from 'node:buffer';
import { gitStream, nulSeparated } from './git.ts';
import type { TreeEntry } from './tree-entry.ts';

const kinds: Record<string, TreeEntry['kind']> = { '120000': 'symlink', '160000': 'submodule' };

/** All paths of a commit, from `git ls-tree`; any name a file can have survives. */
export async function listTree(gitDir: string, commit: string, isPartial: boolean): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  // To say the size of an object that a partial clone lacks, git would fetch it.
  const sizes = isPartial ? [] : ['-l'];
  const args = ['ls-tree', '-r', '-z', ...sizes, '--full-tree', commit];
  for await (const records of nulSeparated(gitStream(args, { gitDir })))
    for (const record of records) entries.push(entry(record));
  return isPartial ? withLocalSizes(gitDir, entries) : entries;
}

/** `<mode> <type> <object> <size>\t<path>`; the size of an object that is not there is `BAD`. */
function entry(record: Buffer): TreeEntry {
  const tab = record.indexOf(9);
  const [mode = '', , blobId = '', size = ''] = record.toString('latin1', 0, tab).split(/ +/);
  const name = record.subarray(tab + 1);
  const common = { path: name.toString('utf8'), blobId, size: Number(size) || 0, nameIsUtf8: isUtf8(name) };
  if (size === 'BAD') return { ...common, kind: 'unreadable', detail: `object ${blobId} is missing or damaged` };
  return { ...common, kind: kinds[mode] ?? 'file' };
}

/** Marks what is not in the clone: the objects that are there can be listed without fetching any. */
async function withLocalSizes(gitDir: string, entries: readonly TreeEntry[]): Promise<TreeEntry[]> {
  const sizes = new Map(entries.map(({ blobId }) => [blobId, -1]));
  const args = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname) %(objectsize)%00'];
  for await (const records of nulSeparated(gitStream(args, { gitDir })))
    for (const record of records) {
      const [id = '', size] = record.toString('latin1').trim().split(' ');
      if (sizes.has(id)) sizes.set(id, Number(size));
    }
  return entries.map((each) => {
    const size = sizes.get(each.blobId) ?? -1;
    if (each.kind !== 'file' || size >= 0) return { ...each, size: Math.max(size, 0) };
    return { ...each, kind: 'unreadable', detail: `object ${each.blobId} is not in this partial clone` };
  });
}
