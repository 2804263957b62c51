import { median } from '../../../src/model/median.ts';
import type { MetricSource } from '../metric.ts';

const dayMs = 86_400_000;
const windowMs = 2 * 365 * dayMs;
const maxNameLength = 200;
/** `v1.2.3`, `1.2`, `name@1.2.3`, `name-v1.2.3-rc.1`. */
// Bounded: it is asked of names that are no longer than `maxNameLength`.
const version = /^(?:.*[@/_-])?v?\d+\.\d+(?:\.\d+)*(?:[-+.]?[0-9A-Za-z.-]+)?$/;

export const isVersionTag = (name: string) => name.length <= maxNameLength && version.test(name);

/** Median days between tags that name versions, of the two years before the commit that is measured (CHAOSS: release frequency). */
export const releaseInterval: MetricSource = {
  id: 'release_interval_median_days',
  version: 1,
  measure({ tags, history, noHistory }) {
    if (!history) return { value: null, reason: noHistory };
    const until = history.headAt;
    const releases = tags
      .filter(({ name, at }) => isVersionTag(name) && at <= until && until - at <= windowMs)
      .toSorted((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
    // Packages of one repository that are released together are one release.
    const moments = releases.filter(({ at }, index) => index === 0 || at - (releases[index - 1]?.at ?? 0) > dayMs / 24);
    if (moments.length < 3) return { value: null, reason: 'history_too_short' };
    const gaps = moments.slice(1).map(({ at }, index) => (at - (moments[index]?.at ?? 0)) / dayMs);
    return {
      value: median(gaps),
      evidence: moments
        .toReversed()
        .map(({ name, at }) => ({ note: `${name}: ${new Date(at).toISOString().slice(0, 10)}` })),
    };
  },
};
