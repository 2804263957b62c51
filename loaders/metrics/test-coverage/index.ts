import type { MetricSource } from '../metric.ts';
import { lineCoverage } from './line-coverage.ts';
import { skippedTests } from './skipped-tests.ts';
import { testCochange } from './test-cochange.ts';
import { testCodeRatio } from './test-code-ratio.ts';

/** The group `test_coverage`. */
export const testCoverageMetrics: readonly MetricSource[] = [testCodeRatio, lineCoverage, skippedTests, testCochange];
