import type { Cache } from '../../kept/cache.ts';
import { changedMiddle } from '../../languages/reading/changed-middle.ts';
import { changedWords, type ChangedWords } from '../../snapshot/changed-words.ts';
import { languageOf } from '../../snapshot/language-of.ts';
import { asUtf8 } from '../../snapshot/as-utf8.ts';
import type { FileChange, HistoryCommit, MergeChange, OpenSnapshot } from '../../snapshot/snapshot.ts';
import { maxHintLength, mayHoldSecrets, mayShowSecrets, secretsIn } from './secrets-in.ts';
import type { SecretFinding } from './secrets-in.ts';

/** A secret that some commit had, by the oldest that is known to have it. */
export interface PastSecret extends SecretFinding {
  path: string;
  commit: string;
}

export interface PastSecrets {
  /** Each secret once, by path, line and rule. */
  found: readonly PastSecret[];
  /** Versions of files that were not looked into, by why. */
  unread: { tooLarge: number; missing: number; beyond: number };
}

/** One version of a file with the one before it. */
interface Version {
  path: string;
  /** Null where the file was taken away. */
  after: string | null;
  before: string | null;
  commit: string;
  /** The greater, the older. */
  age: number;
}

/** What was seen of a version; bytes of both sides. */
interface Look {
  secrets: readonly SecretFinding[];
  bytes: number;
  gap: 'tooLarge' | 'missing' | null;
}

/** Who keeps what commits changed: the versions are at hand here anyway. */
export interface ChangeListener {
  /** Whether this version's lines are worth comparing; `age`: of its commit among all, from 1, the newest first. */
  wants(path: string, age: number): boolean;
  /** In the order of the history, the newest first; null where they could not be looked at. A commit may come twice. */
  hear(age: number, changes: readonly (ChangedWords | null)[]): void;
}

/** Looks that were made before; what one needs not make again. */
export interface SearchedVersions {
  get(key: string): Look | undefined;
  set(key: string, look: Look): void;
}

/** Those that an earlier load kept. */
export const searchedBefore = (kept: Cache): SearchedVersions => ({
  get(key) {
    const text = kept.get(key);
    return text === null ? undefined : (JSON.parse(text) as Look);
  },
  set: (key, look) => kept.put(key, JSON.stringify(look)),
});

/** What was seen of all versions that a commit made. */
interface Searched {
  secrets: readonly (SecretFinding & { path: string })[];
  versions: number;
  bytes: number;
  tooLarge: number;
  missing: number;
}

const nothingSeen: Searched = { secrets: [], versions: 0, bytes: 0, tooLarge: 0, missing: 0 };

/** By commit, and by `merge ` and commit what it made of its sides: for who reads several histories of one repository. */
export type SearchedCommits = Map<string, Searched>;

/** Versions are looked at so many at a time, in one process of git; only two of them are held. */
const maxBatch = 8_192;
/** Beyond, from the newest on, nothing is looked at: a bound on time. */
const maxBytes = 8_000_000_000;
const maxFileBytes = 5_000_000;
/** What is looked at around a change, so that what began before it is seen: more than a secret is long. */
const aroundBytes = 4_096;

/** A commit whose versions are still to be looked at, but for one that is known: it keeps its turn, as there is a bound on bytes. */
interface Waiting extends At {
  key: string;
  before: Searched | undefined;
  versions: readonly Version[];
}

type At = Pick<Version, 'commit' | 'age'>;

/**
 * Looks for secrets in all that the history ever had: in each version of a file only at what the version before did not have, as
 * git's own diffs can be switched off by attributes. Holds what two versions and a batch of names take. What is in `known` is not looked
 * at again, unless a listener wants to hear of it; the rest is added to it.
 */
export function searchHistory(
  { blobs, shallow, mergeChanges }: Pick<OpenSnapshot, 'blobs' | 'shallow' | 'mergeChanges'>,
  known: SearchedCommits = new Map(),
  searched?: SearchedVersions,
  listener?: ChangeListener,
) {
  const found = new Map<string, { place: Omit<PastSecret, 'aside'>; age: number; isAside: boolean }>();
  const unread = { tooLarge: 0, missing: 0, beyond: 0 };
  let bytes = 0;
  let age = 0;
  let batch: Waiting[] = [];
  let waiting = 0;

  const add = ({ commit, age: at }: At, { aside, ...secret }: Searched['secrets'][number]) => {
    const known = found.get(secret.digest);
    const isAside = aside === true && (known?.isAside ?? true);
    const oldest = known && known.age > at ? known : { place: { ...secret, commit }, age: at };
    found.set(secret.digest, { ...oldest, isAside });
  };
  const flush = async () => {
    if (batch.length === 0) return;
    const taken = batch;
    [batch, waiting] = [[], 0];
    const looks = await lookAtAll(taken.flatMap(({ versions }) => versions));
    for (const each of taken) {
      const before = each.before ?? known.get(each.key);
      if (before) {
        unread.beyond += each.versions.length;
        addKnown(each, before);
        continue;
      }
      const seen = seenIn(each.versions, looks);
      unread.beyond += each.versions.length - seen.versions;
      addAll(each, seen);
      if (seen.versions >= each.versions.length) known.set(each.key, seen);
    }
  };
  const addKnown = (at: At, seen: Searched) => {
    if (bytes > maxBytes) unread.beyond += seen.versions;
    else addAll(at, seen);
  };
  const addAll = (at: At, seen: Searched) => {
    bytes += seen.bytes;
    unread.tooLarge += seen.tooLarge;
    unread.missing += seen.missing;
    for (const secret of seen.secrets) add(at, secret);
  };
  /** None of those beyond the bound. */
  const lookAtAll = async (all: readonly Version[]): Promise<ReadonlyMap<Version, Look>> => {
    // Versions of one file follow one another, so that most are read once.
    const versions = [...Map.groupBy(all, ({ path }) => path).values()].flat();
    const keyOf = ({ path, after, before }: Version) => `${after} ${before} ${shallow ? 'shallow ' : ''}${path}`;
    const isWanted = ({ path, age }: Version) => listener !== undefined && age > 0 && listener.wants(path, age);
    // Whose lines are wanted has to be read anyway.
    const looks = new Map<Version, Look>();
    for (const version of searched ? versions : []) {
      const before = isWanted(version) ? undefined : searched?.get(keyOf(version));
      if (before) looks.set(version, before);
    }
    const changes = new Map<number, (ChangedWords | null)[]>();
    const unlooked = versions.filter((version) => !looks.has(version));
    const contents = contentsOf(blobs, unlooked);
    const lookInto = lookerInto(shallow);
    let read = bytes;
    try {
      for (const version of unlooked) {
        if (read > maxBytes) break;
        // One that is twice in a batch is read twice.
        const sides = await contents.of(version);
        const look = lookInto(version, sides);
        looks.set(version, look);
        read += look.bytes;
        const isHere = isWhole(version, sides);
        // What is missing may be there the next time.
        if (isHere) searched?.set(keyOf(version), look);
        if (isWanted(version))
          changes.set(version.age, [...(changes.get(version.age) ?? []), isHere ? wordsOf(sides) : null]);
      }
      for (const [age, each] of [...changes].toSorted(([a], [b]) => a - b)) listener?.hear(age, each);
    } finally {
      await contents.close();
    }
    return looks;
  };
  /** Says whether so many wait that they are to be looked at before the next: to wait for each commit takes longer than to know it. */
  const take = (key: string, commit: string, age: number, changes: readonly Change[]): boolean => {
    const before = listener ? undefined : known.get(key);
    // Of a history that was told before this is every commit.
    if (before && batch.length === 0) {
      addKnown({ commit, age }, before);
      return false;
    }
    const versions = before
      ? nothing
      : changes.filter(isSearched).map((change): Version => ({ ...sidesOf(change), commit, age }));
    if (bytes > maxBytes) unread.beyond += known.get(key)?.versions ?? versions.length;
    else if (before || versions.length > 0) {
      batch.push({ key, before, commit, age, versions });
      waiting += versions.length;
    } else known.set(key, nothingSeen);
    return waiting >= maxBatch;
  };

  return {
    /** Takes the next commits, the newest first, and reads what they changed. */
    async hear(commits: readonly HistoryCommit[]): Promise<void> {
      for (const { id, changes } of commits) {
        age += 1;
        if (changes.length > 0 && take(id, id, age, changes)) await flush();
      }
      await flush();
    },
    /** When all commits have passed. */
    async end(): Promise<PastSecrets> {
      let made: MergeChange[] = [];
      const takeMade = async () => {
        if (take(`merge ${made[0]?.commit}`, made[0]?.commit ?? '', 0, made)) await flush();
      };
      for await (const change of mergeChanges()) {
        if (made[0] && made[0].commit !== change.commit) {
          await takeMade();
          made = [];
        }
        made.push(change);
      }
      if (made.length > 0) await takeMade();
      await flush();
      const all = Array.from(found.values(), ({ place, isAside }) =>
        isAside ? { ...place, aside: true as const } : place,
      );
      return { found: all.toSorted(byPlace), unread };
    },
  };
}

/** Of those that were looked at. */
function seenIn(versions: readonly Version[], looks: ReadonlyMap<Version, Look>): Searched {
  const seen = { versions: 0, bytes: 0, tooLarge: 0, missing: 0 };
  const secrets: Searched['secrets'][number][] = [];
  for (const version of versions) {
    const look = looks.get(version);
    if (!look) continue;
    seen.versions += 1;
    seen.bytes += look.bytes;
    if (look.gap) seen[look.gap] += 1;
    for (const secret of look.secrets) secrets.push({ ...secret, path: version.path });
  }
  return { ...seen, secrets: secrets.length === 0 ? nothing : secrets };
}

type Change = Pick<FileChange, 'path' | 'blobs'>;
const isSearched = ({ path, blobs: { before, after } }: Change) =>
  before !== after && (mayHoldSecrets(path) || languageOf(path) !== null);
const none = /^0+$/;

const sidesOf = ({ path, blobs: { before, after } }: Change) => ({
  path,
  after: none.test(after) ? null : after,
  before: none.test(before) ? null : before,
});

const byPlace = (a: PastSecret, b: PastSecret) =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || (a.digest < b.digest ? -1 : 1);

const isWhole = (version: Version, { after, before }: Sides) =>
  (version.after === null) === (after === null) && (version.before === null) === (before === null);
const nothing: readonly never[] = [];

interface Sides {
  after: Buffer | null;
  before: Buffer | null;
}

/** Both sides of these versions, in their order; what two neighbors share is read once. */
function contentsOf(blobs: OpenSnapshot['blobs'], versions: readonly Version[]) {
  const wanted: string[] = [];
  for (const { after, before } of versions)
    for (const id of [after, before]) if (id !== null && wanted.at(-1) !== id) wanted.push(id);
  const contents = blobs(wanted)[Symbol.asyncIterator]();
  let last: { id: string; bytes: Buffer | null } = { id: '', bytes: null };
  const contentOf = async (id: string | null): Promise<Buffer | null> => {
    if (id !== null && id !== last.id) {
      const { value } = await contents.next();
      last = { id, bytes: value ? Buffer.from(value.buffer, value.byteOffset, value.length) : null };
    }
    return id === null ? null : last.bytes;
  };
  return {
    async of({ after, before }: Version): Promise<Sides> {
      const first = await contentOf(after);
      return { after: first, before: await contentOf(before) };
    },
    close: () => contents.return?.(),
  };
}

const isLarge = (side: Buffer | null) => side !== null && side.length > maxFileBytes;

const wordsOf = ({ after, before }: Sides): ChangedWords =>
  isLarge(after) || isLarge(before) ? { words: [], isWhole: false } : changedWords(after, before);

/**
 * Looks into versions, best those of one file one after the other: most of a version is in the next one, too, so of a file that shows
 * nothing each is looked at where the two differ alone.
 */
function lookerInto(shallow: boolean): (version: Version, sides: Sides) => Look {
  /** The file at hand, and its versions all of which show nothing; null of one that shows something. */
  let file = { path: '', plain: new Set<string | null>() as Set<string | null> | null };
  const isPlain = ({ path, after, before }: Version, sides: Pair, { begin, afterEnd, beforeEnd }: Middle): boolean => {
    if (file.path !== path) file = { path, plain: new Set() };
    const { plain } = file;
    if (plain === null) return false;
    const shows = (whole: Buffer, end: number) => mayShowSecrets(textOf(around(whole, begin, end, maxHintLength)));
    if (!plain.has(after) && (plain.has(before) ? shows(sides.after, afterEnd) : mayShowSecrets(textOf(sides.after)))) {
      file.plain = null;
      return false;
    }
    plain.add(after);
    if (!plain.has(before) && !shows(sides.before, beforeEnd)) plain.add(before);
    return true;
  };
  return (version, { after, before }) => {
    const { path } = version;
    const isMissing = version.after !== null && after === null;
    const gap = isMissing ? 'missing' : isLarge(after) ? 'tooLarge' : null;
    const secrets: SecretFinding[] = [];
    if (after !== null && !isLarge(after)) {
      const middle = before && changedMiddle(after, before);
      const showsNothing = before && middle && !isLarge(before) && isPlain(version, { after, before }, middle);
      const part = middle ? around(after, middle.begin, middle.afterEnd, aroundBytes) : after;
      if (!showsNothing) secrets.push(...secretsAround(part, after, path));
    }
    // What a shallow clone began with, no commit of it has added.
    if (shallow && before !== null && !isLarge(before))
      secrets.push(...secretsAround(changed(before, after), before, path));
    const bytes = (after?.length ?? 0) + (before?.length ?? 0);
    return { secrets: secrets.length === 0 ? nothing : secrets, bytes, gap };
  };
}

interface Pair {
  after: Buffer;
  before: Buffer;
}

type Middle = ReturnType<typeof changedMiddle>;

const textOf = (bytes: Buffer): string => bytes.toString('latin1');

const around = (whole: Buffer, begin: number, end: number, bytes: number): Buffer =>
  whole.subarray(Math.max(0, begin - bytes), end + bytes);

/** The whole says where the secrets of a part are, and what excuses them. */
function secretsAround(part: Buffer, whole: Buffer, path: string): SecretFinding[] {
  const text = textOf(part);
  if (!mayShowSecrets(text) || secretsIn(text, path).length === 0) return [];
  return secretsIn(Buffer.from(asUtf8(whole)).toString(), path);
}

/** What lies between what both begin and end with, and a little around it; all of it where there is nothing to compare with. */
function changed(after: Buffer, before: Buffer | null): Buffer {
  if (before === null) return after;
  const { begin, afterEnd } = changedMiddle(after, before);
  return around(after, begin, afterEnd, aroundBytes);
}
