import type { CommentSyntax } from '../language.ts';
import { endOf, isSpace, lineFeed, openersOf } from './openers.ts';

/** What a line is. */
export const BLANK = 0;
export const COMMENT = 1;
export const CODE = 2;

/**
 * What each line of a source is, as scc counts: a line with code and a comment is code; a line within a string is code, a blank one
 * too; quotes within regular expressions count as quotes. One pass over the characters.
 */
export function classifyLines(source: string, syntax: CommentSyntax): Uint8Array {
  const kinds: number[] = [];
  const openers = openersOf(syntax);
  let kind = BLANK;
  let at = 0;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code === lineFeed) {
      kinds.push(kind);
      kind = BLANK;
      at += 1;
      continue;
    }
    if (isSpace(code)) {
      at += 1;
      continue;
    }
    const opener = openers[code]?.find(({ text }) => source.startsWith(text, at));
    if (opener === undefined) {
      kind = CODE;
      at += 1;
      continue;
    }
    const isComment = opener.isComment || (opener.isDocstring && kind === BLANK);
    const within = isComment ? COMMENT : CODE;
    if (kind < within) kind = within;
    const end = endOf(source, at, opener, isComment, syntax.nested ?? false);
    for (; at < end; at++) {
      if (source.charCodeAt(at) !== lineFeed) continue;
      kinds.push(kind);
      kind = within;
    }
  }
  if (source.length > 0 && source.charCodeAt(source.length - 1) !== lineFeed) kinds.push(kind);
  return Uint8Array.from(kinds);
}
