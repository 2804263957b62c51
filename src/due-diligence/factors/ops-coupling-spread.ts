import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const opsCouplingSpread = defineFactor({
  id: 'ops.coupling_spread',
  dimension: 'operability',
  title: 'Spread of service use',
  risk: 'medium',
  ofCode: true,
  inputs: ['external_service_spread_pct'],
  points: [
    [5, 100],
    [15, 75],
    [30, 50],
    [50, 25],
    [80, 0],
  ],
  sources: 'Our own choice',
  recommendation: 'Put each service behind one adapter.',
  horizon: 'long_term',
  cost: each('external_service_spread_pct', ['spread_services', minutes.spread_service]),
});
