import { buildMetrics } from './build/index.ts';
import { ciMetrics } from './ci/index.ts';
import { codeSizeMetrics } from './code-size/index.ts';
import { contributorMetrics } from './contributors/index.ts';
import { dependencyPinningMetrics } from './dependency-pinning/index.ts';
import { externalServiceMetrics } from './external-services/index.ts';
import type { MetricSource } from './metric.ts';
import { securityMetrics } from './security/index.ts';
import { testCoverageMetrics } from './test-coverage/index.ts';

/** Every metric that is measured at load, in the order of the catalogue. */
export const metricSources: readonly MetricSource[] = [
  ...codeSizeMetrics,
  ...testCoverageMetrics,
  ...ciMetrics,
  ...buildMetrics,
  ...dependencyPinningMetrics,
  ...externalServiceMetrics,
  ...contributorMetrics,
  ...securityMetrics,
];
