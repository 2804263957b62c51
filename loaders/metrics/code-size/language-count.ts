import type { MetricSource } from '../metric.ts';
import { codeByLanguage } from './code-by-language.ts';

/** Programming languages with at least a hundredth of the code (linguist's names): each is knowledge that a team must have. */
export const languageCount: MetricSource = {
  id: 'language_count',
  version: 4,
  measure({ files }) {
    const byLanguage = codeByLanguage(files);
    const total = byLanguage.reduce((sum, [, code]) => sum + code, 0);
    if (total === 0) return { value: null, reason: 'no_source_code' };
    const inUse = byLanguage.filter(([, code]) => code >= total / 100);
    return {
      value: inUse.length,
      // By which a portfolio's languages are told.
      quantities: Object.fromEntries(byLanguage.map(([language, code]) => [`kind ${language}`, code])),
      evidence: inUse.map(([language, code]) => ({ note: `${language}: ${((100 * code) / total).toFixed(1)} %` })),
    };
  },
};
