import type { MetricSource } from '../metric.ts';

/** The group `build`. */
export const buildMetrics: readonly MetricSource[] = [];
