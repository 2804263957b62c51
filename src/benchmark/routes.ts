import type { Route } from '../http/route.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { evaluationAttemptRoutes } from './evaluation-attempts.ts';
import { evaluationResultsRoutes } from './evaluation-results.ts';
import { leaderboardRoute } from './leaderboard.ts';
import { mintRunsRoute } from './mint-runs.ts';
import { taskRoutes } from './tasks.ts';

/** The routes of the benchmark. */
export function benchmarkRoutes(viewOf: ViewOf): Route[] {
  return [
    ...taskRoutes(viewOf),
    mintRunsRoute(viewOf),
    ...evaluationResultsRoutes(viewOf),
    ...evaluationAttemptRoutes(viewOf),
    leaderboardRoute(viewOf),
  ];
}
