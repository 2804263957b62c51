import { absenceFactor } from '../../../src/model/people.ts';
import type { MetricSource } from '../metric.ts';
import { sharesOf } from '../people.ts';

/** Fewer commits than this say nothing about who matters. */
const minCommits = 20;

/**
 * How few people made at least half of the commits of twelve months: the smallest k with the sum of the k largest at or over 50 %
 * (CHAOSS: contributor absence factor). All of the history's is in the evidence.
 */
export const contributorAbsenceFactor: MetricSource = {
  id: 'contributor_absence_factor_12m',
  version: 1,
  measure(input) {
    if (input.shallow) return { value: null, reason: 'shallow_clone' };
    if (!input.history) return { value: null, reason: input.noHistory };
    const people = sharesOf(input).filter(({ bot }) => !bot);
    const commits = people.reduce((sum, { commits_12m: count }) => sum + count, 0);
    if (commits < minCommits) return { value: null, reason: 'history_too_short' };
    const factor = absenceFactor(people.map(({ commits_12m: count }) => count));
    const overall = absenceFactor(people.map((each) => each.commits));
    const top = people.slice(0, factor);
    return {
      value: factor,
      numerator: top.reduce((sum, { commits_12m: count }) => sum + count, 0),
      denominator: commits,
      evidence: [
        ...top.map(({ name, commits_12m: count }) => ({ note: `${name}: ${count} of ${commits} commits` })),
        { note: `over the whole history: ${overall}` },
      ],
    };
  },
};
