import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const maintFunctionSize = defineFactor({
  id: 'maint.function_size',
  dimension: 'maintainability',
  title: 'Function size',
  risk: 'medium',
  ofCode: true,
  inputs: ['long_function_loc_pct'],
  points: [
    [3, 100],
    [6.7, 75],
    [13, 50],
    [27, 25],
    [50, 0],
  ],
  sources: '75 at 6.7 % of code in functions over 60 lines: SIG unit size; the rest multiples of it',
  recommendation: 'Split the listed functions.',
  horizon: 'long_term',
  cost: each('long_function_loc_pct', ['functions', minutes.long_function], ['files', minutes.long_file]),
  aims: { long_function_loc_pct: 0 },
  isDebt: true,
});
