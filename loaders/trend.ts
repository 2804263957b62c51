import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { roughly } from '../src/model/due-diligence.ts';
import type { Measurements, Metric, Move, PastMeasurement } from '../src/model/due-diligence.ts';
import { ExtractionPool } from './extraction/pool.ts';
import { measureSnapshot, type MeasureOptions } from './measure-snapshot.ts';
import type { CodeDigests } from './metrics/hollow-changes.ts';
import type { SearchedVersions } from './metrics/security/past-secrets.ts';
import { keepChanges } from './snapshot/kept-changes.ts';
import type { OpenSnapshot } from './snapshot/snapshot.ts';
import { SnapshotError } from './snapshot/snapshot-error.ts';
import { openTemporaryFile } from './temporary-file.ts';

/** Of what came and what went in one metric. */
const maxCauses = 3;

/**
 * Measures a repository at the first commit of each of its last quarters, and at its own, the oldest first. Each is what `measure` says
 * of that commit as of its own day; what no two of them share is read, and each version of a file and each commit is read once for all.
 * So many points at most. Throws SnapshotError for a folder without history.
 */
export async function measureTrend(
  opened: OpenSnapshot,
  name: string,
  points: number,
  { vulnerabilities = null, onProgress }: Pick<MeasureOptions, 'vulnerabilities' | 'onProgress'>,
): Promise<PastMeasurement[]> {
  const commits = await opened.quarters(points);
  if (commits.length === 0)
    throw new SnapshotError(
      'no_commits',
      `${opened.source} has no history, and a trend needs one: name a git repository.`,
    );
  const temporary = mkdtempSync(join(tmpdir(), 'trend-'));
  const file = openTemporaryFile();
  const pool = new ExtractionPool();
  try {
    const told = (done: number) => onProgress?.({ repository: name, phase: 'history', done, total: done });
    const keptChanges = await keepChanges(opened.history(), file, told);
    const digests: CodeDigests = new Map();
    const searched: SearchedVersions = new Map();
    const shared = { vulnerabilities, cacheFile: join(temporary, 'measures.sqlite'), digests, searched, pool };
    const past: PastMeasurement[] = [];
    let before: readonly Metric[] | null = null;
    for (const { id, committedAt } of commits) {
      onProgress?.({ repository: name, phase: 'trend', done: past.length, total: commits.length });
      const day = committedAt.slice(0, 10);
      const point = await opened.at(id, keptChanges);
      const { measurements } = await measureSnapshot(point, name, { ...shared, asOf: day });
      await point.close();
      past.push({
        commit: id,
        committed_at: committedAt,
        day,
        ...without(measurements),
        moves: movesBetween(before, measurements.metrics),
      });
      before = measurements.metrics;
    }
    return past;
  } finally {
    await pool.close();
    file.close();
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** What a point is scored by. */
const without = ({ metrics, liveness }: Measurements) => ({
  metrics: metrics.map((metric) => ({ ...metric, evidence: [] })),
  ...(liveness && { liveness }),
});

/** What evidence came and went, of each metric that differs, whatever the numbers in it are. */
function movesBetween(before: readonly Metric[] | null, after: readonly Metric[]): Move[] {
  return (before === null ? [] : after).flatMap((metric) => {
    const old = before?.find(({ id }) => id === metric.id);
    if (!old || old.value === metric.value) return [];
    const move = { metric: metric.id, came: onlyIn(metric, old), went: onlyIn(old, metric) };
    return move.came.length + move.went.length === 0 ? [] : [move];
  });
}

function onlyIn({ evidence }: Metric, other: Metric): Move['came'] {
  const known = new Set(other.evidence.map(roughly));
  return evidence
    .filter((each) => !known.has(roughly(each)))
    .slice(0, maxCauses)
    .map(({ path, note }) => ({ path, note }));
}
