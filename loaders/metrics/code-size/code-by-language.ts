import type { MeasuredFile } from '../metric.ts';

/** Code lines of each language, the largest first. */
export function codeByLanguage(files: readonly MeasuredFile[]): [language: string, code: number][] {
  const lines = new Map<string, number>();
  for (const { language, measures } of files) lines.set(language, (lines.get(language) ?? 0) + measures.code);
  return [...lines].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
}
