import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const securityPatterns = defineFactor({
  id: 'security.patterns',
  dimension: 'security',
  title: 'Insecure patterns',
  risk: 'critical',
  inputs: ['security_pattern_finding_count'],
  points: null,
  sources: 'OpenSSF Scorecard: a dangerous workflow is 0; else 100 - 10 x binaries - 5 x others',
  recommendation: 'Put the listed findings right, dangerous workflows first.',
  horizon: 'deal_critical',
  score: ({ quantity }) => {
    const of = (name: string) => quantity('security_pattern_finding_count', name);
    return of('dangerous_workflows') > 0 ? 0 : 100 - 10 * of('binaries') - 5 * of('others');
  },
  cost: each(
    'security_pattern_finding_count',
    ['dangerous_workflows', minutes.effort_low],
    ['binaries', minutes.effort_medium],
    ['others', minutes.effort_low],
  ),
  aims: { security_pattern_finding_count: 0 },
  caps: ({ quantity }) => quantity('security_pattern_finding_count', 'dangerous_workflows') > 0,
});
