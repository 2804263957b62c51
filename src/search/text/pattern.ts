import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { patternsIn, type Expression, type Pattern } from './expression.ts';

/** A regular expression that can't be read; the message says why. */
export class BadPattern extends Error {
  override readonly name = 'BadPattern';
}

/** The expression to look with, over one line at a time. Throws `BadPattern`. */
export function compile(pattern: Pattern): RegExp {
  return compiled(pattern, bodyOf(pattern));
}

/**
 * Says of a line whether the pattern is in it: the same as `compile`, without what may as well be nothing at either end, as that is
 * tried at every place of the line for all that may follow it.
 */
export function compileTest(pattern: Pattern): RegExp {
  const body = bodyOf(pattern);
  return compiled(pattern, pattern.isRegex ? withoutIdleEnds(body) : body);
}

/** A text to look for as this pattern does, with or without regard to case. */
export function compileText(text: string, pattern: Pattern): RegExp {
  return compiled(pattern, escaped(text));
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
const bodyOf = ({ source, isRegex }: Pattern) => (isRegex ? written(source).body : escaped(source));

function compiled({ source, isRegex, matchCase }: Pattern, body: string): RegExp {
  const ignoresCase = !matchCase || (isRegex && written(source).ignoresCase);
  try {
    // A line has nothing that ends it: all else is a sign of it.
    return new RegExp(body, ignoresCase ? 'gisu' : 'gsu');
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Invalid regular expression: (\/.*\/\w*: )?/s, '') : '';
    throw new BadPattern(`/${source}/ is no regular expression: ${why}.`, { cause: error });
  }
}

/** What a body says that `compile` takes. */
export function alternativesOf(body: string): readonly AST.Alternative[] {
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(body, 0, undefined, { unicode: true }).alternatives;
}

/** `\s*.*\s*hash\w+` is found where `hash\w` is. */
function withoutIdleEnds(body: string): string {
  const [only, ...others] = alternativesOf(body);
  // Groups are counted, and so stay where they are.
  if (only === undefined || others.length > 0 || /\((?!\?[:=!])/.test(body.replaceAll(/\\./g, ''))) return body;
  const elements = [...only.elements];
  const isIdle = (element: AST.Element | undefined) => element?.type === 'Quantifier' && element.min === 0;
  while (isIdle(elements[0])) elements.shift();
  while (isIdle(elements.at(-1))) elements.pop();
  return elements
    .map((element, i) =>
      element.type === 'Quantifier' && (i === 0 || i === elements.length - 1)
        ? `${element.element.raw}{${element.min}}`
        : element.raw,
    )
    .join('');
}

/**
 * As other engines have it: an escape before what needs none stands for the sign itself, `\A` and `\z` are the ends, `(?i)` at
 * the beginning holds for all of it, `(?m)` and `(?s)` of what is no matter in one line, and a group's name may begin with `P`.
 */
export function written(source: string): { body: string; ignoresCase: boolean } {
  const [start = '', flags = ''] = /^\(\?([ims]+)\)/.exec(source) ?? [];
  const body = source.slice(start.length).replaceAll(/\\([\s\S])|\(\?P</g, (escape, sign?: string) => {
    if (sign === undefined) return '(?<';
    if (sign === 'A') return '^';
    if (sign === 'z' || sign === 'Z') return '$';
    return /[!-~]/.test(sign) && !/[\w^$\\.*+?()[\]{}|/]/.test(sign)
      ? String.raw`\x` + sign.charCodeAt(0).toString(16).padStart(2, '0')
      : escape;
  });
  return { body, ignoresCase: flags.includes('i') };
}

/** Throws `BadPattern` where one of its patterns can't be read. */
export function compileAll(expression: Expression): void {
  for (const pattern of patternsIn(expression)) compile(pattern);
}
