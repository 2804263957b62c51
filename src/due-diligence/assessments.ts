import { LRUCache } from 'lru-cache';
import type { Measurements } from '../model/due-diligence.ts';
import type { PipelineRun, PipelineRuns } from '../stores/relational/port.ts';
import { assess } from './assess.ts';
import type { Assessment } from './assess.ts';
import { assessPortfolio } from './portfolio.ts';
import type { Rate } from './remediation.ts';

/** A repository as of its latest run that succeeded. */
export interface AssessedRepository {
  run: PipelineRun;
  measurements: Measurements;
  assessment: Assessment;
}

export interface AssessedPortfolio {
  repositories: AssessedRepository[];
  assessment: Assessment;
}

/** Reads runs and says what they come to; what a run comes to never changes, so it is worked out once. */
export interface Assessments {
  /** Null where the repository has no run. */
  repository(name: string, asOf?: string): Promise<AssessedRepository | null>;
  portfolio(asOf?: string): Promise<AssessedPortfolio>;
  /** Of a repository, the newest first: what each of its runs that succeeded until then came to. */
  trend(name: string, options: { limit: number; asOf?: string }): Promise<AssessedRepository[]>;
}

export function createAssessments(runs: PipelineRuns, rate: Rate): Assessments {
  const known = new LRUCache<string, AssessedRepository>({ max: 2_000 });

  const assessed = async (run: PipelineRun): Promise<AssessedRepository | null> => {
    const before = known.get(run.id);
    if (before) return before;
    const measurements = await runs.measurements(run.id);
    if (!measurements) return null;
    const result = { run, measurements, assessment: assess(measurements.metrics, rate) };
    known.set(run.id, result);
    return result;
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
    async portfolio(asOf) {
      const repositories = await all(await runs.latest(asOf === undefined ? {} : { asOf }));
      return { repositories, assessment: assessPortfolio(repositories, rate) };
    },
    async trend(name, { limit, asOf }) {
      const until = asOf === undefined ? Infinity : Date.parse(asOf);
      const succeeded = (await runs.list(name)).filter(
        ({ status, completed_at: at }) => status === 'succeeded' && Date.parse(at ?? '') <= until,
      );
      return all(succeeded.slice(0, limit));
    },
  };
}
