import type { Route } from '../http/route.ts';
import type { Assessments } from './assessments.ts';
import { deepRoutes } from './deep.ts';
import { executiveRoutes } from './executive.ts';
import { factorRoutes } from './factor-routes.ts';
import { healthRoute } from './health.ts';

/** The routes of due diligence. */
export function dueDiligenceRoutes(assessments: Assessments): Route[] {
  return [
    ...executiveRoutes(assessments),
    ...deepRoutes(assessments),
    ...factorRoutes(assessments),
    healthRoute(assessments),
  ];
}
