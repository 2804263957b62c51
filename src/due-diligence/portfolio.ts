import { metricCatalog } from '../model/due-diligence.ts';
import type { Liveness, Measurements, Metric, MetricId } from '../model/due-diligence.ts';
import { median } from '../model/median.ts';
import { absenceFactor, truckFactor, workOf } from '../model/people.ts';
import type { PipelineRun } from '../stores/relational/port.ts';
import { assess, remediationHours } from './assess.ts';
import type { Assessment, Bounds, ScoreBounds } from './assess.ts';
import { sumOfRemediations } from './remediation.ts';
import type { Rate } from './remediation.ts';

/** How one metric of many repositories becomes one of the portfolio. */
type Fold = 'sum' | 'ratio' | 'median' | 'kinds' | 'people';

/** What is not a ratio of sums, which most are. */
const folds: Partial<Record<MetricId, Fold>> = {
  loc_code: 'sum',
  source_file_count: 'sum',
  language_count: 'kinds',
  skipped_test_count: 'sum',
  ci_workflow_count: 'sum',
  release_interval_median_days: 'median',
  change_lead_time_median_hours: 'median',
  build_system_count: 'kinds',
  direct_dependency_count: 'sum',
  dependency_staleness_days: 'median',
  external_service_count: 'kinds',
  hardcoded_endpoint_count: 'sum',
  active_contributors_12m: 'people',
  contributor_absence_factor_12m: 'people',
  truck_factor: 'people',
  active_week_pct_12m: 'people',
  secret_finding_count: 'sum',
  security_pattern_finding_count: 'sum',
  known_vulnerable_dependency_count: 'sum',
};

/** A kind must have a hundredth of the whole to count, where kinds are counted by lines. */
const minShare: Partial<Record<MetricId, number>> = { language_count: 0.01 };

interface Measured {
  run: Pick<PipelineRun, 'repository' | 'committed_at'>;
  measurements: Measurements;
}

/** All repositories as one; its costs are the sum of theirs, for what is good in one puts nothing right in another. */
export function assessPortfolio(
  repositories: readonly (Measured & { assessment: Assessment })[],
  rate: Rate,
  day: string | null,
): Assessment {
  const measured = { metrics: portfolioMetrics(repositories), liveness: livenessOf(repositories) };
  const assessment = assess(measured, rate, day, boundsOf(repositories));
  const remediation = sumOfRemediations(
    repositories.map((each) => each.assessment.remediation),
    rate,
  );
  const hours = remediationHours(
    remediation,
    repositories.flatMap((each) => each.assessment.factors),
  );
  const matrix = assessment.matrix.map((metric) => (metric.id === hours.id ? hours : metric));
  return { ...assessment, matrix, remediation };
}

/**
 * A whole is never better than its best part, nor worse than its worst: of every factor, every dimension and all. Two people in two
 * repositories replace nobody, and what is counted does not come to more for standing in many repositories.
 */
function boundsOf(repositories: readonly { assessment: Assessment }[]): ScoreBounds {
  const all = repositories.map(({ assessment }) => assessment);
  return {
    factors: boundsById(all.flatMap(({ factors }) => factors.map(({ definition: { id }, score }) => ({ id, score })))),
    dimensions: boundsById(all.flatMap(({ dimensions }) => dimensions)),
    overall: boundsById(all.map(({ score }) => ({ id: 'overall', score }))).get('overall') ?? { worst: 0, best: 100 },
  };
}

function boundsById(scores: readonly { id: string; score: number | null }[]): Map<string, Bounds> {
  const bounds = new Map<string, Bounds>();
  for (const { id, score } of scores) {
    if (score === null) continue;
    const { worst, best } = bounds.get(id) ?? { worst: score, best: score };
    bounds.set(id, { worst: Math.min(worst, score), best: Math.max(best, score) });
  }
  return bounds;
}

/** As alive as the one that is most so; it is over where each of them says so. */
function livenessOf(repositories: readonly Measured[]): Liveness {
  const all = repositories.flatMap(({ measurements: { liveness } }) => liveness ?? []);
  const newest = (times: readonly (string | null)[]) =>
    times.filter((time) => time !== null).toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
  const isOver = all.length === repositories.length && all.every(({ notices }) => notices.length > 0);
  return {
    last_human_commit_at: newest(all.map((each) => each.last_human_commit_at)),
    last_release_at: newest(all.map((each) => each.last_release_at)),
    notices: isOver ? all.flatMap(({ notices }) => notices) : [],
  };
}

/**
 * The portfolio's own measurements: sums, ratios of sums (never means of ratios), people counted once over all repositories.
 * What no repository could measure stays null with the reason that most of them give.
 */
export function portfolioMetrics(repositories: readonly Measured[]): Metric[] {
  const people = merge(repositories);
  return metricCatalog.flatMap(({ id }): Metric[] => {
    const all = repositories.flatMap(({ run, measurements }) => {
      const metric = measurements.metrics.find((each) => each.id === id);
      return metric ? [{ repository: run.repository, metric }] : [];
    });
    const [first] = all;
    if (!first) return [];
    const measured = all.filter(({ metric }) => metric.value !== null);
    const quantities = sumUp(measured.map(({ metric }) => metric.quantities));
    const metrics = measured.map(({ metric }) => metric);
    // Of a median, of kinds and of people the parts of the repositories don't add up to the whole.
    const addsUp = ['sum', 'ratio'].includes(folds[id] ?? 'ratio');
    const value = measured.length === 0 ? null : foldOf(id, metrics, quantities, people);
    const evidence = measured
      .toSorted((a, b) => (b.metric.value ?? 0) - (a.metric.value ?? 0) || (a.repository < b.repository ? -1 : 1))
      .map(({ repository, metric }) => ({
        path: null,
        line: null,
        commit: null,
        note: `${repository}: ${metric.value}`,
      }));
    return [
      {
        ...first.metric,
        value: value === null ? null : Math.round(value * 10_000) / 10_000,
        status: value === null ? (mostFrequent(all.map(({ metric }) => metric.status)) ?? 'not_measured') : 'measured',
        reason: value === null ? mostFrequent(all.map(({ metric }) => metric.reason)) : null,
        numerator: value === null || !addsUp ? null : total(metrics, 'numerator'),
        denominator: value === null || !addsUp ? null : total(metrics, 'denominator'),
        quantities,
        evidence: evidence.slice(0, 100),
        evidence_count: evidence.length,
      },
    ];
  });
}

function foldOf(
  id: MetricId,
  metrics: readonly Metric[],
  quantities: Record<string, number>,
  people: People,
): number | null {
  const values = metrics.map(({ value }) => value ?? 0);
  switch (folds[id] ?? 'ratio') {
    case 'sum':
      return values.reduce((sum, value) => sum + value, 0);
    case 'median':
      return median(values);
    case 'kinds': {
      const whole = Object.values(quantities).reduce((sum, value) => sum + value, 0);
      const kinds = Object.entries(quantities).filter(([name]) => name.startsWith('kind '));
      const least = minShare[id] ?? 0;
      return kinds.filter(([, value]) => value > 0 && value >= whole * least).length;
    }
    case 'people':
      return peopleFigure(id, people);
    case 'ratio': {
      const denominator = total(metrics, 'denominator');
      if (denominator === null) return values.reduce((sum, value) => sum + value, 0) / values.length;
      return denominator === 0 ? null : (100 * (total(metrics, 'numerator') ?? 0)) / denominator;
    }
  }
}

interface People {
  /** Of each person with commits within twelve months who is no bot. */
  commits: ReadonlyMap<string, { commits_12m: number; code_commits_12m: number }>;
  weeks: ReadonlySet<number>;
  authorship: readonly { authors: readonly string[]; files: number }[];
}

/** Weeks of each repository are counted back from its own last commit; here from the newest of all. */
function merge(all: readonly Measured[]): People {
  const commits = new Map<string, { commits_12m: number; code_commits_12m: number }>();
  const weeks = new Set<number>();
  const personOf = personsOf(all);
  const newest = Math.max(...all.map(({ run }) => Date.parse(run.committed_at ?? '')).filter(Number.isFinite));
  for (const { run, measurements } of all) {
    const committedAt = Date.parse(run.committed_at ?? '');
    const weeksBefore = Number.isFinite(committedAt) ? Math.floor((newest - committedAt) / weekMs) : 0;
    for (const {
      id: own,
      bot,
      commits_12m: count,
      code_commits_12m: code = 0,
      weeks_12m: active,
    } of measurements.people) {
      if (bot || count === 0) continue;
      const id = personOf(own);
      const before = commits.get(id);
      commits.set(id, {
        commits_12m: (before?.commits_12m ?? 0) + count,
        code_commits_12m: (before?.code_commits_12m ?? 0) + code,
      });
      for (const week of active) if (week + weeksBefore < weeksOfYear) weeks.add(week + weeksBefore);
    }
  }
  const authorship = all.flatMap(({ measurements }) =>
    measurements.authorship.map(({ authors, files }) => ({ authors: [...new Set(authors.map(personOf))], files })),
  );
  return { commits, weeks, authorship };
}

/** Whose addresses are one person's in one repository is one person in all; the smallest id stands for all of them. */
export function personsOf(all: readonly { measurements: Pick<Measurements, 'people'> }[]): (id: string) => string {
  const before = new Map<string, string>();
  const find = (id: string): string => {
    let at = id;
    for (let next = before.get(at); next !== undefined; next = before.get(at)) at = next;
    return at;
  };
  for (const { measurements } of all)
    for (const { id, also = [] } of measurements.people)
      for (const other of also) {
        const [one, two] = [find(id), find(other)];
        if (one !== two) before.set(one < two ? two : one, one < two ? one : two);
      }
  return find;
}

const weekMs = 7 * 86_400_000;
const weeksOfYear = 52;

function peopleFigure(id: MetricId, { commits, weeks, authorship }: People): number {
  if (id === 'active_contributors_12m') return commits.size;
  if (id === 'active_week_pct_12m') return (100 * weeks.size) / weeksOfYear;
  const people = [...commits.values()];
  return id === 'truck_factor' ? truckFactor(authorship) : absenceFactor(people.map(workOf(people)));
}

function sumUp(all: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const each of all) for (const [name, value] of Object.entries(each)) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}

/** Null where no metric has it. */
function total(metrics: readonly Metric[], key: 'numerator' | 'denominator'): number | null {
  const known = metrics.map((metric) => metric[key]).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function mostFrequent<T>(values: readonly T[]): T | null {
  const groups = [...Map.groupBy(values, (value) => value).values()].toSorted((a, b) => b.length - a.length);
  return groups[0]?.[0] ?? null;
}
