import type { MetricSource } from '../metric.ts';

/** The group `security`. */
export const securityMetrics: readonly MetricSource[] = [];
