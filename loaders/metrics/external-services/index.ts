import type { MetricSource } from '../metric.ts';
import { hardcodedEndpoints } from './hardcoded-endpoints.ts';
import { externalServiceCount } from './service-count.ts';
import { externalServiceSpread } from './service-spread.ts';

/** The group `external_service_coupling`. */
export const externalServiceMetrics: readonly MetricSource[] = [
  externalServiceCount,
  externalServiceSpread,
  hardcodedEndpoints,
];
