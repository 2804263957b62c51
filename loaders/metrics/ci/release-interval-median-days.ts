import { median } from '../../../src/model/median.ts';
import type { CommitFacts } from '../history-facts.ts';
import type { MetricSource } from '../metric.ts';

const dayMs = 86_400_000;
const windowMs = 2 * 365 * dayMs;
const maxNameLength = 200;
/** `v1.2.3`, `1.2`, `name@1.2.3`, `name-v1.2.3-rc.1`. */
// Bounded: it is asked of names that are no longer than `maxNameLength`.
const version = /^(?:.*[@/_-])?v?\d+\.\d+(?:\.\d+)*(?:[-+.]?[0-9A-Za-z.-]+)?$/;

export const isVersionTag = (name: string) => name.length <= maxNameLength && version.test(name);

/**
 * Median days between tags that name versions, of the two years before the commit that is measured (CHAOSS: release frequency). One
 * that brings no change of code since those before it releases nothing, whatever its time.
 */
export const releaseInterval: MetricSource = {
  id: 'release_interval_median_days',
  version: 2,
  measure({ tags, history, noHistory }) {
    if (!history) return { value: null, reason: noHistory };
    const until = history.headAt;
    const releases = tags
      .filter(({ name, at }) => isVersionTag(name) && at <= until && until - at <= windowMs)
      .toSorted((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
    // Packages of one repository that are released together are one release.
    const times = releases.filter(({ at }, index) => index === 0 || at - (releases[index - 1]?.at ?? 0) > dayMs / 24);
    const changes = changesSince(history.commits);
    const moments = times.filter(({ commit }) => changes(commit));
    const empty = times.filter((release) => !moments.includes(release));
    const notes = empty.map(({ name }) => ({
      note: `${name} is not counted: no code was changed since the one before`,
    }));
    if (moments.length < 3) return { value: null, reason: 'history_too_short', evidence: notes };
    const gaps = moments.slice(1).map(({ at }, index) => (at - (moments[index]?.at ?? 0)) / dayMs);
    return {
      value: median(gaps),
      evidence: [
        ...moments
          .toReversed()
          .map(({ name, at }) => ({ note: `${name}: ${new Date(at).toISOString().slice(0, 10)}` })),
        ...notes,
      ],
    };
  },
};

/** Of one commit after another, whether code was changed in what led to it and to none of those before. */
function changesSince(commits: readonly CommitFacts[]): (commit: string) => boolean {
  const byId = new Map(commits.map((commit) => [commit.id, commit]));
  return (from) => {
    const waiting = [from];
    let isChanged = false;
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const commit = byId.get(id);
      if (!commit) continue;
      byId.delete(id);
      isChanged ||= commit.changesCode;
      waiting.push(...commit.parents);
    }
    return isChanged;
  };
}
