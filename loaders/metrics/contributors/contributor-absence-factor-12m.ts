import { absenceFactor, workOf } from '../../../src/model/people.ts';
import type { MetricSource } from '../metric.ts';
import { sharesOf } from '../people.ts';

/** Fewer commits than this say nothing about who matters. */
const minCommits = 20;

/**
 * How few people made at least half of the commits of twelve months: the smallest k with the sum of the k largest at or over 50 %
 * (CHAOSS: contributor absence factor), of commits that change code. All of the history's is in the evidence.
 */
export const contributorAbsenceFactor: MetricSource = {
  id: 'contributor_absence_factor_12m',
  version: 3,
  measure(input) {
    if (input.shallow) return { value: null, reason: 'shallow_clone' };
    if (!input.history) return { value: null, reason: input.noHistory };
    const people = sharesOf(input).filter(({ bot }) => !bot);
    const commits = people.reduce((sum, { commits_12m: count }) => sum + count, 0);
    if (commits < minCommits) return { value: null, reason: 'history_too_short' };
    const work = workOf(people);
    const byWork = people.toSorted((a, b) => work(b) - work(a));
    const factor = absenceFactor(people.map(work));
    const overall = absenceFactor(people.map((each) => each.commits));
    const top = byWork.slice(0, factor);
    const all = people.reduce((sum, each) => sum + work(each), 0);
    return {
      value: factor,
      numerator: top.reduce((sum, each) => sum + work(each), 0),
      denominator: all,
      evidence: [
        ...top.map((each) => ({ note: `${each.name}: ${work(each)} of ${all} commits` })),
        ...(all < commits ? [{ note: `${commits - all} of ${commits} commits change no code` }] : []),
        { note: `over the whole history: ${overall}` },
      ],
    };
  },
};
