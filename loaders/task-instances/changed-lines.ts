import type { FileDiff } from '../snapshot/first-parent-log.ts';

/** The lines of a diff that have this sign, without it: what was added, removed, or only stands around. */
export function changedLines({ text }: Pick<FileDiff, 'text'>, sign: '+' | '-' | ' '): string[] {
  const firstHunk = text.indexOf('\n@@ ');
  if (firstHunk === -1) return [];
  return text
    .slice(firstHunk + 1)
    .split('\n')
    .filter((line) => line.startsWith(sign))
    .map((line) => line.slice(1));
}
