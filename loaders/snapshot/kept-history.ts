import { createRowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import type { HistoryCommit, MergeChange, OpenSnapshot } from './snapshot.ts';

/** A commit without what its author is called, which each mailmap says anew, and the rest of its message, for which no metric asks. */
export type KeptCommit = Omit<HistoryCommit, 'author' | 'body'>;

/** The commits of a history and what each changed: comparing trees is what reading a history takes its time for. */
export interface KeptHistory {
  /** Throws RangeError for a commit that is not among them. */
  of(commitId: string): KeptCommit;
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
  const commits = createRowSpool<KeptCommit>(file, maxHeld);
  const rows = new Map<string, number>();
  for await (const { author: _, body: __, ...commit } of opened.history()) {
    rows.set(commit.id, commits.length);
    commits.add(commit);
    onCommit(commits.length);
  }
  const merges = createRowSpool<MergeChange>(file, maxHeld);
  const mergeRows = new Map<string, number[]>();
  for await (const change of opened.mergeChanges()) {
    mergeRows.set(change.commit, [...(mergeRows.get(change.commit) ?? []), merges.length]);
    merges.add(change);
  }
  return {
    of(commitId) {
      const row = rows.get(commitId);
      if (row === undefined) throw new RangeError(`The history that was read has no commit ${commitId}.`);
      return commits.at(row);
    },
    ofMerge: (commitId) => (mergeRows.get(commitId) ?? []).map((row) => merges.at(row)),
  };
}
