import type { Route } from '../http/route.ts';
import type { RelationalStore } from '../stores/relational/port.ts';
import { evaluationResultsRoute } from './evaluation-results.ts';
import { mintRunsRoute } from './mint-runs.ts';
import { taskRoutes } from './tasks.ts';

/** The routes of the benchmark. */
export function benchmarkRoutes(
  store: Pick<RelationalStore, 'taskInstances' | 'mintRuns' | 'evaluationRuns'>,
): Route[] {
  return [
    ...taskRoutes(store.taskInstances),
    mintRunsRoute(store.mintRuns),
    evaluationResultsRoute(store.evaluationRuns),
  ];
}
