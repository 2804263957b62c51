import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const securitySecrets = defineFactor({
  id: 'security.secrets',
  dimension: 'security',
  title: 'Secrets in the code',
  risk: 'critical',
  inputs: ['secret_finding_count'],
  points: [
    [0, 100],
    [1, 25],
    [3, 0],
  ],
  sources: 'Our own choice',
  recommendation: 'Rotate first, then remove, then rewrite the history if needed.',
  horizon: 'deal_critical',
  cost: each('secret_finding_count', ['provider', minutes.provider_secret], ['generic', minutes.generic_secret]),
  aims: { secret_finding_count: 0 },
  caps: ({ quantity }) => quantity('secret_finding_count', 'provider') > 0,
});
