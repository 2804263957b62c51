import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asUtf8 } from './as-utf8.ts';
import { gitAttributes } from './git-attributes.ts';
import { needsFirstLine } from './language-of.ts';
import { likenessOfContent, lookedAt, type Likeness } from './language-of-content.ts';
import { selectFiles } from './select-files.ts';
import type { HistoryCommit, OpenSnapshot } from './snapshot.ts';
import { SnapshotError } from './snapshot-error.ts';
import type { TreeEntry } from './tree-entry.ts';
import { blobIdOf, breather, walkFolder } from './walk-folder.ts';

/** Opens a folder that has no git repository of its own, as it lies on the disk. */
export async function openFolder(options: {
  folder: string;
  fullName: string;
  name: string;
  maxFileBytes: number;
}): Promise<OpenSnapshot> {
  const { folder, fullName, name, maxFileBytes } = options;
  const entries = await walkFolder(folder, maxFileBytes);
  if (!entries.some(({ kind }) => kind === 'file'))
    throw new SnapshotError('empty', `${folder} holds no file that could be read: name a folder with source code.`);
  const { files, skipped, aside, unread } = selectFiles(entries, {
    attributes: gitAttributes(await attributeFiles(folder, entries)),
    firstLine: await firstLines(folder, entries),
    looksLike: await likenesses(folder, entries),
    maxFileBytes,
  });
  return {
    name,
    source: folder,
    fullName,
    forge: null,
    commit: null,
    branch: null,
    committedAt: null,
    treeId: treeIdOf(entries),
    files,
    skipped,
    aside,
    unread,
    warnings: [
      `not_a_git_repository: ${folder} is no git repository, so there is no history and there are no contributors.`,
    ],
    async *read(paths) {
      const breathe = breather();
      for (const path of paths) {
        yield { path, content: content(folder, entryAt(entries, path), maxFileBytes) };
        await breathe();
      }
    },
    async *links(): AsyncGenerator<never, void> {},
    shallow: false,
    tags: () => Promise.resolve([]),
    quarters: () => Promise.resolve([]),
    past: () => {
      throw new SnapshotError('no_commits', `${folder} is no git repository, so it has no other commit.`);
    },
    async *history(): AsyncGenerator<HistoryCommit, void> {},
    async *mergeChanges(): AsyncGenerator<never, void> {},
    async *blobs(): AsyncGenerator<null, void> {},
    close: async () => {},
  };
}

/** Null also for a file that was changed since it was listed: what is read must be what its blob id says. */
function content(folder: string, entry: TreeEntry | undefined, maxFileBytes: number): Uint8Array | null {
  if (entry?.kind !== 'file' || entry.size > maxFileBytes) return null;
  const bytes = bytesAt(join(folder, entry.path));
  return bytes !== null && blobIdOf(bytes) === entry.blobId ? asUtf8(bytes) : null;
}

/** Null for what can't be read. */
function bytesAt(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

/** Entries are in the order of their paths: of very many files that takes less room than a map. */
function entryAt(entries: readonly TreeEntry[], path: string): TreeEntry | undefined {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((entries[middle]?.path ?? '') < path) from = middle + 1;
    else to = middle;
  }
  const found = entries[from];
  return found?.path === path ? found : undefined;
}

async function attributeFiles(folder: string, entries: readonly TreeEntry[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { path, kind } of entries)
    if (kind === 'file' && /(^|\/)\.gitattributes$/.test(path))
      found.set(path, await readFile(join(folder, path), 'utf8').catch(() => ''));
  return found;
}

async function firstLines(
  folder: string,
  entries: readonly TreeEntry[],
): Promise<(path: string) => string | undefined> {
  const found = new Map<string, string>();
  for (const { path, kind, size } of entries) {
    if (kind !== 'file' || size < 4 || !needsFirstLine(path)) continue;
    const file = await open(join(folder, path)).catch(() => null);
    if (file === null) continue;
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
      const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
      if (line.startsWith('#!')) found.set(path, line);
    } finally {
      await file.close();
    }
  }
  return (path) => found.get(path);
}

/** The languages that files whose names say none read like. */
async function likenesses(
  folder: string,
  entries: readonly TreeEntry[],
): Promise<(path: string) => Likeness | undefined> {
  const found = new Map<string, Likeness>();
  const breathe = breather();
  for (const { path, blobId } of lookedAt(entries)) {
    const content = bytesAt(join(folder, path));
    const its = content && likenessOfContent(blobId, content, path);
    if (its) found.set(path, its);
    await breathe();
  }
  return (path) => found.get(path);
}

function treeIdOf(entries: readonly TreeEntry[]): string {
  const hash = createHash('sha256');
  for (const { path, kind, blobId } of entries) hash.update(`${kind} ${blobId}\t${path}\0`);
  return hash.digest('hex');
}
