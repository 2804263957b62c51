import { diffArrays } from 'diff';
import type { LineHistory } from '../../src/model/snapshot.ts';
import type { HistoryCommit, MergeChange, OpenSnapshot, Person } from '../snapshot/snapshot.ts';

/** Of a file so many changes are gone back, the newest, and as many of merges; what is older is not told. */
const maxVersions = 300;
/** A longer file is data. */
const maxFileBytes = 500_000;
/** Versions that are read together, in one process of git. */
const maxBatch = 1_000;
/** Two versions that differ in more lines are two files. */
const maxEdits = 2_000;
/** Nobody needs more of a subject to know what it was. */
const maxSubject = 120;

/** A change of a file: what became of which; of a merge, of each of its sides. */
interface Version {
  after: string;
  before: readonly string[];
  commit: Commit;
}

interface Commit {
  id: string;
  at: string;
  author: Person;
  subject: string;
  /** Among all, the newest first. */
  order: number;
}

interface Lineage {
  path: string;
  blobId: string;
  versions: Version[];
  merges: Version[];
}

const isNothing = (blob: string) => /^0+$/.test(blob);

/**
 * Which commit each line of a source file was written by, as `git blame` tells it: back from version to version, each line to the side
 * of a change that had it. Hears the history as it passes, so git is asked for nothing but the versions.
 */
export function collectLineHistory({ files, blobs }: Pick<OpenSnapshot, 'files' | 'blobs'>) {
  const lineages = files
    .filter(({ language, size }) => language !== null && size <= maxFileBytes)
    .map(({ path, blobId }): Lineage => ({ path, blobId, versions: [], merges: [] }));
  /** By all names that they have had. */
  const byPath = new Map(lineages.map((lineage) => [lineage.path, new Set([lineage])]));
  const merges = new Map<string, Commit>();
  let order = 0;

  const note = (kind: 'versions' | 'merges', path: string, oldPath: string | null, version: Version) => {
    for (const lineage of byPath.get(path) ?? []) {
      if (lineage[kind].length >= maxVersions) continue;
      lineage[kind].push(version);
      if (oldPath !== null) byPath.set(oldPath, (byPath.get(oldPath) ?? new Set()).add(lineage));
    }
  };

  return {
    /** The next commit, the newest first. */
    hear({ id, authoredAt: at, author, subject, parents, changes }: HistoryCommit): void {
      const told = { id, at, author, subject: shortened(subject), order: order++ };
      if (parents.length > 1) merges.set(id, told);
      for (const { path, oldPath, status, blobs: sides } of changes)
        if (byPath.has(path))
          note('versions', path, status === 'R' ? oldPath : null, {
            after: sides.after,
            before: isNothing(sides.before) ? [] : [sides.before],
            commit: told,
          });
    },

    /** The same changes of merges. */
    async *hearMerges(changes: AsyncIterable<MergeChange>): AsyncGenerator<MergeChange, void> {
      for await (const change of changes) {
        const commit = merges.get(change.commit);
        const before = change.sides.filter((side) => !isNothing(side));
        if (commit !== undefined) note('merges', change.path, null, { after: change.blobs.after, before, commit });
        yield change;
      }
    },

    /** By path, once all has passed; `personOf` says who an author is. */
    async histories(personOf: (author: Person) => LineHistory['commits'][number]['author']) {
      const histories = new Map<string, LineHistory>();
      for (const batch of batchesOf(lineages)) {
        const wanted = [
          ...new Set(
            batch.flatMap(({ blobId, versions, merges }) => [blobId, ...[...versions, ...merges].flatMap(blobsOf)]),
          ),
        ];
        const contents = new Map<string, Uint8Array | null>();
        let next = 0;
        for await (const content of blobs(wanted)) contents.set(wanted[next++] ?? '', content);
        for (const { path, blobId, versions, merges } of batch) {
          const writers = writersOf(blobId, [...versions, ...merges], linesFrom(contents));
          if (writers.some((writer) => writer !== null)) histories.set(path, historyOf(writers, personOf));
        }
      }
      return histories;
    },
  };
}

const shortened = (subject: string) =>
  subject.length <= maxSubject ? subject : `${subject.slice(0, maxSubject - 1).trimEnd()}…`;
const blobsOf = ({ after, before }: Version) => [after, ...before];

function* batchesOf(lineages: readonly Lineage[]): Generator<Lineage[]> {
  let batch: Lineage[] = [];
  let size = 0;
  for (const lineage of lineages.filter(({ versions }) => versions.length > 0)) {
    batch.push(lineage);
    size += lineage.versions.length + lineage.merges.length;
    if (size < maxBatch) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** The lines of a version, each as a number that equal lines have; null of one that is not at hand. */
function linesFrom(contents: ReadonlyMap<string, Uint8Array | null>): (blob: string) => readonly number[] | null {
  const numbers = new Map<string, number>();
  const known = new Map<string, readonly number[] | null>();
  const numberOf = (line: string) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  };
  return (blob) => {
    let lines = known.get(blob);
    if (lines === undefined) {
      const content = contents.get(blob) ?? null;
      const text = content === null || content.length > maxFileBytes ? null : Buffer.from(content).toString('latin1');
      lines = text === null ? null : text.replace(/\n$/, '').split('\n').map(numberOf);
      known.set(blob, lines);
    }
    return lines;
  };
}

/** Of each line its commit; null where it is older than what is known. */
function writersOf(
  blobId: string,
  versions: readonly Version[],
  linesOf: (blob: string) => readonly number[] | null,
): (Commit | null)[] {
  const writers: (Commit | null)[] = (linesOf(blobId) ?? []).map(() => null);
  const byResult = Map.groupBy(
    versions.toSorted((a, b) => a.commit.order - b.commit.order),
    ({ after }) => after,
  );
  // Lines of a version, each with its number in the file as it is.
  const open = [{ blob: blobId, order: -1, lines: writers.map((_, line) => ({ line, at: line })) }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { blob, order } = item;
    const version = byResult.get(blob)?.find(({ commit }) => commit.order > order);
    const after = linesOf(blob);
    if (version === undefined || after === null) continue;
    let left = item.lines;
    for (const side of version.before) {
      const before = linesOf(side);
      const cameFrom = before === null ? null : matched(before, after);
      // What is not at hand may have had all of them.
      const passed = left.flatMap(({ line, at }) => {
        const from = cameFrom === null ? 0 : (cameFrom[at] ?? -1);
        return from === -1 ? [] : [{ line, at: from }];
      });
      const gone = new Set(passed.map(({ line }) => line));
      left = left.filter(({ line }) => !gone.has(line));
      if (cameFrom !== null && passed.length > 0) open.push({ blob: side, order: version.commit.order, lines: passed });
    }
    for (const { line } of left) writers[line] = version.commit;
  }
  return writers;
}

/** Of each line of what a text became, where it was before; -1 of a new one. */
function matched(before: readonly number[], after: readonly number[]): Int32Array {
  const cameFrom = new Int32Array(after.length).fill(-1);
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) cameFrom[start] = start++;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) {
    end += 1;
    cameFrom[after.length - end] = before.length - end;
  }
  const middle = (lines: readonly number[]) => lines.slice(start, lines.length - end);
  let [from, to] = [start, start];
  for (const { count, added, removed } of diffArrays(middle(before), middle(after), { maxEditLength: maxEdits }) ?? [])
    if (added) to += count;
    else if (removed) from += count;
    else for (let line = 0; line < count; line++) cameFrom[to++] = from++;
  return cameFrom;
}

/** Runs of lines of one commit; the commits in the order in which they are met. */
function historyOf(
  writers: readonly (Commit | null)[],
  personOf: (author: Person) => LineHistory['commits'][number]['author'],
): LineHistory {
  const commits = [...new Set(writers.filter((writer) => writer !== null))];
  const places = new Map(commits.map((commit, place) => [commit, place]));
  const runs: [number, number | null][] = [];
  for (const writer of writers) {
    const place = writer === null ? null : (places.get(writer) ?? null);
    const last = runs.at(-1);
    if (last !== undefined && last[1] === place) last[0] += 1;
    else runs.push([1, place]);
  }
  return {
    commits: commits.map(({ id, at, author, subject }) => ({ id, at, author: personOf(author), subject })),
    runs,
  };
}
