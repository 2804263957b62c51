import { Router } from '@koa/router';
import { LRUCache } from 'lru-cache';
import type { Route } from './route.ts';

/** What lies at a path, whatever the caller may see of it. */
export interface Found {
  /** For this method; null when there is none. */
  route: Route | null;
  params: Readonly<Record<string, string>>;
  /** All routes of the path, by any method. */
  routes: readonly Route[];
}

/**
 * Looks paths up in the route list: strictly, with case and without a slash at the end. As in OpenAPI, the path with the fewest
 * parameters wins: `/things/types` is not the thing named types.
 */
export function createFinder(routes: readonly Route[]): (method: string, path: string) => Found {
  const router = new Router({ strict: true, sensitive: true });
  const byId = new Map(routes.map((route) => [route.operation_id, route]));
  if (byId.size < routes.length) throw new Error('Two routes share an operation_id.');
  const parameters = ({ path }: Route) => path.split('{').length;
  for (const { method, path, operation_id } of routes.toSorted((a, b) => parameters(a) - parameters(b)))
    router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), [method], () => {}, { name: operation_id });

  const look = (method: string, path: string): Found => {
    const { path: layers, pathAndMethod } = router.match(path, method);
    const matching = layers.flatMap(({ name }) => byId.get(name ?? '') ?? []);
    const ofPath = matching.filter((route) => route.path === matching[0]?.path);
    const layer = pathAndMethod.find(({ name }) => ofPath.some(({ operation_id }) => operation_id === name));
    return {
      route: byId.get(layer?.name ?? '') ?? null,
      params: layer?.params(path, layer.captures(path)) ?? {},
      routes: ofPath,
    };
  };
  // Most requests ask for what was asked for before, and the router tries every route.
  const known = new LRUCache<string, Found>({ max: 1_000 });
  return (method, path) => {
    const asked = `${method} ${path}`;
    let found = known.get(asked);
    if (!found) known.set(asked, (found = look(method, path)));
    return found;
  };
}

/** The methods that a path answers, for the Allow header. */
export function allowedMethods(routes: readonly Route[]): string {
  const methods = new Set(routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  return [...methods, 'OPTIONS'].join(', ');
}
