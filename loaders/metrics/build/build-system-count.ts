import type { MetricSource } from '../metric.ts';
import { isAside } from '../../snapshot/is-aside.ts';
import { buildSystems } from './build-systems.ts';

/** Package managers and build tools that have a definition file of the repository's own; none is a real zero. */
export const buildSystemCount: MetricSource = {
  id: 'build_system_count',
  version: 1,
  measure({ paths }) {
    const found = buildSystems.flatMap(({ id, definition }) => {
      const own = paths.filter((path) => definition.test(path) && !isAside(path));
      return own.length === 0 ? [] : [{ id, path: nearest(own), count: own.length }];
    });
    return {
      value: found.length,
      numerator: found.length,
      evidence: found.map(({ id, path }) => ({ path, note: id })),
      // By which a portfolio's build systems are told.
      quantities: Object.fromEntries(found.map(({ id, count }) => [`kind ${id}`, count])),
    };
  },
};

/** To the root. */
function nearest(paths: readonly string[]): string {
  const depth = (path: string) => path.split('/').length;
  return paths.reduce((best, path) => (depth(path) < depth(best) ? path : best));
}
