import type { Route } from '../http/route.ts';
import type { GraphReader } from '../stores/graph/port.ts';
import { impactRoute } from './impact.ts';
import { neighborsRoute } from './neighbors.ts';
import { pathRoute } from './path.ts';
import { repositoryGraphRoute } from './repository-graph.ts';

/** The routes of the code graph. */
export function graphRoutes(graph: GraphReader): Route[] {
  return [repositoryGraphRoute(graph), neighborsRoute(graph), impactRoute(graph), pathRoute(graph)];
}
