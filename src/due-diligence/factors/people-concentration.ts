import { interpolate } from '../score.ts';
import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const peopleConcentration = defineFactor({
  id: 'people.concentration',
  dimension: 'people',
  title: 'Concentration of knowledge',
  risk: 'high',
  inputs: ['contributor_absence_factor_12m', 'truck_factor'],
  points: [
    [0, 0],
    [1, 25],
    [2, 50],
    [3, 75],
    [5, 100],
  ],
  sources: '50 at 2: OpenSSF silver; 65 % of 133 popular systems have a truck factor of 2 or less (arXiv 1604.06766)',
  recommendation: 'Pair or rotate on the listed areas.',
  horizon: 'deal_critical',
  // The worse of two figures; one of them is enough to know it is no better.
  enough: 'any',
  score: ({ value }, points) => {
    const known = [value('contributor_absence_factor_12m'), value('truck_factor')].filter((each) => each !== null);
    return interpolate(points, Math.min(...known));
  },
  cost: each('truck_factor', ['areas', minutes.concentrated_area]),
});
