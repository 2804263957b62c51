import { createRowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import type { HistoryCommit, MergeChange, OpenSnapshot } from './snapshot.ts';

/** The commits of a history and what each changed: comparing trees is what reading a history takes its time for. */
export interface KeptHistory {
  /** Without the rest of its message, for which no metric asks. Throws RangeError for a commit that is not among them. */
  of(commitId: string): HistoryCommit;
  /** Whether it is among them. */
  has(commitId: string): boolean;
  /** What led to a commit that is among them, in git's own order where all are dated. */
  from(commitId: string): Generator<HistoryCommit, void>;
  /** Whether all have a time that a calendar holds: of others git alone knows which is newer. */
  isDated: boolean;
  /** The ids of these. */
  idsFrom(commitId: string): Generator<string, void>;
  /** What a merge made of its sides that none of these had. */
  ofMerge(commitId: string): readonly MergeChange[];
}

/** More of them lie in the temporary file, and are read again for each history that is told. */
const maxHeld = 20_000;

/** Reads a history once, so that the history of any commit in it can be told without comparing trees again. */
export async function keepHistory(
  opened: Pick<OpenSnapshot, 'history' | 'mergeChanges'>,
  file: TemporaryFile,
  onCommit: (count: number) => void = () => undefined,
): Promise<KeptHistory> {
  const commits = createRowSpool<HistoryCommit>(file, maxHeld);
  const links = new Map<string, Link>();
  const ids: string[] = [];
  const withoutMessage = withOwnWords();
  let isDated = true;
  for await (const commit of opened.history()) {
    const kept = withoutMessage(commit);
    const { id, parents, committedAt } = kept;
    const at = Date.parse(committedAt);
    isDated &&= at > 0;
    links.set(id, { id, row: commits.length, parents, at, before: null });
    ids.push(id);
    commits.add(kept);
    onCommit(commits.length);
  }
  const merges = createRowSpool<MergeChange>(file, maxHeld);
  const mergeRows = new Map<string, number[]>();
  for await (const change of opened.mergeChanges()) {
    mergeRows.set(change.commit, [...(mergeRows.get(change.commit) ?? []), merges.length]);
    merges.add(change);
  }
  const linkOf = (commitId: string) => {
    const link = links.get(commitId);
    if (!link) throw new RangeError(`The history that was read has no commit ${commitId}.`);
    return link;
  };
  const parentsOf = (link: Link) => (link.before ??= link.parents.map(linkOf));
  // Who asks for one asks for it several times, and then for the next.
  let last: { commitId: string; rows: Uint32Array } | null = null;
  const rowsFrom = (commitId: string): Uint32Array => {
    if (last?.commitId !== commitId)
      last = { commitId, rows: newestFirst(linkOf(commitId), parentsOf, commits.length) };
    return last.rows;
  };
  return {
    of: (commitId) => commits.at(linkOf(commitId).row),
    has: (commitId) => links.has(commitId),
    isDated,
    *from(commitId) {
      for (const row of rowsFrom(commitId)) yield commits.at(row);
    },
    *idsFrom(commitId) {
      for (const row of rowsFrom(commitId)) yield ids[row] ?? '';
    },
    ofMerge: (commitId) => (mergeRows.get(commitId) ?? []).map((row) => merges.at(row)),
  };
}

/** Of a long history some are told again. */
const maxWords = 200_000;

/**
 * Commits without their messages, made anew, each word once: as parts of what git printed their words would hold all of that, and most ids
 * and paths are told many times.
 */
function withOwnWords(): (commit: HistoryCommit) => HistoryCommit {
  const words = new Map<string, string>();
  const once = (_: string, value: unknown) => {
    if (typeof value !== 'string') return value;
    const known = words.get(value);
    if (words.size > maxWords) words.clear();
    if (known === undefined) words.set(value, value);
    return known ?? value;
  };
  // Each author is one object already.
  return ({ author, ...commit }) => ({
    ...(JSON.parse(JSON.stringify({ ...commit, body: '' }), once) as HistoryCommit),
    author,
  });
}

/** What the order of commits is made of: held, as a walk asks for many of them before their turn. */
interface Link extends Pick<HistoryCommit, 'id' | 'parents'> {
  row: number;
  /** Committer's time in milliseconds since 1970. */
  at: number;
  /** Its parents, once a walk has come to it. */
  before: readonly Link[] | null;
}

/** The rows, as `git log` tells them: of the commits that one told so far has for a parent the newest is next, and of those as new the one met first. */
function newestFirst(head: Link, parentsOf: (link: Link) => readonly Link[], count: number): Uint32Array {
  const rows = new Uint32Array(count);
  let length = 0;
  /** By row. */
  const met = new Uint8Array(count);
  met[head.row] = 1;
  /** The next one last. */
  const waiting = [head];
  for (let commit = waiting.pop(); commit; commit = waiting.pop()) {
    for (const parent of parentsOf(commit)) {
      if (met[parent.row]) continue;
      met[parent.row] = 1;
      waiting.splice(placeOf(parent, waiting), 0, parent);
    }
    rows[length++] = commit.row;
  }
  return rows.subarray(0, length);
}

/** Before the first that is as new, in a list with the newest last. */
function placeOf({ at }: Link, waiting: readonly Link[]): number {
  let [low, high] = [0, waiting.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((waiting[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
