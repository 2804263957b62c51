import type { MetricSource } from '../metric.ts';
import { hardcodedEndpoints } from './hardcoded-endpoint-count.ts';
import { externalServiceCount } from './external-service-count.ts';
import { externalServiceSpread } from './external-service-spread-pct.ts';

/** The group `external_service_coupling`. */
export const externalServiceMetrics: readonly MetricSource[] = [
  externalServiceCount,
  externalServiceSpread,
  hardcodedEndpoints,
];
