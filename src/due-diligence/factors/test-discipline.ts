import { minutes } from '../scoring-model.ts';
import { defineFactor, sum } from './factor.ts';

export const testDiscipline = defineFactor({
  id: 'test.discipline',
  dimension: 'testing',
  title: 'Test discipline',
  risk: 'medium',
  inputs: ['test_cochange_pct'],
  points: [
    [0, 0],
    [15, 25],
    [30, 50],
    [50, 75],
    [80, 100],
  ],
  sources: '75 at 50 %: OpenSSF badge regression_tests_added50; the rest our own choice',
  recommendation: 'Require a test with each change of behaviour.',
  horizon: 'post_deal',
  cost: ({ value }) => {
    const together = value('test_cochange_pct');
    return together === null ? null : sum([[together < 50 ? 1 : 0, minutes.effort_low]]);
  },
  aims: { test_cochange_pct: 50 },
});
