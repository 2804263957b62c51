import { isUtf8 } from 'node:buffer';
import { gitStream } from './git.ts';
import type { TreeEntry } from './tree-entry.ts';

const kinds: Record<string, TreeEntry['kind']> = { '120000': 'symlink', '160000': 'submodule' };

/** All paths of a commit, from `git ls-tree`; any name a file can have survives. */
export async function listTree(gitDir: string, commit: string): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of gitStream(['ls-tree', '-r', '-z', '-l', '--full-tree', commit], { gitDir })) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
      entries.push(entry(bytes.subarray(start, end)));
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  return entries;
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
