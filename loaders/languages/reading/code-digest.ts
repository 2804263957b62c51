import type { CommentSyntax } from '../language.ts';
import { endOf, isSpace, lineFeed, openersOf } from './openers.ts';

/**
 * A number that is equal for sources that differ in nothing but comments, docstrings and white space. One pass over the characters; 53
 * bits, so that two sources are hardly ever taken for one.
 */
export function codeDigest(source: string, syntax: CommentSyntax): number {
  const openers = openersOf(syntax);
  let high = 0x81_1c_9d_c5;
  let low = 0x01_23_45_67;
  let isFirstOfLine = true;
  let at = 0;
  const take = (code: number) => {
    high = Math.imul(high ^ code, 0x01_00_01_93);
    low = Math.imul(low ^ code, 0x5b_d1_e9_95) ^ (low >>> 15);
  };
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code === lineFeed || isSpace(code)) {
      if (code === lineFeed) isFirstOfLine = true;
      at += 1;
      continue;
    }
    const opener = openers[code]?.find(({ text }) => source.startsWith(text, at));
    if (opener === undefined) {
      take(code);
      at += 1;
    } else {
      const isComment = opener.isComment || (opener.isDocstring && isFirstOfLine);
      const end = endOf(source, at, opener, isComment, syntax.nested ?? false);
      if (!isComment) for (let within = at; within < end; within++) take(source.charCodeAt(within));
      at = end;
      if (isComment) continue;
    }
    isFirstOfLine = false;
  }
  return (high >>> 0) * 0x20_00_00 + (low >>> 11);
}
