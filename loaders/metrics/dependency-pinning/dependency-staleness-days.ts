import type { MetricSource } from '../metric.ts';
import { asksForNothing, isManifest } from './direct-dependency-count.ts';
import { isLockfile } from './lockfile-coverage-pct.ts';

const dayMs = 86_400_000;

/** Days since a lockfile, or where there is none a manifest, last changed: an offline proxy for libyears, which need a registry. */
export const dependencyStaleness: MetricSource = {
  id: 'dependency_staleness_days',
  version: 2,
  measure(input) {
    const { paths, requires, history, noHistory, shallow } = input;
    if (paths.some(isManifest) && asksForNothing(input))
      return { value: null, reason: 'nothing_to_measure', notApplicable: true };
    const lockfiles = paths.filter(isLockfile);
    const manifests = new Set(requires.map(({ path }) => path));
    const watched = lockfiles.length > 0 ? lockfiles : paths.filter((path) => manifests.has(path) && isManifest(path));
    if (watched.length === 0) return { value: null, reason: 'no_manifest' };
    if (!history) return { value: null, reason: shallow ? 'shallow_clone' : noHistory };
    const changed = watched.flatMap((path) => {
      const at = history.files.get(path)?.changedAt;
      return at === undefined ? [] : [{ path, at }];
    });
    // In a shallow clone the last change may lie beyond its end.
    if (changed.length === 0) return { value: null, reason: shallow ? 'shallow_clone' : 'history_too_short' };
    const last = changed.reduce((newest, each) => (each.at > newest.at ? each : newest));
    return {
      value: Math.max(0, (history.headAt - last.at) / dayMs),
      evidence: changed
        .toSorted((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1))
        .map(({ path, at }) => ({ path, note: `last changed ${new Date(at).toISOString().slice(0, 10)}` })),
    };
  },
};
