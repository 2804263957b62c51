import { LRUCache } from 'lru-cache';
import type { Measurements } from '../model/due-diligence.ts';
import type { NamedRun, NamedRunReader } from '../tenancy/named-runs.ts';
import type { Looker, View } from '../tenancy/view.ts';
import { assess, scoresOf } from './assess.ts';
import type { Assessment, Score } from './assess.ts';
import type { Population } from './population/population.ts';
import { insightsOf } from './portfolio-insights.ts';
import type { Insights } from './portfolio-insights.ts';
import { summaryOfPortfolio } from './portfolio-summary.ts';
import { assessPortfolio } from './portfolio.ts';
import type { Rate } from './remediation.ts';
import { dayOf } from './standing.ts';
import { trendOf } from './trend.ts';
import type { TrendPoint } from './trend.ts';

/** What only the page of one repository shows: not held for all of them. */
export type Details = Pick<
  Measurements,
  'hotspots' | 'activity' | 'left_out' | 'supply' | 'past' | 'architecture' | 'knowledge' | 'ownership'
>;

/** A repository as of its latest run that succeeded. */
export interface AssessedRepository {
  run: NamedRun;
  measurements: Omit<Measurements, keyof Details>;
  assessment: Assessment;
  /** What the last points of its history came to, each on its day, the oldest first; none where none were measured. */
  points: { committed_at: string; score: Score }[];
}

export interface AssessedPortfolio {
  repositories: AssessedRepository[];
  assessment: Assessment;
  insights: Insights;
  summary: ReturnType<typeof summaryOfPortfolio>;
}

/** What one run of a repository came to, on the day that it was completed. */
export interface PastScore {
  run: NamedRun;
  score: Score;
}

/** Reads runs and says what they come to on a day, which is worked out once. Where no time is given, the day is today's. */
export interface Assessments {
  /** Null where the repository has no run. */
  repository(name: string, asOf?: string): Promise<AssessedRepository | null>;
  /** The latest runs that succeeded, of each repository or of one, by repository. */
  runs(repository?: string): Promise<NamedRun[]>;
  /** `trend`: what its points come to. */
  details(run: NamedRun): Promise<Details & { trend: TrendPoint[] }>;
  portfolio(asOf?: string): Promise<AssessedPortfolio>;
  /** What the last runs until then came to, so many of each repository or of one, by repository; the newest first. */
  trends(options: { last: number; repository?: string; asOf?: string }): Promise<ReadonlyMap<string, PastScore[]>>;
}

/** The assessments of what a caller sees. */
export type AssessmentsOf = (looker: Looker) => Promise<Assessments>;

/** So many points of each repository are held: three years. */
export const maxPoints = 12;

/** Read at once, as a run's metrics are some ten kilobytes. */
const batchSize = 100;

/** What runs come to, by day and id, whoever looks: a run is read only by who sees its repository. */
interface Known {
  repositories: LRUCache<string, Omit<AssessedRepository, 'run'>>;
  /** By id: of each run on its own day. */
  scores: LRUCache<string, Score>;
  /** By day, and the runs with the names of their repositories as they are seen. */
  portfolios: LRUCache<string, AssessedPortfolio>;
}

/** What repositories are assessed by. */
export interface Yardstick {
  rate: Rate;
  population: Population;
}

export function createAssessments(
  viewOf: (looker: Looker) => Promise<Pick<View, 'runs'>>,
  yardstick: Yardstick,
): AssessmentsOf {
  const known: Known = {
    repositories: new LRUCache({ max: 2_000 }),
    scores: new LRUCache({ max: 20_000 }),
    portfolios: new LRUCache({
      maxSize: 4_000,
      sizeCalculation: ({ repositories }) => Math.max(1, repositories.length),
    }),
  };
  return async (looker) => assessmentsOf((await viewOf(looker)).runs, yardstick, known);
}

function assessmentsOf(runs: NamedRunReader, { rate, population }: Yardstick, known: Known): Assessments {
  const assessed = async (run: NamedRun, day: string): Promise<AssessedRepository | null> => {
    const key = `${day} ${run.id}`;
    const before = known.repositories.get(key);
    if (before) return { run, ...before };
    const all = await runs.measurements(run.id);
    if (!all) return null;
    const {
      hotspots: _hotspots,
      activity: _activity,
      left_out: _leftOut,
      supply: _supply,
      past = [],
      architecture: _architecture,
      knowledge: _knowledge,
      ownership: _ownership,
      ...measurements
    } = all;
    const result = {
      measurements,
      assessment: population.ranked(assess(measurements, rate, day)),
      points: past.slice(-maxPoints).map((point) => ({
        committed_at: point.committed_at,
        score: scoresOf(point, point.day).overall,
      })),
    };
    known.repositories.set(key, result);
    return { run, ...result };
  };
  const all = async (list: readonly NamedRun[], day: string) => {
    const results: AssessedRepository[] = [];
    for (const run of list) {
      // One that was removed meanwhile is left out.
      const result = await assessed(run, day);
      if (result) results.push(result);
    }
    return results;
  };

  return {
    async repository(name, asOf) {
      const [run] = await runs.latest({ repository: name, ...(asOf === undefined ? {} : { asOf }) });
      return run ? assessed(run, dayOf(asOf)) : null;
    },
    runs: (repository) => runs.latest(repository === undefined ? {} : { repository }),
    async details({ id }) {
      const measured = await runs.measurements(id);
      return { ...measured, trend: trendOf(measured?.past, rate) };
    },
    async portfolio(asOf) {
      const day = dayOf(asOf);
      const latest = await runs.latest(asOf === undefined ? {} : { asOf });
      const key = JSON.stringify([day, ...latest.map(({ id, repository, full_name: name }) => [id, repository, name])]);
      const before = known.portfolios.get(key);
      if (before) return before;
      const repositories = await all(latest, day);
      const assessment = assessPortfolio(repositories, rate, day);
      const insights = insightsOf(repositories);
      const summary = summaryOfPortfolio(assessment, repositories, insights);
      const portfolio = { repositories, assessment, insights, summary };
      // What was removed meanwhile may be there again.
      if (repositories.length === latest.length) known.portfolios.set(key, portfolio);
      return portfolio;
    },
    async trends(options) {
      const past = await runs.succeeded(options);
      const scores = new Map<string, Score>();
      const days = new Map(past.map(({ id, completed_at: at }) => [id, dayOf(at ?? undefined)]));
      for (const { id } of past) {
        const score = known.repositories.get(`${days.get(id)} ${id}`)?.assessment ?? known.scores.get(id);
        if (score) scores.set(id, score);
      }
      const unknown = past.map(({ id }) => id).filter((id) => !scores.has(id));
      for (let start = 0; start < unknown.length; start += batchSize) {
        for (const [id, measured] of await runs.metrics(unknown.slice(start, start + batchSize))) {
          const { overall } = scoresOf(measured, days.get(id) ?? null);
          scores.set(id, overall);
          known.scores.set(id, overall);
        }
      }
      return Map.groupBy(
        past.flatMap((run): PastScore[] => {
          const score = scores.get(run.id);
          return score ? [{ run, score }] : [];
        }),
        ({ run }) => run.repository,
      );
    },
  };
}
