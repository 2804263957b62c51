import type { Change } from '../../src/model/change.ts';
import { analyzeSnapshot, type AnalyzeOptions } from '../analyze.ts';
import { openRange, type CommitRange } from '../snapshot/commit-range.ts';
import { openSnapshot } from '../snapshot/open-snapshot.ts';
import { compareSides } from './compare-sides.ts';
import { readSide, type Side } from './side.ts';

export type ChangeOptions = Pick<AnalyzeOptions, 'cacheFile' | 'vulnerabilities' | 'onProgress'> & {
  /** Of the repository; by default that of its folder. */
  name?: string;
};

/**
 * What led from one commit to another in the repository around a folder, `BASE..HEAD`. Both are analysed as `analyze` does, each
 * distinct blob once. Throws SnapshotError.
 */
export async function changeOf(folder: string, range: string, options: ChangeOptions = {}): Promise<Change> {
  const found = await openRange(folder, range);
  const { base, head, files, notes } = found;
  // One after the other: what the first has parsed is in the cache for the second.
  const before = await sideOf(
    found,
    base,
    files.map(({ path, oldPath }) => oldPath ?? path),
    options,
  );
  const after =
    base === head
      ? before
      : await sideOf(
          found,
          head,
          files.map(({ path }) => path),
          options,
        );
  const { felt: _felt, ...code } = compareSides(before.side, after.side, files);
  return {
    repository: after.name,
    base,
    head,
    notes: [...notes, ...after.warnings],
    ...code,
    elsewhere: null,
  };
}

interface Analysed {
  name: string;
  side: Side;
  warnings: readonly string[];
}

async function sideOf(
  { root }: CommitRange,
  commit: string,
  changed: readonly string[],
  options: ChangeOptions,
): Promise<Analysed> {
  const opened = await openSnapshot(root, { ref: commit });
  try {
    const name = options.name ?? opened.name;
    const analysis = await analyzeSnapshot(opened, name, options);
    try {
      return { name, side: await readSide(opened, analysis, changed), warnings: analysis.snapshot.repository.warnings };
    } finally {
      analysis.close();
    }
  } finally {
    await opened.close();
  }
}
