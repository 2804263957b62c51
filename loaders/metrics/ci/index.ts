import type { MetricSource } from '../metric.ts';

/** The group `ci`. */
export const ciMetrics: readonly MetricSource[] = [];
