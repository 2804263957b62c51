import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { forgePage } from '../../src/model/forge-link.ts';
import { asUtf8 } from './as-utf8.ts';
import { remotesOf, type Remotes } from './full-name.ts';
import { git, GitFailure } from './git.ts';
import { gitAttributes } from './git-attributes.ts';
import { dateTime, history, historyKept, mergeChanges } from './history.ts';
import type { KeptHistory } from './kept-history.ts';
import { needsFirstLine } from './language-of.ts';
import { knownLikeness, likenessOfContent, lookedAt, type Likeness } from './language-of-content.ts';
import { listTree } from './list-tree.ts';
import { firstOfQuarters } from './quarters.ts';
import type { DatedCommit } from './quarters.ts';
import { openBlobReader, readBlobs, type BlobReader } from './read-blobs.ts';
import { selectFiles } from './select-files.ts';
import type { OpenSnapshot, Tag } from './snapshot.ts';
import { SnapshotError } from './snapshot-error.ts';
import type { TreeEntry } from './tree-entry.ts';

/** What is the same at all commits of a repository, and what was read for one of them and may serve the next. */
interface Repository {
  /** See `OpenSnapshot`. */
  forge: string | null;
  /** The clone lacks old contents. */
  withoutContents: boolean;
  /** Commits at which a shallow clone ends. */
  shallowCommits: ReadonlySet<string>;
  /** By blob, attribute files and how scripts begin; null of what turned out to be neither. */
  texts: Map<string, string | null>;
}

async function repositoryAt(gitDir: string, known?: Remotes): Promise<Repository> {
  const [{ origin, isPartial }, shallowCommits] = await Promise.all([
    known ?? remotesOf(gitDir),
    shallowCommitsOf(gitDir),
  ]);
  return {
    forge: forgePage(origin),
    withoutContents: isPartial,
    shallowCommits,
    texts: new Map(),
  };
}

/** What one of several commits of a repository gets of another, from which its history was read. */
interface SharedByCommits {
  commit: DatedCommit;
  history: KeptHistory;
  /** By which the history calls authors. */
  mailmap: string;
  /** All of the commit from which the history was read. */
  tags: () => Promise<readonly Tag[]>;
  repository: Repository;
  blobs: BlobReader;
}

/** A script's first line is worth a look up to this size. */
const maxScriptBytes = 262_144;
/** Of what is written in a link; a longer one leads nowhere. */
const maxTarget = 1_000;

/** Opens a git repository at one commit; whatever moves in it afterwards changes nothing of what is read. */
export async function openCommit(options: {
  gitDir: string;
  source: string;
  fullName: string;
  name: string;
  ref: string | null;
  maxFileBytes: number;
  /** Where these are known already. */
  remotes?: Remotes;
  /** Of who opens several commits of it; `ref` is the commit's id then. */
  shared?: SharedByCommits | undefined;
}): Promise<OpenSnapshot> {
  const { gitDir, source, fullName, name, ref, maxFileBytes, shared } = options;
  // Each is a process of git that waits for no other.
  const [repository, { id: commit, committedAt, treeId }, branch] = await Promise.all([
    shared?.repository ?? repositoryAt(gitDir, options.remotes),
    shared?.commit ?? commitAt(gitDir, source, ref),
    branchOf(gitDir, ref),
  ]);
  const { withoutContents, shallowCommits, forge } = repository;
  const blobs = shared?.blobs.read ?? ((ids: readonly string[]) => readBlobs(gitDir, ids));
  const entries = await damaged(source, listTree(gitDir, commit, withoutContents));
  if (entries.length === 0)
    throw new SnapshotError(
      'empty',
      `${source} holds no file at commit ${commit.slice(0, 12)}: commit some, then load it again.`,
    );
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const mailmap = byPath.get('.mailmap')?.blobId ?? '';
  const told = shared
    ? historyKept({ gitDir, commit }, shared.history, mailmap === shared.mailmap && shared.history.isDated)
    : {
        history: () => history({ gitDir, commit, withoutContents, shallowCommits }),
        mergeChanges: () => mergeChanges({ gitDir, commit }),
      };
  const readable = (path: string) => {
    const entry = byPath.get(path);
    return entry?.kind === 'file' && entry.size <= maxFileBytes ? entry : null;
  };
  const texts = await readTexts(blobs, entries, repository.texts);
  const { files, skipped, aside, unread } = selectFiles(entries, {
    attributes: gitAttributes(new Map([...texts].filter(([path]) => path.endsWith('.gitattributes')))),
    firstLine: (path) => texts.get(path)?.split('\n', 1)[0],
    looksLike: await likenesses(blobs, entries),
    maxFileBytes,
  });
  return {
    name,
    source,
    fullName,
    forge,
    commit,
    branch,
    committedAt,
    treeId,
    files,
    skipped,
    aside,
    unread,
    warnings: warnings(source, entries, shallowCommits.size > 0, withoutContents),
    async *read(paths) {
      const wanted = paths.map(readable);
      const contents = blobs(wanted.flatMap((entry) => (entry ? [entry.blobId] : [])));
      try {
        for (const [index, path] of paths.entries()) {
          const bytes = wanted[index] ? (await contents.next()).value : undefined;
          yield { path, content: bytes ? asUtf8(bytes) : null };
        }
      } finally {
        await contents.return();
      }
    },
    async *links(most) {
      const links = entries.filter(({ kind, size }) => kind === 'symlink' && size <= maxTarget).slice(0, most);
      let next = 0;
      for await (const content of blobs(links.map(({ blobId }) => blobId)))
        yield { path: links[next++]?.path ?? '', target: Buffer.from(content ?? []).toString() };
    },
    shallow: shallowCommits.size > 0,
    tags: async (of = commit) => (shared && tagsAmong(await shared.tags(), shared.history, of)) ?? tagsOf(gitDir, of),
    quarters: (most) => firstOfQuarters(gitDir, commit, most),
    past(kept) {
      const reader = openBlobReader(gitDir);
      let all: Promise<readonly Tag[]> | undefined;
      const tags = () => (all ??= tagsOf(gitDir, commit));
      const given = { history: kept, mailmap, tags, repository, blobs: reader };
      const at = (point: DatedCommit) => openCommit({ ...options, ref: point.id, shared: { ...given, commit: point } });
      return { at, close: () => reader.close() };
    },
    ...told,
    blobs,
    close: async () => {},
  };
}

async function commitAt(gitDir: string, source: string, ref: string | null): Promise<DatedCommit> {
  // Not `show`, which reads of a merge what its parents have, too.
  const told = (of: string) => git(['log', '--no-walk', '--format=%H%n%T%n%ct', of], { gitDir });
  // HEAD needs not be looked up before; if it can't be read, that says why.
  const head = ref === null ? await told('HEAD').catch(() => null) : null;
  const commit = head ?? (await damaged(source, told(await resolveCommit(gitDir, source, ref))));
  const [id = '', treeId = '', committed] = commit.split('\n');
  return { id, committedAt: dateTime(committed), treeId };
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

/** The branch asked for, or the one that HEAD is on; null when it is on none, as a commit is that was asked for by its whole id. */
async function branchOf(gitDir: string, ref: string | null): Promise<string | null> {
  if (ref !== null && /^(?:[\da-f]{40}|[\da-f]{64})$/.test(ref)) return null;
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
  blobs: BlobReader['read'],
  entries: readonly TreeEntry[],
): Promise<(path: string) => Likeness | undefined> {
  const found = new Map<string, Likeness>();
  const take = ({ path }: TreeEntry, its: Likeness | null) => its && found.set(path, its);
  const unread: TreeEntry[] = [];
  for (const entry of lookedAt(entries)) {
    const known = knownLikeness(entry);
    if (known === undefined) unread.push(entry);
    else take(entry, known);
  }
  for await (const { entry, content } of readEntries(blobs, unread))
    take(entry, likenessOfContent(entry.blobId, content, entry.path));
  return (path) => found.get(path);
}

/** Attribute files, and the files whose first line alone tells the language. */
async function readTexts(
  blobs: BlobReader['read'],
  entries: readonly TreeEntry[],
  known: Repository['texts'],
): Promise<Map<string, string>> {
  const isAttributes = (path: string) => path === '.gitattributes' || path.endsWith('/.gitattributes');
  const keyOf = ({ path, blobId }: TreeEntry) => (isAttributes(path) ? `${blobId} attributes` : blobId);
  const wanted = entries.filter(
    ({ kind, path, size }) =>
      kind === 'file' && size <= maxScriptBytes && (isAttributes(path) || (size > 3 && needsFirstLine(path))),
  );
  const unread = wanted.filter((entry) => !known.has(keyOf(entry)));
  for await (const { entry, content } of readEntries(blobs, unread)) {
    const isWhole = isAttributes(entry.path);
    const isText = isWhole || content.subarray(0, 2).toString('latin1') === '#!';
    known.set(keyOf(entry), isText ? content.toString('utf8', 0, isWhole ? content.length : 256) : null);
  }
  const texts = new Map<string, string>();
  for (const entry of wanted) {
    const text = known.get(keyOf(entry)) ?? null;
    if (text !== null) texts.set(entry.path, text);
  }
  return texts;
}

/** Those that can be read. */
async function* readEntries(blobs: BlobReader['read'], entries: readonly TreeEntry[]) {
  const ids = entries.map(({ blobId }) => blobId);
  let index = 0;
  for await (const content of blobs(ids)) {
    const entry = entries[index++];
    if (entry && content) yield { entry, content };
  }
}

async function shallowCommitsOf(gitDir: string): Promise<ReadonlySet<string>> {
  const path = (await git(['rev-parse', '--git-path', 'shallow'], { gitDir })).replace(/\n$/, '');
  const text = await readFile(resolve(gitDir, path), 'utf8').catch(() => '');
  return new Set(text.split('\n').filter(Boolean));
}

async function tagsOf(gitDir: string, commit: string): Promise<Tag[]> {
  // Of one with a message, the commit that it names.
  const format = '--format=%(creatordate:unix) %(objectname) %(*objectname) %(refname:strip=2)';
  const listed = await git(['for-each-ref', `--merged=${commit}`, format, 'refs/tags'], { gitDir });
  return listed
    .split('\n')
    .map((line) => line.split(' '))
    .map(([at, id = '', named, name = '']) => ({ name, at: Number(at || Number.NaN) * 1000, commit: named || id }))
    .filter(({ at }) => Number.isFinite(at));
}

/** Those of a commit among those of a later one; null where one of them names no commit, so that git alone can tell. */
function tagsAmong(all: readonly Tag[], history: KeptHistory, commit: string): readonly Tag[] | null {
  if (all.length === 0) return all;
  if (!all.every((tag) => history.has(tag.commit))) return null;
  const named = new Set(all.map((tag) => tag.commit));
  const led = new Set<string>();
  for (const id of history.idsFrom(commit)) if (named.has(id)) led.add(id);
  return all.filter((tag) => led.has(tag.commit));
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
