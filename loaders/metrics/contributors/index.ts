import type { MetricSource } from '../metric.ts';
import { contributorAbsenceFactor } from './contributor-absence-factor-12m.ts';
import { activeContributors } from './active-contributors-12m.ts';
import { activeWeeks } from './active-week-pct-12m.ts';
import { orphanedCode } from './orphaned-code-pct.ts';
import { truckFactorMetric } from './truck-factor.ts';

/** The group `contributors`. */
export const contributorMetrics: readonly MetricSource[] = [
  activeContributors,
  contributorAbsenceFactor,
  truckFactorMetric,
  orphanedCode,
  activeWeeks,
];
