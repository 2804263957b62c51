import { minutes } from '../scoring-model.ts';
import { defineFactor, eachWith } from './factor.ts';

export const maintDuplication = defineFactor({
  id: 'maint.duplication',
  dimension: 'maintainability',
  title: 'Duplication',
  risk: 'medium',
  ofCode: true,
  inputs: ['duplicated_lines_pct'],
  points: [
    [3, 100],
    [5.6, 75],
    [10, 50],
    [20, 25],
    [40, 0],
  ],
  sources: '100 at 3 %: Sonar way quality gate; 75 at 5.6 %: SIG, four stars; the rest our own choice',
  recommendation: 'Extract the listed repeated blocks into one place each.',
  horizon: 'long_term',
  cost: eachWith('duplicated_lines_pct', ['blocks', minutes.duplicated_block], ['files', minutes.duplicated_file]),
  aims: { duplicated_lines_pct: 0 },
  isDebt: true,
});
