import { LRUCache } from 'lru-cache';
import type { Measurements } from '../model/due-diligence.ts';
import type { PipelineRun } from '../stores/relational/port.ts';
import type { RunReader } from '../tenancy/named-runs.ts';
import type { Looker, View } from '../tenancy/view.ts';
import { assess, scoresOf } from './assess.ts';
import type { Assessment, Score } from './assess.ts';
import { assessPortfolio } from './portfolio.ts';
import type { Rate } from './remediation.ts';

/** What only the page of one repository shows: not held for all of them. */
export type Details = Pick<Measurements, 'hotspots' | 'activity'>;

/** A repository as of its latest run that succeeded. */
export interface AssessedRepository {
  run: PipelineRun;
  measurements: Omit<Measurements, keyof Details>;
  assessment: Assessment;
}

export interface AssessedPortfolio {
  repositories: AssessedRepository[];
  assessment: Assessment;
}

/** What one run of a repository came to. */
export interface PastScore {
  run: PipelineRun;
  score: Score;
}

/** Reads runs and says what they come to; what a run comes to never changes, so it is worked out once. */
export interface Assessments {
  /** Null where the repository has no run. */
  repository(name: string, asOf?: string): Promise<AssessedRepository | null>;
  details(run: PipelineRun): Promise<Details>;
  portfolio(asOf?: string): Promise<AssessedPortfolio>;
  /** What the last runs until then came to, so many of each repository or of one, by repository; the newest first. */
  trends(options: { last: number; repository?: string; asOf?: string }): Promise<ReadonlyMap<string, PastScore[]>>;
}

/** The assessments of what a caller sees. */
export type AssessmentsOf = (looker: Looker) => Promise<Assessments>;

/** Read at once, as a run's metrics are some ten kilobytes. */
const batchSize = 100;

/** What runs come to, by their ids, whoever looks: a run is read only by who sees its repository. */
interface Known {
  repositories: LRUCache<string, Omit<AssessedRepository, 'run'>>;
  /** Of runs that are not the latest. */
  scores: LRUCache<string, Score>;
}

export function createAssessments(viewOf: (looker: Looker) => Promise<Pick<View, 'runs'>>, rate: Rate): AssessmentsOf {
  const known: Known = { repositories: new LRUCache({ max: 2_000 }), scores: new LRUCache({ max: 20_000 }) };
  return async (looker) => assessmentsOf((await viewOf(looker)).runs, rate, known);
}

function assessmentsOf(runs: RunReader, rate: Rate, known: Known): Assessments {
  const assessed = async (run: PipelineRun): Promise<AssessedRepository | null> => {
    const before = known.repositories.get(run.id);
    if (before) return { run, ...before };
    const all = await runs.measurements(run.id);
    if (!all) return null;
    const { hotspots: _hotspots, activity: _activity, ...measurements } = all;
    const result = { measurements, assessment: assess(measurements.metrics, rate) };
    known.repositories.set(run.id, result);
    return { run, ...result };
  };
  const all = async (list: readonly PipelineRun[]) => {
    const results: AssessedRepository[] = [];
    for (const run of list) {
      // One that was removed meanwhile is left out.
      const result = await assessed(run);
      if (result) results.push(result);
    }
    return results;
  };

  return {
    async repository(name, asOf) {
      const [run] = await runs.latest({ repository: name, ...(asOf === undefined ? {} : { asOf }) });
      return run ? assessed(run) : null;
    },
    details: async ({ id }) => (await runs.measurements(id)) ?? {},
    async portfolio(asOf) {
      const repositories = await all(await runs.latest(asOf === undefined ? {} : { asOf }));
      return { repositories, assessment: assessPortfolio(repositories, rate) };
    },
    async trends(options) {
      const past = await runs.succeeded(options);
      const scores = new Map<string, Score>();
      for (const { id } of past) {
        const score = known.repositories.get(id)?.assessment ?? known.scores.get(id);
        if (score) scores.set(id, score);
      }
      const unknown = past.map(({ id }) => id).filter((id) => !scores.has(id));
      for (let start = 0; start < unknown.length; start += batchSize) {
        for (const [id, metrics] of await runs.metrics(unknown.slice(start, start + batchSize))) {
          const { overall } = scoresOf(metrics);
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
