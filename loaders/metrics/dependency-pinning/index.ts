import type { MetricSource } from '../metric.ts';

/** The group `dependency_pinning`. */
export const dependencyPinningMetrics: readonly MetricSource[] = [];
