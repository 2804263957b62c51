import type { MetricSource } from '../metric.ts';
import { lineCoverage } from './line-coverage-pct.ts';
import { skippedTests } from './skipped-test-count.ts';
import { testCochange } from './test-cochange-pct.ts';
import { testCodeRatio } from './test-code-ratio-pct.ts';

/** The group `test_coverage`. */
export const testCoverageMetrics: readonly MetricSource[] = [testCodeRatio, lineCoverage, skippedTests, testCochange];
