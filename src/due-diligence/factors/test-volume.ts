import { minutes } from '../scoring-model.ts';
import { defineFactor, sum } from './factor.ts';

export const testVolume = defineFactor({
  id: 'test.volume',
  dimension: 'testing',
  title: 'Test volume',
  risk: 'medium',
  ofCode: true,
  inputs: ['test_code_ratio_pct', 'skipped_test_count'],
  points: [
    [0, 0],
    [25, 25],
    [50, 50],
    [80, 75],
    [100, 100],
  ],
  sources: 'Sigrid: 100 % is roughly 80 % coverage; its example objective is 80 %',
  recommendation: 'Write tests for the modules that have no test file.',
  horizon: 'post_deal',
  optional: ['skipped_test_count'],
  cost: ({ value, known, quantity, denominator }) => {
    const ratio = value('test_code_ratio_pct');
    const skipped = quantity('skipped_test_count', 'tests');
    if (ratio === null) return null;
    const code = denominator('test_code_ratio_pct');
    const missing = known('line_coverage_pct') ? 0 : (Math.max(0, 80 - ratio) / 100) * code;
    const lines = Math.round(missing);
    const parts = [[lines, minutes.untested_line] as const, [skipped, minutes.skipped_test] as const];
    return {
      ...sum(parts),
      findings: skipped + (lines > 0 ? 1 : 0),
      isProxy: lines > 0,
    };
  },
  aims: { test_code_ratio_pct: 80 },
});
