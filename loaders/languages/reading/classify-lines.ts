import type { CommentSyntax } from '../language.ts';

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
  const openers = known.get(syntax) ?? openersOf(syntax);
  known.set(syntax, openers);
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

const lineFeed = 10;

const isSpace = (code: number) => code === 32 || code === 9 || code === 13 || code === 12 || code === 0xfeff;

/** Behind what was opened at `start`; the end of the source where nothing closes it. */
function endOf(source: string, start: number, opener: Opener, isComment: boolean, nested: boolean): number {
  const { text, close } = opener;
  if (close === null) {
    const end = source.indexOf('\n', start);
    return end === -1 ? source.length : end;
  }
  const first = close.charCodeAt(0);
  let depth = 1;
  let at = start + text.length;
  while (at < source.length) {
    const mayClose = source.charCodeAt(at) === first && source.startsWith(close, at);
    if (mayClose && (isComment || !isEscaped(source, at))) {
      at += close.length;
      if (--depth === 0) return at;
    } else if (nested && isComment && source.startsWith(text, at)) {
      depth += 1;
      at += text.length;
    } else at += 1;
  }
  return source.length;
}

interface Opener {
  text: string;
  /** Null: to the end of the line. */
  close: string | null;
  isComment: boolean;
  isDocstring: boolean;
}

/** By the code of their first character, the longest first. */
type Openers = readonly (readonly Opener[] | undefined)[];

const known = new Map<CommentSyntax, Openers>();

function openersOf({ line, block, quotes, docstrings = [] }: CommentSyntax): Openers {
  const all: Opener[] = [
    ...line.map((text) => ({ text, close: null, isComment: true, isDocstring: false })),
    ...block.map(([text, close]) => ({ text, close, isComment: true, isDocstring: false })),
    ...docstrings.map((text) => ({ text, close: text, isComment: false, isDocstring: true })),
    ...quotes.map(([text, close]) => ({ text, close, isComment: false, isDocstring: false })),
  ];
  const openers: Opener[][] = [];
  for (const opener of all.sort((a, b) => b.text.length - a.text.length))
    (openers[opener.text.charCodeAt(0)] ??= []).push(opener);
  return openers;
}

/** A backslash before a closing quote, unless that is escaped itself. */
function isEscaped(source: string, at: number): boolean {
  return source.charCodeAt(at - 1) === 92 && source.charCodeAt(at - 2) !== 92;
}
