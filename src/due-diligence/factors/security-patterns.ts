import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

/** One may be a mistake of the rule's. */
const manyHigh = 3;

export const securityPatterns = defineFactor({
  id: 'security.patterns',
  dimension: 'security',
  title: 'Insecure patterns',
  risk: 'critical',
  ofCode: true,
  inputs: ['security_pattern_finding_count'],
  points: null,
  sources:
    'OpenSSF Scorecard: a dangerous workflow is 0; else 100 - 10 x binaries - 5 x others; insecure code, our own choice: 15 of high severity, 5 of medium, 1 of low or in tests and what others wrote, these 10 at most; three of high severity cap the dimension',
  recommendation: 'Put the listed findings right, dangerous workflows first.',
  horizon: 'deal_critical',
  score: ({ quantity }) => {
    const of = (name: string) => quantity('security_pattern_finding_count', name);
    const code = 15 * of('code_high') + 5 * of('code_medium') + of('code_low') + Math.min(10, of('code_aside'));
    return of('dangerous_workflows') > 0 ? 0 : 100 - 10 * of('binaries') - 5 * of('others') - code;
  },
  cost: each(
    'security_pattern_finding_count',
    ['dangerous_workflows', minutes.effort_low],
    ['binaries', minutes.effort_medium],
    ['others', minutes.effort_low],
    ['code_high', minutes.effort_low],
    ['code_medium', minutes.effort_low],
  ),
  aims: { security_pattern_finding_count: 0 },
  caps: ({ quantity }) =>
    quantity('security_pattern_finding_count', 'dangerous_workflows') > 0 ||
    quantity('security_pattern_finding_count', 'code_high') >= manyHigh,
});
