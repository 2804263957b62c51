import type { MetricSource } from '../metric.ts';

/** Tests that are told not to run: `it.skip`, `xit`, `@Ignore`, `@Disabled`, `t.Skip`, `pytest.mark.skip` and their like. */
export const skippedTests: MetricSource = {
  id: 'skipped_test_count',
  version: 1,
  measure({ files }) {
    if (files.length === 0) return { value: null, reason: 'no_source_code' };
    const skipped = files.flatMap(({ path, measures }) => measures.skippedTests.map((line) => ({ path, line })));
    return {
      value: skipped.length,
      numerator: skipped.length,
      evidence: skipped,
      quantities: { tests: skipped.length },
    };
  },
};
