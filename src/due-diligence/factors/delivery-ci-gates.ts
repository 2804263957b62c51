import { minutes } from '../scoring-model.ts';
import { defineFactor, each, sum } from './factor.ts';

export const deliveryCiGates = defineFactor({
  id: 'delivery.ci_gates',
  dimension: 'delivery',
  title: 'Quality gates in CI',
  risk: 'high',
  inputs: ['ci_workflow_count', 'ci_gate_score_pct'],
  points: [
    [0, 0],
    [100, 100],
  ],
  sources: 'Linear, as OpenSSF Scorecard CI-Tests and SAST; no workflow is 0',
  recommendation: 'Add the missing gates: build, test, lint or type check, static analysis, dependency or secret scan.',
  horizon: 'post_deal',
  optional: ['ci_gate_score_pct'],
  score: ({ value }) => (value('ci_workflow_count') === 0 ? 0 : value('ci_gate_score_pct')),
  cost: (measures) =>
    measures.value('ci_workflow_count') === 0
      ? sum([[5, minutes.effort_medium]])
      : each('ci_gate_score_pct', ['missing', minutes.effort_medium])(measures),
  aims: { ci_workflow_count: 1, ci_gate_score_pct: 100 },
});
