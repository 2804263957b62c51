import { createHash } from 'node:crypto';
import { roughly } from '../src/model/due-diligence.ts';
import type { Measurements, Metric, Move, PastMeasurement } from '../src/model/due-diligence.ts';
import { analyzerVersion, secretSearchVersion } from './analyzer-version.ts';
import { cacheOfRun, openCache } from './kept/cache.ts';
import { ExtractionPool, startThreads } from './extraction/pool.ts';
import { measureSnapshot, type MeasureOptions } from './measure-snapshot.ts';
import { nothingKnown } from './metrics/hollow-changes.ts';
import { searchedBefore } from './metrics/security/past-secrets.ts';
import { keepHistory } from './snapshot/kept-history.ts';
import type { DatedCommit } from './snapshot/quarters.ts';
import type { OpenSnapshot, Past } from './snapshot/snapshot.ts';
import { SnapshotError } from './snapshot/snapshot-error.ts';
import { openTemporaryFile } from './temporary-file.ts';

/** Of what came and what went in one metric. */
const maxCauses = 3;

/** What is kept of a point. */
type Point = Pick<Measurements, 'metrics' | 'liveness'>;

/**
 * Measures a repository at the first commit of each of its last quarters, and at its own, the oldest first. Each is what `measure` says
 * of that commit as of its own day; what no two of them share is read, and each commit, and each version of a file that stays, is read once for all.
 * What was measured before is taken over from the cache file, if there is one. So many points at most. Throws SnapshotError for a folder
 * without history.
 */
export async function measureTrend(
  opened: OpenSnapshot,
  name: string,
  points: number,
  options: Pick<MeasureOptions, 'vulnerabilities' | 'cacheFile' | 'onProgress'>,
): Promise<PastMeasurement[]> {
  const { cacheFile, onProgress } = options;
  const commits = await opened.quarters(points);
  if (commits.length === 0)
    throw new SnapshotError(
      'no_commits',
      `${opened.source} has no history, and a trend needs one: name a git repository.`,
    );
  const kept = cacheFile === undefined ? null : openCache(cacheFile, 'points', analyzerVersion);
  const measuring = measurePoints(opened, name, options);
  try {
    const past: PastMeasurement[] = [];
    let before: readonly Metric[] | null = null;
    for (const commit of commits) {
      onProgress?.({ repository: name, phase: 'trend', done: past.length, total: commits.length });
      const key = kept && (await keyOf(opened, commit, options));
      const known = key === null ? null : kept?.get(key);
      const { isWhole, ...point } = known
        ? { ...(JSON.parse(known) as Point), isWhole: false }
        : await measuring.at(commit);
      if (key !== null && isWhole) kept?.put(key, JSON.stringify(point));
      past.push({
        commit: commit.id,
        committed_at: commit.committedAt,
        day: dayOf(commit),
        metrics: point.metrics.map((metric) => ({ ...metric, evidence: [] })),
        ...(point.liveness && { liveness: point.liveness }),
        moves: movesBetween(before, point.metrics),
      });
      before = point.metrics;
    }
    return past;
  } finally {
    kept?.close();
    await measuring.close();
  }
}

const dayOf = ({ committedAt }: DatedCommit) => committedAt.slice(0, 10);

/** Of a repository that may lack something; what it lacks today may be there tomorrow. */
const lacks = (warnings: readonly string[]) => warnings.some((warning) => !warning.startsWith('submodules:'));

/** What a point depends on, beside the analyzer; null where the next load may know more of it. */
async function keyOf(
  opened: OpenSnapshot,
  commit: DatedCommit,
  { vulnerabilities }: Pick<MeasureOptions, 'vulnerabilities'>,
): Promise<string | null> {
  if (lacks(opened.warnings)) return null;
  const parts = [opened.name, dayOf(commit), vulnerabilities?.identity ?? null, await opened.tags(commit.id)];
  return `${commit.id} ${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}

/** Measures points of one repository; what they share is read when the first of them is asked for. */
function measurePoints(
  opened: OpenSnapshot,
  name: string,
  { vulnerabilities = null, cacheFile, onProgress }: Parameters<typeof measureTrend>[3],
) {
  const file = openTemporaryFile();
  const kept = cacheFile === undefined ? null : openCache(cacheFile, 'searched', secretSearchVersion);
  const digests = nothingKnown();
  const searched = { commits: new Map(), versions: kept ? searchedBefore(kept) : undefined };
  const shared = {
    vulnerabilities,
    facts: { cache: cacheOfRun(file), last: new Map(), unasked: new Map() },
    digests,
    searched,
    secretsByFile: new Map(),
  };
  const told = (done: number) => onProgress?.({ repository: name, phase: 'history', done, total: done });
  let past: Past | undefined;
  let pool: ExtractionPool | undefined;
  return {
    async at(commit: DatedCommit): Promise<Point & { isWhole: boolean }> {
      past ??= opened.past(await keepHistory(opened, file, told));
      const point = await past.at(commit);
      // Those that are started ahead stay for all points, as what they have compiled does.
      pool ??= poolOfRun();
      const { repository, measurements } = await measureSnapshot(point, name, {
        ...shared,
        pool,
        onlyMetrics: true,
        asOf: dayOf(commit),
      });
      await point.close();
      const { metrics, liveness } = measurements;
      return { metrics, ...(liveness && { liveness }), isWhole: !lacks(repository.warnings) };
    },
    async close(): Promise<void> {
      kept?.close();
      await past?.close();
      await pool?.close();
      file.close();
    },
  };
}

/** Of the first point nobody knows yet whether flows ask for the graph: what is read in vain takes less than reading all of it again. */
function poolOfRun(): ExtractionPool {
  startThreads();
  const pool = new ExtractionPool();
  pool.readsForGraph = true;
  return pool;
}

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
