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

/** What is compared is kept for so many changes, those weighed first. */
const maxKeptChanges = 500_000;

/** What is known of the versions of a repository's files, for who weighs several of its histories in turn. */
export interface KnownVersions {
  /** Blobs that are compared, each under its number. */
  ids: string[];
  numbers: Map<string, number>;
  /** What the code of a blob says, by language and number; null where it can't be read or is too large. */
  digests: Map<string, Map<number, { digest: number; bytes: number } | null>>;
  /** What is compared of commits, by id, as long as the languages of their files are called the same. */
  commits: { languages: string; changes: number; compared: Map<string, Compared> };
}

export const nothingKnown = (): KnownVersions => ({
  ids: [],
  numbers: new Map(),
  digests: new Map(),
  commits: { languages: '', changes: 0, compared: new Map() },
});

/** Of a commit's changes, in their order, the weight where nothing needs to be compared for it. */
type Compared = readonly (Weight | Pair)[];

/** Two versions, by their numbers. */
interface Pair {
  before: number;
  after: number;
  language: string;
}

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
export function weighing({ files, blobs }: Pick<OpenSnapshot, 'files' | 'blobs'>, shared?: KnownVersions): Weighing {
  const known = shared ?? nothingKnown();
  const languages = new Map<string, string>();
  // Of what reads like code under another name, others with its ending do not.
  for (const { path, countedAs } of files)
    if (countedAs.language !== null) languages.set(countedAs.byContent ? path : endingOf(path), countedAs.language);
  const comparedBefore = shared && keptFor(shared, languages);
  const digests = new Map<number, number>();
  let bytes = 0;
  const languageOf = ({ path }: FileChange) => languages.get(path) ?? languages.get(endingOf(path)) ?? null;
  const knownIn = (language: string) => {
    const before = known.digests.get(language) ?? new Map();
    known.digests.set(language, before);
    return before;
  };
  const numberOf = (id: string): number => {
    const before = known.numbers.get(id);
    if (before !== undefined) return before;
    known.numbers.set(id, known.ids.length);
    return known.ids.push(id) - 1;
  };
  const compared = (change: FileChange): Weight | Pair => {
    const language = languageOf(change);
    if (language === null) return null;
    const { before, after } = change.blobs;
    if (before === after) return 'hollow';
    if (!isCompared(change)) return 'code';
    // Beyond, none is read any more: what is not known stays unknown.
    if (bytes >= maxBytes && !(known.numbers.has(before) && known.numbers.has(after))) return 'code';
    return { before: numberOf(before), after: numberOf(after), language };
  };
  const comparedOf = ({ id, changes }: HistoryCommit): Compared => {
    const before = comparedBefore?.get(id);
    if (before) return before;
    const each = changes.map(compared);
    if (comparedBefore && bytes < maxBytes && known.commits.changes < maxKeptChanges) {
      known.commits.changes += each.length;
      comparedBefore.set(id, each);
    }
    return each;
  };

  /** Languages by blob. A function of its own, as it waits for nothing and sees all changes of a history. */
  const wantedBy = (commits: readonly HistoryCommit[]): Map<number, string> => {
    const wanted = new Map<number, string>();
    for (const commit of commits)
      for (const pair of comparedOf(commit)) {
        if (!isPair(pair)) continue;
        const { before, after, language } = pair;
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
    const unread: string[] = [];
    for (const [number, language] of wanted) if (!knownIn(language).has(number)) unread.push(known.ids[number] ?? '');
    const contents = blobs(unread)[Symbol.asyncIterator]();
    try {
      for (const [number, language] of wanted) {
        const before = knownIn(language);
        if (!before.has(number)) before.set(number, digestOf((await contents.next()).value ?? null, language));
        const version = before.get(number);
        if (!version) continue;
        bytes += version.bytes;
        digests.set(number, version.digest);
        if (bytes >= maxBytes) break;
      }
    } finally {
      await contents.return?.();
    }
  };
  const weightOf = (pair: Weight | Pair): Weight => {
    if (!isPair(pair)) return pair;
    const digest = digests.get(pair.after);
    return digest !== undefined && digest === digests.get(pair.before) ? 'hollow' : 'code';
  };
  let next: readonly HistoryCommit[] = [];
  /** Of these; null until somebody has read something. */
  let expected: ReadonlyMap<number, string> | null = null;
  let taken = 0;
  return {
    expect(commits) {
      next = commits;
      expected = null;
      taken = 0;
    },
    take(id, content) {
      expected ??= wantedBy(next);
      const number = known.numbers.get(id);
      const language = number === undefined ? undefined : expected.get(number);
      if (number === undefined || language === undefined || bytes + taken >= maxBytes) return;
      const before = knownIn(language);
      if (before.has(number)) return;
      const version = digestOf(content, language);
      taken += version?.bytes ?? 0;
      before.set(number, version);
    },
    async weigh(commits) {
      next = [];
      expected = null;
      if (bytes < maxBytes) await digestAll(commits);
      return commits.map((commit) => comparedOf(commit).map(weightOf));
    },
  };
}

/** What is kept for these languages; what was for others is dropped. */
function keptFor({ commits }: KnownVersions, languages: ReadonlyMap<string, string>): Map<string, Compared> {
  const called = JSON.stringify([...languages].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (commits.languages !== called) {
    commits.languages = called;
    commits.changes = 0;
    commits.compared = new Map();
  }
  return commits.compared;
}

const isPair = (compared: Weight | Pair): compared is Pair => typeof compared === 'object' && compared !== null;

function digestOf(content: Uint8Array | null, language: string) {
  if (content === null || content.length > maxFileBytes) return null;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  return { digest: codeDigest(bytes, commentSyntax(language)), bytes: content.length };
}

/** Files of one ending are of one language, also those that are gone or had another name. */
const endingOf = (path: string) => posix.extname(path) || posix.basename(path);

const isCompared = ({ status, blobs: { before, after } }: FileChange): boolean =>
  (status === 'M' || status === 'R') && before !== after;
