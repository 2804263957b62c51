import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const securityTokens = defineFactor({
  id: 'security.tokens',
  dimension: 'security',
  title: 'Token permissions',
  risk: 'high',
  inputs: ['ci_token_least_privilege_pct'],
  points: [
    [0, 0],
    [100, 100],
  ],
  sources: 'Linear, as OpenSSF Scorecard Token-Permissions; 10 less where only jobs set them',
  recommendation: 'Set top-level `permissions: contents: read`.',
  horizon: 'post_deal',
  score: ({ value, quantity }) => {
    const score = value('ci_token_least_privilege_pct') ?? 0;
    return quantity('ci_token_least_privilege_pct', 'job_level_only') > 0 ? score - 10 : score;
  },
  cost: each('ci_token_least_privilege_pct', ['workflows', minutes.workflow_permissions]),
  aims: { ci_token_least_privilege_pct: 100 },
});
