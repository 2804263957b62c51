import type { MetricSource } from '../metric.ts';
import { complexFunctions } from './complex-function-loc-pct.ts';
import { duplicatedLines } from './duplicated-lines-pct.ts';
import { hotspots } from './hotspot-change-share-pct.ts';
import { languageCount } from './language-count.ts';
import { locCode } from './loc-code.ts';
import { longFunctions } from './long-function-loc-pct.ts';
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
