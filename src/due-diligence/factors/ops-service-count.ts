import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const opsServiceCount = defineFactor({
  id: 'ops.service_count',
  dimension: 'operability',
  title: 'External services',
  risk: 'medium',
  inputs: ['external_service_count'],
  points: [
    [3, 100],
    [6, 75],
    [12, 50],
    [20, 25],
    [35, 0],
  ],
  sources: 'Our own choice',
  recommendation: 'List owner, contract and fallback of each service.',
  horizon: 'long_term',
  cost: each('external_service_count', ['undocumented', minutes.undocumented_service]),
});
