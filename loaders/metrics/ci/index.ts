import type { MetricSource } from '../metric.ts';
import { ciGateScore } from './gate-score.ts';
import { changeLeadTime } from './lead-time.ts';
import { releaseInterval } from './release-interval.ts';
import { ciTokenLeastPrivilege } from './token-permissions.ts';
import { ciWorkflowCount } from './workflow-count.ts';

/** The group `ci`. */
export const ciMetrics: readonly MetricSource[] = [
  ciWorkflowCount,
  ciGateScore,
  ciTokenLeastPrivilege,
  releaseInterval,
  changeLeadTime,
];
