import type { CommentSyntax } from '../language.ts';

export const lineFeed = 10;

export const isSpace = (code: number): boolean =>
  code === 32 || code === 9 || code === 13 || code === 12 || code === 0xfeff;

/** Behind what was opened at `start`; the end of the source where nothing closes it. */
export function endOf(source: string, start: number, opener: Opener, isComment: boolean, nested: boolean): number {
  const { text, close } = opener;
  if (close === null) {
    const end = source.indexOf('\n', start);
    return end === -1 ? source.length : end;
  }
  if (!nested || !isComment) {
    let end = source.indexOf(close, start + text.length);
    while (end !== -1 && !isComment && isEscaped(source, end)) end = source.indexOf(close, end + 1);
    return end === -1 ? source.length : end + close.length;
  }
  let depth = 1;
  let at = start + text.length;
  while (at < source.length) {
    if (source.startsWith(close, at)) {
      at += close.length;
      if (--depth === 0) return at;
    } else if (source.startsWith(text, at)) {
      depth += 1;
      at += text.length;
    } else at += 1;
  }
  return source.length;
}

export interface Opener {
  text: string;
  /** Null: to the end of the line. */
  close: string | null;
  isComment: boolean;
  isDocstring: boolean;
}

/** By the code of their first character, the longest first. */
type Openers = readonly (readonly Opener[] | undefined)[];

const known = new Map<CommentSyntax, Openers>();

/** What opens a comment or a string in a language. */
export function openersOf(syntax: CommentSyntax): Openers {
  let openers = known.get(syntax);
  if (!openers) known.set(syntax, (openers = sorted(syntax)));
  return openers;
}

function sorted({ line, block, quotes, docstrings = [] }: CommentSyntax): Openers {
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
