import { isHuman, weekMs } from '../people.ts';
import { yearMs } from '../history-facts.ts';
import type { MetricSource } from '../metric.ts';

const weeksOfYear = 52;
/** Younger than this, a repository has no year to speak of. */
const minAgeMs = 90 * 86_400_000;

/** Weeks of the last 52 with a commit of a person that does more than comments and white space (OpenSSF Scorecard Maintained: weekly is the full score). */
export const activeWeeks: MetricSource = {
  id: 'active_week_pct_12m',
  version: 3,
  measure({ history, noHistory, shallow }) {
    if (shallow) return { value: null, reason: 'shallow_clone' };
    if (!history) return { value: null, reason: noHistory };
    const { commits, headAt } = history;
    const oldest = commits.reduce((least, { committedAt }) => Math.min(least, committedAt), headAt);
    if (headAt - oldest < minAgeMs) return { value: null, reason: 'history_too_short', notApplicable: true };
    const weeks = new Set<number>();
    for (const commit of commits) {
      const age = headAt - commit.committedAt;
      if (isHuman(commit) && !commit.hollow && age >= 0 && age < Math.min(yearMs, weeksOfYear * weekMs))
        weeks.add(Math.floor(age / weekMs));
    }
    return { value: (100 * weeks.size) / weeksOfYear, numerator: weeks.size, denominator: weeksOfYear };
  },
};
