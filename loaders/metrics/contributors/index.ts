import type { MetricSource } from '../metric.ts';
import { contributorAbsenceFactor } from './absence-factor.ts';
import { activeContributors } from './active-contributors.ts';
import { activeWeeks } from './active-weeks.ts';
import { orphanedCode } from './orphaned-code.ts';
import { truckFactorMetric } from './truck-factor.ts';

/** The group `contributors`. */
export const contributorMetrics: readonly MetricSource[] = [
  activeContributors,
  contributorAbsenceFactor,
  truckFactorMetric,
  orphanedCode,
  activeWeeks,
];
