import type { MetricSource } from '../metric.ts';
import { secretFindings } from './secret-findings.ts';

/** The group `security`. */
export const securityMetrics: readonly MetricSource[] = [secretFindings];
