import type { MetricSource } from '../metric.ts';
import { complexFunctions } from './complex-functions.ts';
import { duplicatedLines } from './duplicated-lines.ts';
import { hotspots } from './hotspots.ts';
import { languageCount } from './language-count.ts';
import { locCode } from './loc-code.ts';
import { longFunctions } from './long-functions.ts';
import { sourceFileCount } from './source-file-count.ts';

/** The group `code_size`. */
export const codeSizeMetrics: readonly MetricSource[] = [
  locCode,
  sourceFileCount,
  languageCount,
  duplicatedLines,
  longFunctions,
  complexFunctions,
  hotspots,
];
