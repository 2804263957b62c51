import type { MetricSource } from '../metric.ts';
import { codeByLanguage } from './code-by-language.ts';

/** Lines that are neither blank nor comment, in source files: as scc and tokei count them. */
export const locCode: MetricSource = {
  id: 'loc_code',
  version: 1,
  measure({ files }) {
    if (files.length === 0) return { value: null, reason: 'no_source_code' };
    const byLanguage = codeByLanguage(files);
    const total = byLanguage.reduce((sum, [, code]) => sum + code, 0);
    return {
      value: total,
      numerator: total,
      evidence: byLanguage.map(([language, code]) => ({ note: `${language}: ${code} lines` })),
    };
  },
};
