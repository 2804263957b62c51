import { patternsIn, type Expression, type Pattern } from './expression.ts';

/** A regular expression that can't be read; the message says why. */
export class BadPattern extends Error {
  override readonly name = 'BadPattern';
}

/** The expression to look with, over one line at a time. Throws `BadPattern`. */
export function compile({ source, isRegex, matchCase }: Pattern): RegExp {
  const { body, ignoresCase } = isRegex
    ? written(source)
    : { body: source.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), ignoresCase: false };
  try {
    return new RegExp(body, matchCase && !ignoresCase ? 'gu' : 'giu');
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Invalid regular expression: (\/.*\/\w*: )?/s, '') : '';
    throw new BadPattern(`/${source}/ is no regular expression: ${why}.`, { cause: error });
  }
}

/**
 * As other engines have it: an escape before what needs none stands for the sign itself, `\A` and `\z` are the ends, `(?i)` at
 * the beginning holds for all of it.
 */
export function written(source: string): { body: string; ignoresCase: boolean } {
  const [start = ''] = /^\(\?i\)/.exec(source) ?? [];
  const body = source.slice(start.length).replaceAll(/\\([\s\S])/g, (escape, sign: string) => {
    if (sign === 'A') return '^';
    if (sign === 'z' || sign === 'Z') return '$';
    return /[!-~]/.test(sign) && !/[\w^$\\.*+?()[\]{}|/]/.test(sign)
      ? String.raw`\x` + sign.charCodeAt(0).toString(16).padStart(2, '0')
      : escape;
  });
  return { body, ignoresCase: start !== '' };
}

/** Throws `BadPattern` where one of its patterns can't be read. */
export function compileAll(expression: Expression): void {
  for (const pattern of patternsIn(expression)) compile(pattern);
}
