import type { Route } from '../http/route.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { impactRoute } from './impact.ts';
import { neighborsRoute } from './neighbors.ts';
import { pathRoute } from './path.ts';
import { queryRoute } from './query-route.ts';
import { repositoryGraphRoute } from './repository-graph.ts';

/** The routes of the code graph. */
export function graphRoutes(viewOf: ViewOf): Route[] {
  return [
    repositoryGraphRoute(viewOf),
    neighborsRoute(viewOf),
    impactRoute(viewOf),
    pathRoute(viewOf),
    queryRoute(viewOf),
  ];
}
