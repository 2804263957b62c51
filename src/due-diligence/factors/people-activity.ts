import { interpolate } from '../score.ts';
import { defineFactor } from './factor.ts';
import type { Points } from '../scoring-model.ts';

/** Days since a person last committed; two years are the end. */
const freshness: Points = [
  [90, 100],
  [180, 75],
  [365, 50],
  [730, 0],
];
const maxIdleDays = 730;

export const peopleActivity = defineFactor({
  id: 'people.activity',
  dimension: 'people',
  title: 'Activity',
  risk: 'medium',
  inputs: ['active_contributors_12m', 'active_week_pct_12m'],
  points: [
    [0, 0],
    [10, 25],
    [30, 50],
    [60, 75],
    [100, 100],
  ],
  sources:
    '100 at weekly activity: OpenSSF Scorecard Maintained; no better than the days since the last commit of a person allow, 0 from two years on; the rest our own choice',
  recommendation: 'Confirm that the repository is still maintained.',
  horizon: 'post_deal',
  score({ value, standing: { daysSinceHumanCommit: days } }, points) {
    const active = interpolate(points, value('active_week_pct_12m') ?? 0);
    return days === null ? active : Math.min(active, interpolate(freshness, days));
  },
  decides({ standing: { asOf, daysSinceHumanCommit: days, notices } }) {
    const [notice] = notices;
    if (notice) return `It says so itself, in ${notice.path}: ${notice.note}`;
    return days !== null && days >= maxIdleDays
      ? `No commit of a person for ${(days / 365).toFixed(1)} years, as of ${asOf}`
      : null;
  },
});
