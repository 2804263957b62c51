import { interpolate } from '../score.ts';
import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const supplyVulnerabilities = defineFactor({
  id: 'supply.vulnerabilities',
  dimension: 'supply_chain',
  title: 'Known vulnerabilities',
  risk: 'high',
  inputs: ['known_vulnerable_dependency_count'],
  points: [
    [0, 100],
    [10, 0],
  ],
  sources: 'OpenSSF Scorecard 10 - n; at most 74 with one above moderate (SIG open-source health)',
  recommendation: 'Update to the fixed version.',
  horizon: 'deal_critical',
  score: ({ value, quantity }, points) => {
    const score = interpolate(points, value('known_vulnerable_dependency_count') ?? 0);
    return quantity('known_vulnerable_dependency_count', 'above_moderate') > 0 ? Math.min(74, score) : score;
  },
  cost: each(
    'known_vulnerable_dependency_count',
    ['minor', minutes.vulnerable_minor],
    ['major', minutes.vulnerable_major],
  ),
  aims: { known_vulnerable_dependency_count: 0 },
  caps: ({ quantity }) => quantity('known_vulnerable_dependency_count', 'critical') > 0,
});
