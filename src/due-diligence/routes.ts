import type { Route } from '../http/route.ts';
import type { AssessmentsOf } from './assessments.ts';
import { deepRoutes } from './deep.ts';
import { executiveRoutes } from './executive.ts';
import { exportRoute } from './export.ts';
import { factorRoutes } from './factor-routes.ts';
import { reportRoute } from './report-route.ts';
import { healthRoute } from './health.ts';
import { packagesRoute } from './packages-route.ts';

/** The routes of due diligence. */
export function dueDiligenceRoutes(assessmentsOf: AssessmentsOf): Route[] {
  return [
    ...executiveRoutes(assessmentsOf),
    ...deepRoutes(assessmentsOf),
    reportRoute(assessmentsOf),
    ...factorRoutes(assessmentsOf),
    packagesRoute(assessmentsOf),
    healthRoute(assessmentsOf),
    exportRoute(assessmentsOf),
  ];
}
