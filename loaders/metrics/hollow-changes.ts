import { posix } from 'node:path';
import { codeDigest } from '../languages/reading/code-digest.ts';
import { commentSyntax } from '../languages/reading/comment-syntax.ts';
import type { FileChange, HistoryCommit, OpenSnapshot } from '../snapshot/snapshot.ts';

/** `code` where a source file says something else than before; `hollow` where it only says it otherwise; null of other files. */
export type Weight = 'code' | 'hollow' | null;

/** Beyond, from the newest on, what is changed is taken for code: a bound on time. */
const maxBytes = 300_000_000;
const maxFileBytes = 1_000_000;
/** Digests of the versions that are likely to be met again. */
const maxKnown = 20_000;

/** What the code of a blob says, by language and blob; null where it can't be read or is too large. */
export type CodeDigests = Map<string, Map<string, { digest: number; bytes: number } | null>>;

/** Weighs commits, the newest first and many at a time. */
export interface Weighing {
  /** These come next: what they changed is taken from who reads it anyway, until they are weighed. */
  expect(commits: readonly HistoryCommit[]): void;
  /** The content of a blob that somebody has read, null where it is missing. */
  take(id: string, content: Uint8Array | null): void;
  /** Reads what nobody has, in one process of git. */
  weigh(commits: readonly HistoryCommit[]): Promise<Weight[][]>;
}

/**
 * What each change of commits is: one to comments, docstrings and white space alone, a move, or a change of mode says nothing that the
 * code did not say before. What can't be compared is taken for code. Who reads several histories of one repository gives all of them the
 * same `known`.
 */
export function weighing(
  { files, blobs }: Pick<OpenSnapshot, 'files' | 'blobs'>,
  known: CodeDigests = new Map(),
): Weighing {
  const languages = new Map<string, string>();
  // Of what reads like code under another name, others with its ending do not.
  for (const { path, countedAs } of files)
    if (countedAs.language !== null) languages.set(countedAs.byContent ? path : endingOf(path), countedAs.language);
  const digests = new Map<string, number>();
  let bytes = 0;
  const languageOf = ({ path }: FileChange) => languages.get(path) ?? languages.get(endingOf(path)) ?? null;
  const knownIn = (language: string) => {
    const before = known.get(language) ?? new Map();
    known.set(language, before);
    return before;
  };

  /** Languages by blob. A function of its own, as it waits for nothing and sees all changes of a history. */
  const wantedBy = (commits: readonly HistoryCommit[]): Map<string, string> => {
    const wanted = new Map<string, string>();
    for (const { changes } of commits)
      for (const change of changes) {
        const language = isCompared(change) ? languageOf(change) : null;
        if (language === null) continue;
        const { before, after } = change.blobs;
        if (!digests.has(before)) wanted.set(before, language);
        if (!digests.has(after)) wanted.set(after, language);
      }
    return wanted;
  };
  const digestAll = async (commits: readonly HistoryCommit[]) => {
    for (const oldest of digests.keys()) {
      if (digests.size <= maxKnown) break;
      digests.delete(oldest);
    }
    const wanted = wantedBy(commits);
    const unread = [...wanted].filter(([id, language]) => !knownIn(language).has(id)).map(([id]) => id);
    const contents = blobs(unread)[Symbol.asyncIterator]();
    try {
      for (const [id, language] of wanted) {
        const before = knownIn(language);
        if (!before.has(id)) before.set(id, digestOf((await contents.next()).value ?? null, language));
        const version = before.get(id);
        if (!version) continue;
        bytes += version.bytes;
        digests.set(id, version.digest);
        if (bytes >= maxBytes) break;
      }
    } finally {
      await contents.return?.();
    }
  };
  const weightOf = (change: FileChange): Weight => {
    if (languageOf(change) === null) return null;
    const { before, after } = change.blobs;
    if (before === after) return 'hollow';
    const digest = isCompared(change) ? digests.get(after) : undefined;
    return digest !== undefined && digest === digests.get(before) ? 'hollow' : 'code';
  };
  let next: readonly HistoryCommit[] = [];
  /** Of these; null until somebody has read something. */
  let expected: ReadonlyMap<string, string> | null = null;
  let taken = 0;
  return {
    expect(commits) {
      next = commits;
      expected = null;
      taken = 0;
    },
    take(id, content) {
      const language = (expected ??= wantedBy(next)).get(id);
      if (language === undefined || bytes + taken >= maxBytes || knownIn(language).has(id)) return;
      const version = digestOf(content, language);
      taken += version?.bytes ?? 0;
      knownIn(language).set(id, version);
    },
    async weigh(commits) {
      next = [];
      expected = null;
      if (bytes < maxBytes) await digestAll(commits);
      return commits.map(({ changes }) => changes.map(weightOf));
    },
  };
}

function digestOf(content: Uint8Array | null, language: string) {
  if (content === null || content.length > maxFileBytes) return null;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  return { digest: codeDigest(bytes, commentSyntax(language)), bytes: content.length };
}

/** Files of one ending are of one language, also those that are gone or had another name. */
const endingOf = (path: string) => posix.extname(path) || posix.basename(path);

const isCompared = ({ status, blobs: { before, after } }: FileChange): boolean =>
  (status === 'M' || status === 'R') && before !== after;
