import { minutes } from '../scoring-model.ts';
import { interpolate } from '../score.ts';
import { defineFactor, each } from './factor.ts';

/** Of a secret that counts in full. */
const eachAside = 1 / 40;
const maxAside = 1 / 5;

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
  sources: 'Our own choice; a secret in a test or an example counts a fortieth, all of them a fifth of one at most',
  recommendation: 'Rotate first, then remove, then rewrite the history if needed.',
  horizon: 'deal_critical',
  // What stands in tests and examples costs little and never nothing, however much of it there is.
  score: ({ value, quantity }, points) => {
    const aside = Math.min(maxAside, quantity('secret_finding_count', 'aside') * eachAside);
    return interpolate(points, (value('secret_finding_count') ?? 0) + aside);
  },
  cost: each('secret_finding_count', ['provider', minutes.provider_secret], ['generic', minutes.generic_secret]),
  aims: { secret_finding_count: 0 },
  caps: ({ quantity }) => quantity('secret_finding_count', 'provider') > 0,
});
