import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { forgePage } from '../../src/model/forge-link.ts';
import { asUtf8 } from './as-utf8.ts';
import { originOf } from './full-name.ts';
import { git, GitFailure } from './git.ts';
import { gitAttributes } from './git-attributes.ts';
import { dateTime, history, mergeChanges } from './history.ts';
import type { KeptChanges } from './kept-changes.ts';
import { needsFirstLine } from './language-of.ts';
import { likenessOfContent, lookedAt, type Likeness } from './language-of-content.ts';
import { listTree } from './list-tree.ts';
import { firstOfQuarters } from './quarters.ts';
import { readBlobs } from './read-blobs.ts';
import { selectFiles } from './select-files.ts';
import type { OpenSnapshot } from './snapshot.ts';
import { SnapshotError } from './snapshot-error.ts';
import type { TreeEntry } from './tree-entry.ts';

/** A script's first line is worth a look up to this size. */
const maxScriptBytes = 262_144;

/** Opens a git repository at one commit; whatever moves in it afterwards changes nothing of what is read. */
export async function openCommit(options: {
  gitDir: string;
  source: string;
  fullName: string;
  name: string;
  ref: string | null;
  maxFileBytes: number;
  keptChanges?: KeptChanges | undefined;
}): Promise<OpenSnapshot> {
  const { gitDir, source, fullName, name, ref, maxFileBytes, keptChanges } = options;
  const commit = await resolveCommit(gitDir, source, ref);
  const [treeId = '', committed] = (
    await damaged(source, git(['show', '-s', '--format=%T%n%ct', commit], { gitDir }))
  ).split('\n');
  const withoutContents = await isPartial(gitDir);
  const entries = await damaged(source, listTree(gitDir, commit, withoutContents));
  if (entries.length === 0)
    throw new SnapshotError(
      'empty',
      `${source} holds no file at commit ${commit.slice(0, 12)}: commit some, then load it again.`,
    );
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const readable = (path: string) => {
    const entry = byPath.get(path);
    return entry?.kind === 'file' && entry.size <= maxFileBytes ? entry : null;
  };
  const texts = await readTexts(gitDir, entries);
  const { files, skipped, aside, unread } = selectFiles(entries, {
    attributes: gitAttributes(new Map([...texts].filter(([path]) => path.endsWith('.gitattributes')))),
    firstLine: (path) => texts.get(path)?.split('\n', 1)[0],
    looksLike: await likenesses(gitDir, entries),
    maxFileBytes,
  });
  const shallowCommits = await shallowCommitsOf(gitDir);
  return {
    name,
    source,
    fullName,
    forge: forgePage(await originOf(gitDir)),
    commit,
    branch: await branchOf(gitDir, ref),
    committedAt: dateTime(committed),
    treeId,
    files,
    skipped,
    aside,
    unread,
    warnings: warnings(source, entries, shallowCommits.size > 0, withoutContents),
    async *read(paths) {
      const wanted = paths.map(readable);
      const contents = readBlobs(
        gitDir,
        wanted.flatMap((entry) => (entry ? [entry.blobId] : [])),
      );
      try {
        for (const [index, path] of paths.entries()) {
          const bytes = wanted[index] ? (await contents.next()).value : undefined;
          yield { path, content: bytes ? asUtf8(bytes) : null };
        }
      } finally {
        await contents.return();
      }
    },
    shallow: shallowCommits.size > 0,
    tags: (of = commit) => tagsOf(gitDir, of),
    quarters: (most) => firstOfQuarters(gitDir, commit, most),
    at: (id, kept) => openCommit({ ...options, name, ref: id, keptChanges: kept }),
    history: () => history({ gitDir, commit, withoutContents, shallowCommits, kept: keptChanges }),
    mergeChanges: () => mergeChanges({ gitDir, commit, kept: keptChanges }),
    blobs: (ids) => readBlobs(gitDir, ids),
    close: async () => {},
  };
}

/** The id of the commit that a ref names, HEAD for null; throws SnapshotError with a sentence for who named it. */
export async function resolveCommit(gitDir: string, source: string, ref: string | null): Promise<string> {
  const name = ref ?? 'HEAD';
  try {
    return (await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], { gitDir })).trim();
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    const id = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', name], { gitDir }).catch(() => null);
    if (id !== null) throw isDamaged(source, error);
    if (ref !== null)
      throw new SnapshotError('not_found', `${source} has no branch, tag or commit ${ref}: see \`git branch --all\`.`);
    throw new SnapshotError('no_commits', `${source} has no commit yet: commit something, then load it again.`);
  }
}

/** The branch asked for, or the one that HEAD is on; null when it is on none. */
async function branchOf(gitDir: string, ref: string | null): Promise<string | null> {
  const args =
    ref === null
      ? ['symbolic-ref', '--quiet', '--short', 'HEAD']
      : ['rev-parse', '--verify', '--quiet', '--abbrev-ref', '--end-of-options', `refs/heads/${ref}`];
  return git(args, { gitDir }).then(
    (name) => name.trim() || null,
    () => null,
  );
}

/** The languages that files whose names say none read like. */
async function likenesses(
  gitDir: string,
  entries: readonly TreeEntry[],
): Promise<(path: string) => Likeness | undefined> {
  const wanted = lookedAt(entries);
  const found = new Map<string, Likeness>();
  const contents = readBlobs(
    gitDir,
    wanted.map(({ blobId }) => blobId),
  );
  let index = 0;
  for await (const content of contents) {
    const entry = wanted[index++];
    const its = entry && content ? likenessOfContent(entry.blobId, content, entry.path) : null;
    if (entry && its !== null) found.set(entry.path, its);
  }
  return (path) => found.get(path);
}

/** Attribute files, and the files whose first line alone tells the language. */
async function readTexts(gitDir: string, entries: readonly TreeEntry[]): Promise<Map<string, string>> {
  const wanted = entries.filter(
    ({ kind, path, size }) =>
      kind === 'file' &&
      size <= maxScriptBytes &&
      (path === '.gitattributes' || path.endsWith('/.gitattributes') || (size > 3 && needsFirstLine(path))),
  );
  const texts = new Map<string, string>();
  let index = 0;
  for await (const content of readBlobs(
    gitDir,
    wanted.map(({ blobId }) => blobId),
  )) {
    const path = wanted[index++]?.path ?? '';
    if (content === null) continue;
    const isAttributes = path.endsWith('.gitattributes');
    if (isAttributes || content.subarray(0, 2).toString('latin1') === '#!')
      texts.set(path, content.toString('utf8', 0, isAttributes ? content.length : 256));
  }
  return texts;
}

async function shallowCommitsOf(gitDir: string): Promise<ReadonlySet<string>> {
  const path = (await git(['rev-parse', '--git-path', 'shallow'], { gitDir })).replace(/\n$/, '');
  const text = await readFile(resolve(gitDir, path), 'utf8').catch(() => '');
  return new Set(text.split('\n').filter(Boolean));
}

async function tagsOf(gitDir: string, commit: string): Promise<{ name: string; at: number }[]> {
  const format = '--format=%(creatordate:unix) %(refname:strip=2)';
  const listed = await git(['for-each-ref', `--merged=${commit}`, format, 'refs/tags'], { gitDir });
  return listed
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ name: line.slice(line.indexOf(' ') + 1), at: Number.parseInt(line, 10) * 1000 }))
    .filter(({ at }) => Number.isFinite(at));
}

async function isPartial(gitDir: string): Promise<boolean> {
  return git(['config', '--get-regexp', String.raw`^(remote\..*\.promisor|extensions\.partialclone)$`], {
    gitDir,
  }).then(
    (found) => found !== '',
    () => false,
  );
}

function warnings(source: string, entries: readonly TreeEntry[], shallow: boolean, partial: boolean): string[] {
  const submodules = entries.filter(({ kind }) => kind === 'submodule').map(({ path }) => path);
  const unreadable = entries.filter(({ kind }) => kind === 'unreadable').length;
  const found: string[] = [];
  if (shallow)
    found.push(
      `shallow_clone: ${source} has only the newest part of its history, so contributors and their figures are incomplete; \`git fetch --unshallow\` brings the rest.`,
    );
  if (partial)
    found.push(
      `partial_clone: ${source} was cloned without all contents, so ${unreadable} files are left out and changed lines are not counted; \`git fetch --refetch --no-filter\` brings the rest.`,
    );
  else if (unreadable > 0)
    found.push(
      `unreadable: ${unreadable} files of ${source} are missing or damaged in its git objects; \`git fsck\` names them.`,
    );
  if (submodules.length > 0)
    found.push(
      `submodules: ${submodules.length === 1 ? 'one submodule is' : `${submodules.length} submodules are`} left out (${submodules.slice(0, 5).join(', ')}${submodules.length > 5 ? ' …' : ''}); load each as a repository of its own.`,
    );
  return found;
}

/** What git says when an object is missing becomes a sentence about the repository. */
async function damaged<T>(source: string, result: Promise<T>): Promise<T> {
  return result.catch((error: unknown) => {
    throw error instanceof GitFailure ? isDamaged(source, error) : error;
  });
}

function isDamaged(source: string, cause: GitFailure): SnapshotError {
  return new SnapshotError(
    'unreadable',
    `${source} is damaged or incomplete, its commit can't be read (${cause.message}): run \`git fsck\` in it, or clone it again.`,
    { cause },
  );
}
