import type { Route } from '../http/route.ts';
import type { PipelineRuns } from '../stores/relational/port.ts';
import { createAssessments } from './assessments.ts';
import { deepRoutes } from './deep.ts';
import { executiveRoutes } from './executive.ts';
import { factorRoutes } from './factor-routes.ts';
import { healthRoute } from './health.ts';
import type { Rate } from './remediation.ts';

/** The routes of due diligence. */
export function dueDiligenceRoutes(runs: PipelineRuns, rate: Rate): Route[] {
  const assessments = createAssessments(runs, rate);
  return [
    ...executiveRoutes(assessments),
    ...deepRoutes(assessments),
    ...factorRoutes(assessments),
    healthRoute(assessments),
  ];
}
