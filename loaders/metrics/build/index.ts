import type { MetricSource } from '../metric.ts';
import { buildDocumentation } from './build-documentation.ts';
import { buildSystemCount } from './build-system-count.ts';
import { toolchainPinned } from './toolchain-pinned.ts';

/** The group `build`. */
export const buildMetrics: readonly MetricSource[] = [buildSystemCount, toolchainPinned, buildDocumentation];
