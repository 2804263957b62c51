import { yearMs } from '../history-facts.ts';
import type { CommitFacts } from '../history-facts.ts';
import { median } from '../../../src/model/median.ts';
import type { MetricSource } from '../metric.ts';

const minMerges = 10;

/**
 * Median hours from the oldest commit of a person that a merge brings in to the merge, over twelve months: a proxy of DORA's lead time for
 * changes. Where branches are squashed or rebased, history does not hold it.
 */
export const changeLeadTime: MetricSource = {
  id: 'change_lead_time_median_hours',
  version: 2,
  measure({ history, noHistory, shallow }) {
    if (shallow) return { value: null, reason: 'shallow_clone' };
    if (!history) return { value: null, reason: noHistory };
    const since = history.headAt - yearMs;
    const taken = branchesOf(history.commits).flatMap(({ merge, oldest }) =>
      merge.bot || merge.committedAt < since
        ? []
        : [{ merge, hours: Math.max(0, merge.committedAt - oldest) / 3_600_000 }],
    );
    if (taken.length < minMerges) return { value: null, reason: 'squash_history' };
    return {
      value: median(taken.map(({ hours }) => hours)),
      denominator: taken.length,
      evidence: taken
        .toSorted((a, b) => b.hours - a.hours || (a.merge.id < b.merge.id ? -1 : 1))
        .map(({ merge, hours }) => ({ commit: merge.id, note: `${Math.round(hours)} hours` })),
    };
  },
};

/** Each merge on the way of first parents with when the first commit that it brought in was authored; every commit is looked at once. */
function branchesOf(commits: readonly CommitFacts[]): { merge: CommitFacts; oldest: number }[] {
  const byId = new Map(commits.map((commit) => [commit.id, commit]));
  const mainline: CommitFacts[] = [];
  for (let at = commits[0]; at; at = byId.get(at.parents[0] ?? '')) mainline.push(at);
  const known = new Set<string>();
  const branches: { merge: CommitFacts; oldest: number }[] = [];
  for (const merge of mainline.toReversed()) {
    known.add(merge.id);
    let oldest = Infinity;
    const queue = merge.parents.slice(1);
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
      const commit = byId.get(id);
      if (!commit || known.has(id)) continue;
      known.add(id);
      // What a bot wrote, a person need only merge.
      if (commit.parents.length < 2 && !commit.bot) oldest = Math.min(oldest, commit.authoredAt);
      queue.push(...commit.parents);
    }
    if (merge.parents.length === 2 && oldest < Infinity) branches.push({ merge, oldest });
  }
  return branches;
}
