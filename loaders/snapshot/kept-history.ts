import { createRowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import type { HistoryCommit, MergeChange, OpenSnapshot } from './snapshot.ts';

/** The commits of a history and what each changed: comparing trees is what reading a history takes its time for. */
export interface KeptHistory {
  /** Without the rest of its message, for which no metric asks. Throws RangeError for a commit that is not among them. */
  of(commitId: string): HistoryCommit;
  /** Whether it is among them. */
  has(commitId: string): boolean;
  /** What led to a commit that is among them, in git's own order. */
  from(commitId: string): Generator<HistoryCommit, void>;
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
  const rows = new Map<string, number>();
  for await (const commit of opened.history()) {
    rows.set(commit.id, commits.length);
    commits.add({ ...commit, body: '' });
    onCommit(commits.length);
  }
  const merges = createRowSpool<MergeChange>(file, maxHeld);
  const mergeRows = new Map<string, number[]>();
  for await (const change of opened.mergeChanges()) {
    mergeRows.set(change.commit, [...(mergeRows.get(change.commit) ?? []), merges.length]);
    merges.add(change);
  }
  const of = (commitId: string) => {
    const row = rows.get(commitId);
    if (row === undefined) throw new RangeError(`The history that was read has no commit ${commitId}.`);
    return commits.at(row);
  };
  return {
    of,
    has: (commitId) => rows.has(commitId),
    from: (commitId) => newestFirst(of(commitId), of),
    ofMerge: (commitId) => (mergeRows.get(commitId) ?? []).map((row) => merges.at(row)),
  };
}

/** As `git log` does: of the commits that one told so far has for a parent the newest is next, and of those as new the one met first. */
function* newestFirst(head: HistoryCommit, of: KeptHistory['of']): Generator<HistoryCommit, void> {
  const met = new Set([head.id]);
  /** The next one last. */
  const waiting = [head];
  for (let commit = waiting.pop(); commit; commit = waiting.pop()) {
    for (const id of commit.parents) {
      if (met.has(id)) continue;
      met.add(id);
      const parent = of(id);
      let at = waiting.length;
      while (at > 0 && (waiting[at - 1]?.committedAt ?? '') >= parent.committedAt) at -= 1;
      waiting.splice(at, 0, parent);
    }
    yield commit;
  }
}
