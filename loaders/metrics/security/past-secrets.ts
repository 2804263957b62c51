import type { Cache } from '../../kept/cache.ts';
import { changedMiddle } from '../../snapshot/changed-middle.ts';
import { changedWords, type ChangedWords } from '../../snapshot/changed-words.ts';
import { languageOf } from '../../snapshot/language-of.ts';
import { asUtf8 } from '../../snapshot/as-utf8.ts';
import type { FileChange, HistoryCommit, OpenSnapshot } from '../../snapshot/snapshot.ts';
import { mayHoldSecrets, mayShowSecrets, secretsIn } from './secrets-in.ts';
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

/** The same, held in memory for who reads several histories of one repository. */
export function searchedOnce(before?: SearchedVersions): SearchedVersions {
  const held = new Map<string, Look>();
  return {
    get(key) {
      const look = held.get(key) ?? before?.get(key);
      if (look) held.set(key, look);
      return look;
    },
    set(key, look) {
      held.set(key, look);
      before?.set(key, look);
    },
  };
}

/** Versions are looked at so many at a time, in one process of git; only two of them are held. */
const maxBatch = 8_192;
/** Beyond, from the newest on, nothing is looked at: a bound on time. */
const maxBytes = 8_000_000_000;
const maxFileBytes = 5_000_000;
/** What is looked at around a change, so that what began before it is seen: more than a secret is long. */
const aroundBytes = 4_096;

/**
 * Looks for secrets in all that the history ever had: in each version of a file only at what the version before did not have, as
 * git's own diffs can be switched off by attributes. Holds what two versions and a batch of names take.
 */
export function searchHistory(
  { blobs, shallow, mergeChanges }: Pick<OpenSnapshot, 'blobs' | 'shallow' | 'mergeChanges'>,
  searched?: SearchedVersions,
  listener?: ChangeListener,
) {
  const found = new Map<string, { place: Omit<PastSecret, 'aside'>; age: number; isAside: boolean }>();
  const unread = { tooLarge: 0, missing: 0, beyond: 0 };
  let bytes = 0;
  let age = 0;
  let batch: Version[] = [];

  const add = ({ path, commit, age: at }: Version, { aside, ...secret }: SecretFinding) => {
    const known = found.get(secret.digest);
    const isAside = aside === true && (known?.isAside ?? true);
    const oldest = known && known.age > at ? known : { place: { ...secret, path, commit }, age: at };
    found.set(secret.digest, { ...oldest, isAside });
  };
  const flush = async () => {
    // Versions of one file follow one another, so that most are read once.
    const versions = [...Map.groupBy(batch, ({ path }) => path).values()].flat();
    batch = [];
    const keyOf = ({ path, after, before }: Version) => `${after} ${before} ${shallow ? 'shallow ' : ''}${path}`;
    const isWanted = ({ path, age }: Version) => listener !== undefined && age > 0 && listener.wants(path, age);
    // Whose lines are wanted has to be read anyway.
    const lookBefore = (version: Version) => (isWanted(version) ? undefined : searched?.get(keyOf(version)));
    const known = new Map(versions.map((version) => [version, lookBefore(version)]));
    const changes = new Map<number, (ChangedWords | null)[]>();
    const contents = contentsOf(
      blobs,
      versions.filter((version) => known.get(version) === undefined),
    );
    const lookAt = async (version: Version) => {
      const sides = await contents.of(version);
      const look = lookInto(version, sides, shallow);
      if (!isWhole(version, sides)) return look;
      // What is missing may be there the next time.
      searched?.set(keyOf(version), look);
      return isWanted(version) ? { ...look, changed: wordsOf(sides) } : look;
    };
    try {
      for (const [index, version] of versions.entries()) {
        if (bytes > maxBytes) {
          unread.beyond += versions.length - index;
          break;
        }
        // One that is twice in a batch is read twice.
        const look: Look & { changed?: ChangedWords } = known.get(version) ?? (await lookAt(version));
        bytes += look.bytes;
        if (look.gap) unread[look.gap] += 1;
        for (const secret of look.secrets) add(version, secret);
        if (isWanted(version)) changes.set(version.age, [...(changes.get(version.age) ?? []), look.changed ?? null]);
      }
      for (const [age, each] of [...changes].toSorted(([a], [b]) => a - b)) listener?.hear(age, each);
    } finally {
      await contents.close();
    }
  };
  const take = async (version: Version) => {
    if (bytes > maxBytes) unread.beyond += 1;
    else if (batch.push(version) >= maxBatch) await flush();
  };

  return {
    /** The same commits, newest first, looked into as they pass. */
    async *hear<C extends HistoryCommit>(commits: AsyncIterable<C>): AsyncGenerator<C, void> {
      for await (const commit of commits) {
        age += 1;
        for (const change of commit.changes)
          if (isSearched(change)) await take({ ...sidesOf(change), commit: commit.id, age });
        yield commit;
      }
    },
    /** When all commits have passed. */
    async end(): Promise<PastSecrets> {
      for await (const change of mergeChanges())
        if (isSearched(change)) await take({ ...sidesOf(change), commit: change.commit, age: 0 });
      await flush();
      const all = Array.from(found.values(), ({ place, isAside }) =>
        isAside ? { ...place, aside: true as const } : place,
      );
      return { found: all.toSorted(byPlace), unread };
    },
  };
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
const nothing: readonly SecretFinding[] = [];

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

function lookInto(version: Version, { after, before }: Sides, shallow: boolean): Look {
  const isMissing = version.after !== null && after === null;
  const gap = isMissing ? 'missing' : isLarge(after) ? 'tooLarge' : null;
  const secrets = [
    ...(after === null || isLarge(after) ? [] : secretsAround(changed(after, before), after, version.path)),
    // What a shallow clone began with, no commit of it has added.
    ...(shallow && before !== null && !isLarge(before)
      ? secretsAround(changed(before, after), before, version.path)
      : []),
  ];
  const bytes = (after?.length ?? 0) + (before?.length ?? 0);
  return {
    secrets: secrets.length === 0 ? nothing : secrets,
    bytes,
    gap,
  };
}

/** The whole says where the secrets of a part are, and what excuses them. */
function secretsAround(part: Buffer, whole: Buffer, path: string): SecretFinding[] {
  const text = part.toString('latin1');
  if (!mayShowSecrets(text) || secretsIn(text, path).length === 0) return [];
  return secretsIn(Buffer.from(asUtf8(whole)).toString(), path);
}

/** What lies between what both begin and end with, and a little around it; all of it where there is nothing to compare with. */
function changed(after: Buffer, before: Buffer | null): Buffer {
  if (before === null) return after;
  const { begin, afterEnd } = changedMiddle(after, before);
  return after.subarray(Math.max(0, begin - aroundBytes), afterEnd + aroundBytes);
}
