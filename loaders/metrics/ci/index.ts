import type { MetricSource } from '../metric.ts';
import { ciGateScore } from './ci-gate-score-pct.ts';
import { changeLeadTime } from './change-lead-time-median-hours.ts';
import { releaseInterval } from './release-interval-median-days.ts';
import { ciTokenLeastPrivilege } from './ci-token-least-privilege-pct.ts';
import { ciWorkflowCount } from './ci-workflow-count.ts';

/** The group `ci`. */
export const ciMetrics: readonly MetricSource[] = [
  ciWorkflowCount,
  ciGateScore,
  ciTokenLeastPrivilege,
  releaseInterval,
  changeLeadTime,
];
