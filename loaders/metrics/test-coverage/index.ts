import type { MetricSource } from '../metric.ts';

/** The group `test_coverage`. */
export const testCoverageMetrics: readonly MetricSource[] = [];
