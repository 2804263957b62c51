import { interpolate } from '../score.ts';
import { defineFactor } from './factor.ts';

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
  sources: '100 at weekly activity: OpenSSF Scorecard Maintained; the rest our own choice',
  recommendation: 'Confirm that the repository is still maintained.',
  horizon: 'post_deal',
  score: ({ value }, points) => interpolate(points, value('active_week_pct_12m') ?? 0),
});
