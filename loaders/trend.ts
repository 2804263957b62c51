import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MeasuredRepository } from '../src/model/snapshot.ts';
import { ExtractionPool } from './extraction/pool.ts';
import { measureSnapshot, type MeasureOptions } from './measure.ts';
import type { CodeDigests } from './metrics/hollow-changes.ts';
import type { SearchedVersions } from './metrics/security/past-secrets.ts';
import { keepChanges } from './snapshot/kept-changes.ts';
import { openSnapshot } from './snapshot/open-snapshot.ts';
import { firstOfQuarters } from './snapshot/quarters.ts';
import { openTemporaryFile } from './temporary-file.ts';

/** A repository as it was, and the UTC day to which its ages are counted: that of the commit. */
export interface PastMeasurement extends MeasuredRepository {
  day: string;
}

/** Points of a trend, at most. */
export const maxTrendPoints = 24;

/**
 * Measures a repository at the first commit of each of its last quarters, and at the commit that `ref` names, the oldest first. Each
 * is what `measure` says of that commit as of its own day; what no two of them share is read, and each version of a file and each commit
 * is read once for all. Throws SnapshotError, also for a folder without history.
 */
export async function measureTrend(
  folder: string,
  options: Pick<MeasureOptions, 'vulnerabilities' | 'onProgress'> & { name?: string; ref?: string; points?: number },
): Promise<PastMeasurement[]> {
  const { ref, points = maxTrendPoints, vulnerabilities, onProgress } = options;
  const commits = await firstOfQuarters(folder, ref ?? null, points);
  const temporary = mkdtempSync(join(tmpdir(), 'trend-'));
  const file = openTemporaryFile();
  const pool = new ExtractionPool();
  try {
    const last = await openSnapshot(folder, ref === undefined ? {} : { ref });
    const name = options.name ?? last.name;
    const told = (done: number) => onProgress?.({ repository: name, phase: 'history', done, total: done });
    const keptChanges = await keepChanges(last.history(), file, told);
    await last.close();
    const digests: CodeDigests = new Map();
    const searched: SearchedVersions = new Map();
    const past: PastMeasurement[] = [];
    for (const { id, committedAt } of commits) {
      onProgress?.({ repository: name, phase: 'trend', done: past.length, total: commits.length });
      const day = committedAt.slice(0, 10);
      const opened = await openSnapshot(folder, { ref: id, name, keptChanges });
      const own = {
        vulnerabilities: vulnerabilities ?? null,
        cacheFile: join(temporary, 'measures.sqlite'),
        digests,
        searched,
        pool,
      };
      past.push({ ...(await measureSnapshot(opened, name, { ...own, asOf: day })), day });
      await opened.close();
    }
    return past;
  } finally {
    await pool.close();
    file.close();
    rmSync(temporary, { recursive: true, force: true });
  }
}
