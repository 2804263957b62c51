import { minutes } from '../scoring-model.ts';
import { defineFactor, eachWith } from './factor.ts';

export const maintComplexity = defineFactor({
  id: 'maint.complexity',
  dimension: 'maintainability',
  title: 'Complexity',
  risk: 'high',
  ofCode: true,
  inputs: ['complex_function_loc_pct'],
  points: [
    [2, 100],
    [6, 75],
    [12, 50],
    [25, 25],
    [50, 0],
  ],
  sources: 'Cyclomatic complexity over 15: lizard and Sonar S1541; the points are our own choice',
  recommendation: 'Reduce the branches of the listed functions, hotspots first.',
  horizon: 'long_term',
  cost: eachWith(
    'complex_function_loc_pct',
    ['functions', minutes.complex_function],
    ['points_over', minutes.complexity_point],
  ),
  aims: { complex_function_loc_pct: 0 },
  isDebt: true,
});
