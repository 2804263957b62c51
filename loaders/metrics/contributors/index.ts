import type { MetricSource } from '../metric.ts';
import { activeContributors } from './active-contributors.ts';

/** The group `contributors`. */
export const contributorMetrics: readonly MetricSource[] = [activeContributors];
