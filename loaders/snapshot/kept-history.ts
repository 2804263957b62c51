import { createRowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import type { HistoryCommit, MergeChange, OpenSnapshot } from './snapshot.ts';

/** What a commit is, whoever its author is called by then. */
export type KeptCommit = Omit<HistoryCommit, 'author'>;

/** The commits of a history and what each changed: comparing trees is what reading a history takes its time for. */
export interface KeptHistory {
  /** Throws RangeError for a commit that is not among them. */
  of(commitId: string): KeptCommit;
  /** What a merge made of its sides that none of these had. */
  ofMerge(commitId: string): readonly MergeChange[];
}

/** More of them lie in the temporary file. */
const maxHeld = 2_000;

/** Reads a history once, so that the history of any commit in it can be told without comparing trees again. */
export async function keepHistory(
  opened: Pick<OpenSnapshot, 'history' | 'mergeChanges'>,
  file: TemporaryFile,
  onCommit: (count: number) => void = () => undefined,
): Promise<KeptHistory> {
  const commits = createRowSpool<KeptCommit>(file, maxHeld);
  const rows = new Map<string, number>();
  for await (const { author: _, ...commit } of opened.history()) {
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
