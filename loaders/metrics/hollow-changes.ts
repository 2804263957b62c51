import { posix } from 'node:path';
import { codeDigest } from '../languages/reading/code-digest.ts';
import { commentSyntax } from '../languages/reading/comment-syntax.ts';
import type { FileChange, HistoryCommit, OpenSnapshot } from '../snapshot/snapshot.ts';

/** A commit with what each of its changes does to the code. */
export interface WeighedCommit extends HistoryCommit {
  changes: readonly WeighedChange[];
}

export interface WeighedChange extends FileChange {
  /** `code` where a source file says something else than before; `hollow` where it only says it otherwise; null of other files. */
  weight: 'code' | 'hollow' | null;
}

/** Commits are looked at so many at a time, in one process of git. */
const maxBatch = 2_000;
/** Beyond, from the newest on, what is changed is taken for code: a bound on time. */
const maxBytes = 300_000_000;
const maxFileBytes = 1_000_000;
/** Digests of the versions that are likely to be met again. */
const maxKnown = 20_000;

/** What the code of a blob says in a language, by `BLOB LANGUAGE`; null where it can't be read or is too large. */
export type CodeDigests = Map<string, { digest: number; bytes: number } | null>;

/**
 * The same commits, with what each change is: one to comments, docstrings and white space alone, a move, or a change of mode says
 * nothing that the code did not say before. What can't be compared is taken for code. Who reads several histories of one repository gives
 * all of them the same `known`.
 */
export async function* weighed(
  commits: AsyncIterable<HistoryCommit>,
  { files, blobs }: Pick<OpenSnapshot, 'files' | 'blobs'>,
  known: CodeDigests = new Map(),
): AsyncGenerator<WeighedCommit, void> {
  const languages = new Map<string, string>();
  // Of what reads like code under another name, others with its ending do not.
  for (const { path, countedAs } of files)
    if (countedAs.language !== null) languages.set(countedAs.byContent ? path : endingOf(path), countedAs.language);
  const digests = new Map<string, number>();
  let bytes = 0;
  const languageOf = ({ path }: FileChange) => languages.get(path) ?? languages.get(endingOf(path)) ?? null;

  const digestAll = async (changes: readonly FileChange[]) => {
    while (digests.size > maxKnown) digests.delete(digests.keys().next().value ?? '');
    const wanted = new Map<string, string>();
    for (const change of changes)
      for (const id of [change.blobs.before, change.blobs.after]) {
        const language = languageOf(change);
        if (language !== null && !digests.has(id)) wanted.set(id, language);
      }
    const unread = [...wanted].filter(([id, language]) => !known.has(`${id} ${language}`)).map(([id]) => id);
    const contents = blobs(unread)[Symbol.asyncIterator]();
    try {
      for (const [id, language] of wanted) {
        const key = `${id} ${language}`;
        if (!known.has(key)) known.set(key, digestOf((await contents.next()).value ?? null, language));
        const version = known.get(key);
        if (!version) continue;
        bytes += version.bytes;
        digests.set(id, version.digest);
        if (bytes >= maxBytes) break;
      }
    } finally {
      await contents.return?.();
    }
  };
  const weightOf = (change: FileChange): WeighedChange['weight'] => {
    if (languageOf(change) === null) return null;
    const { before, after } = change.blobs;
    if (before === after) return 'hollow';
    const digest = isCompared(change) ? digests.get(after) : undefined;
    return digest !== undefined && digest === digests.get(before) ? 'hollow' : 'code';
  };
  const batchOf = async (batch: readonly HistoryCommit[]): Promise<WeighedCommit[]> => {
    if (bytes < maxBytes) await digestAll(batch.flatMap(({ changes }) => changes.filter(isCompared)));
    return batch.map((commit) => ({
      ...commit,
      changes: commit.changes.map((change) => ({ ...change, weight: weightOf(change) })),
    }));
  };

  let batch: HistoryCommit[] = [];
  for await (const commit of commits) {
    batch.push(commit);
    if (batch.length < maxBatch) continue;
    yield* await batchOf(batch);
    batch = [];
  }
  yield* await batchOf(batch);
}

function digestOf(content: Uint8Array | null, language: string) {
  if (content === null || content.length > maxFileBytes) return null;
  const source = Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1');
  return { digest: codeDigest(source, commentSyntax(language)), bytes: content.length };
}

/** Files of one ending are of one language, also those that are gone or had another name. */
const endingOf = (path: string) => posix.extname(path) || posix.basename(path);

const isCompared = ({ status, blobs: { before, after } }: FileChange): boolean =>
  (status === 'M' || status === 'R') && before !== after;
