import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const testCoverage = defineFactor({
  id: 'test.coverage',
  dimension: 'testing',
  title: 'Test coverage',
  risk: 'high',
  ofCode: true,
  inputs: ['line_coverage_pct'],
  points: [
    [0, 0],
    [40, 25],
    [65, 50],
    [80, 75],
    [90, 100],
  ],
  sources: '100 at 90 %: OpenSSF badge gold; 75 at 80 %: OpenSSF silver and Sonar; 50 at 65 %: Sonar common rules',
  recommendation: 'Add tests to the listed files; start with the hotspots.',
  horizon: 'post_deal',
  cost: each(
    'line_coverage_pct',
    ['lines_below_80', minutes.uncovered_line],
    ['conditions', minutes.uncovered_condition],
  ),
  aims: { line_coverage_pct: 80 },
});
