import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

/** What a workflow that says nothing costs, of what one costs that grants write: new repositories' default is to read. */
const silentShare = 0.25;

export const securityTokens = defineFactor({
  id: 'security.tokens',
  dimension: 'security',
  title: 'Token permissions',
  risk: 'low',
  inputs: ['ci_token_least_privilege_pct'],
  points: null,
  sources:
    'OpenSSF Scorecard Token-Permissions: 100 less the share of workflows that grant write at the top, and a quarter of the share that says nothing (our own choice: the default may only read)',
  recommendation: 'Set top-level `permissions: contents: read`.',
  horizon: 'post_deal',
  score: ({ denominator, quantity }) => {
    const of = (name: string) => quantity('ci_token_least_privilege_pct', name);
    const all = denominator('ci_token_least_privilege_pct');
    const silent = of('workflows') - of('writing');
    return all === 0 ? null : 100 - (100 * (of('writing') + silentShare * silent)) / all;
  },
  cost: each('ci_token_least_privilege_pct', ['workflows', minutes.workflow_permissions]),
  aims: { ci_token_least_privilege_pct: 100 },
});
