import type { MetricSource } from '../metric.ts';

/** The group `external_service_coupling`. */
export const externalServiceMetrics: readonly MetricSource[] = [];
