import { defineFactor } from './factor.ts';

export const deliveryReleaseCadence = defineFactor({
  id: 'delivery.release_cadence',
  dimension: 'delivery',
  title: 'Release cadence',
  risk: 'low',
  inputs: ['release_interval_median_days'],
  points: [
    [14, 100],
    [30, 75],
    [90, 50],
    [180, 25],
    [365, 0],
  ],
  sources: 'CHAOSS release frequency; the points are our own choice',
  recommendation: 'Ship smaller, more frequent releases.',
  horizon: 'long_term',
});
