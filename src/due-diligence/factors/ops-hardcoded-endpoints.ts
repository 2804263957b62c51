import { interpolate } from '../score.ts';
import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const opsHardcodedEndpoints = defineFactor({
  id: 'ops.hardcoded_endpoints',
  dimension: 'operability',
  title: 'Hard-coded endpoints',
  risk: 'medium',
  inputs: ['hardcoded_endpoint_count', 'loc_code'],
  points: [
    [0, 100],
    [1, 75],
    [3, 50],
    [8, 25],
    [20, 0],
  ],
  sources: 'Findings per 10,000 lines of production code; our own choice',
  recommendation: 'Move the addresses to configuration.',
  horizon: 'long_term',
  score: ({ value, production: lines }, points) =>
    lines === 0 ? null : interpolate(points, (10_000 * (value('hardcoded_endpoint_count') ?? 0)) / lines),
  cost: each('hardcoded_endpoint_count', ['findings', minutes.hardcoded_endpoint]),
  aims: { hardcoded_endpoint_count: 0 },
});
