import { createRowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import type { FileChange, HistoryCommit } from './snapshot.ts';

/** What each commit of a history changed: comparing trees is what reading a history takes its time for. */
export interface KeptChanges {
  /** Nothing of a commit that is not among them. */
  of(commitId: string): readonly FileChange[];
}

/** More of them lie in the temporary file. */
const maxHeld = 2_000;

/** Reads a history once, so that the history of any commit in it can be told without comparing trees again. */
export async function keepChanges(
  commits: AsyncIterable<HistoryCommit>,
  file: TemporaryFile,
  onCommit: (count: number) => void = () => undefined,
): Promise<KeptChanges> {
  const changes = createRowSpool<readonly FileChange[]>(file, maxHeld);
  const rows = new Map<string, number>();
  for await (const commit of commits) {
    rows.set(commit.id, changes.length);
    changes.add(commit.changes);
    onCommit(changes.length);
  }
  return {
    of: (commitId) => {
      const row = rows.get(commitId);
      return row === undefined ? [] : changes.at(row);
    },
  };
}
