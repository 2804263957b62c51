import type { MetricSource } from '../metric.ts';
import { secretFindings } from './secret-finding-count.ts';
import { securityPatterns } from './security-pattern-finding-count.ts';
import { vulnerableDependencies } from './known-vulnerable-dependency-count.ts';

/** The group `security`. */
export const securityMetrics: readonly MetricSource[] = [secretFindings, securityPatterns, vulnerableDependencies];
