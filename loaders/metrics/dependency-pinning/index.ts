import type { MetricSource } from '../metric.ts';
import { directDependencyCount } from './direct-dependency-count.ts';
import { buildRefHashPinned } from './build-ref-hash-pinned-pct.ts';
import { lockfileCoverage } from './lockfile-coverage-pct.ts';
import { dependencyStaleness } from './dependency-staleness-days.ts';
import { dependencyUpdateAutomation } from './dependency-update-automation.ts';

/** The group `dependency_pinning`. */
export const dependencyPinningMetrics: readonly MetricSource[] = [
  directDependencyCount,
  lockfileCoverage,
  buildRefHashPinned,
  dependencyUpdateAutomation,
  dependencyStaleness,
];
