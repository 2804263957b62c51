import type { Route } from '../http/route.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { exportScipRoute } from './export-scip.ts';
import { exportRoutes } from './export.ts';
import { hierarchyRoute } from './hierarchy.ts';
import { impactRoute } from './impact.ts';
import { mapRoute } from './map.ts';
import { neighborsRoute } from './neighbors.ts';
import { occurrencesRoute } from './occurrences.ts';
import { pathRoute } from './path.ts';
import { queryRoute } from './query-route.ts';
import { referencesRoute } from './references.ts';
import { repositoryGraphRoute } from './repository-graph.ts';

/** The routes of the code graph. */
export function graphRoutes(viewOf: ViewOf): Route[] {
  return [
    repositoryGraphRoute(viewOf),
    mapRoute(viewOf),
    hierarchyRoute(viewOf),
    neighborsRoute(viewOf),
    impactRoute(viewOf),
    referencesRoute(viewOf),
    occurrencesRoute(viewOf),
    pathRoute(viewOf),
    queryRoute(viewOf),
    ...exportRoutes(viewOf),
    exportScipRoute(viewOf),
  ];
}
