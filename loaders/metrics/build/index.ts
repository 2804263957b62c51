import type { MetricSource } from '../metric.ts';
import { buildDocumentation } from './build-doc-completeness-pct.ts';
import { buildSystemCount } from './build-system-count.ts';
import { toolchainPinned } from './toolchain-pinned-pct.ts';

/** The group `build`. */
export const buildMetrics: readonly MetricSource[] = [buildSystemCount, toolchainPinned, buildDocumentation];
