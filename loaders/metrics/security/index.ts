import type { MetricSource } from '../metric.ts';
import { secretFindings } from './secret-findings.ts';
import { securityPatterns } from './security-patterns.ts';
import { vulnerableDependencies } from './vulnerable-dependencies.ts';

/** The group `security`. */
export const securityMetrics: readonly MetricSource[] = [secretFindings, securityPatterns, vulnerableDependencies];
