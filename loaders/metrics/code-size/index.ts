import type { MetricSource } from '../metric.ts';
import { languageCount } from './language-count.ts';
import { locCode } from './loc-code.ts';
import { sourceFileCount } from './source-file-count.ts';

/** The group `code_size`. */
export const codeSizeMetrics: readonly MetricSource[] = [locCode, sourceFileCount, languageCount];
