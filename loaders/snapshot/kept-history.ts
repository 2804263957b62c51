import { createRowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import type { FileChange, MergeChange, OpenSnapshot } from './snapshot.ts';

/** What each commit of a history changed: comparing trees is what reading a history takes its time for. */
export interface KeptChanges {
  /** Nothing of a commit that is not among them. */
  of(commitId: string): readonly FileChange[];
  /** Likewise what a merge made of its sides that none of these had. */
  ofMerge(commitId: string): readonly MergeChange[];
}

/** More of them lie in the temporary file. */
const maxHeld = 2_000;

/** Reads a history once, so that the history of any commit in it can be told without comparing trees again. */
export async function keepChanges(
  opened: Pick<OpenSnapshot, 'history' | 'mergeChanges'>,
  file: TemporaryFile,
  onCommit: (count: number) => void = () => undefined,
): Promise<KeptChanges> {
  const changes = createRowSpool<readonly FileChange[]>(file, maxHeld);
  const rows = new Map<string, number>();
  for await (const commit of opened.history()) {
    rows.set(commit.id, changes.length);
    changes.add(commit.changes);
    onCommit(changes.length);
  }
  const merges = createRowSpool<MergeChange>(file, maxHeld);
  const mergeRows = new Map<string, number[]>();
  for await (const change of opened.mergeChanges()) {
    mergeRows.set(change.commit, [...(mergeRows.get(change.commit) ?? []), merges.length]);
    merges.add(change);
  }
  return {
    of: (commitId) => {
      const row = rows.get(commitId);
      return row === undefined ? [] : changes.at(row);
    },
    ofMerge: (commitId) => (mergeRows.get(commitId) ?? []).map((row) => merges.at(row)),
  };
}
