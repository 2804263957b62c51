import type { MetricSource } from '../metric.ts';
import { directDependencyCount } from './direct-dependencies.ts';
import { buildRefHashPinned } from './hash-pinned.ts';
import { lockfileCoverage } from './lockfiles.ts';
import { dependencyStaleness } from './staleness.ts';
import { dependencyUpdateAutomation } from './update-automation.ts';

/** The group `dependency_pinning`. */
export const dependencyPinningMetrics: readonly MetricSource[] = [
  directDependencyCount,
  lockfileCoverage,
  buildRefHashPinned,
  dependencyUpdateAutomation,
  dependencyStaleness,
];
