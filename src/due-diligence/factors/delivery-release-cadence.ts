import { interpolate } from '../score.ts';
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
  sources: 'CHAOSS release frequency, or the age of the last release where that is more; the points are our own choice',
  recommendation: 'Ship smaller, more frequent releases.',
  horizon: 'long_term',
  score: ({ value, standing: { daysSinceRelease: age } }, points) =>
    interpolate(points, Math.max(value('release_interval_median_days') ?? 0, age ?? 0)),
});
