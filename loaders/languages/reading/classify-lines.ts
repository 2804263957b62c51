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
  let closing: { text: string; isComment: boolean; open: string } | null = null;
  let depth = 0;
  let at = 0;
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code === 10) {
      kinds.push(kind);
      kind = closing === null ? BLANK : closing.isComment ? COMMENT : CODE;
      at += 1;
      continue;
    }
    if (closing) {
      if (
        code === closing.text.charCodeAt(0) &&
        source.startsWith(closing.text, at) &&
        !isEscaped(source, at, closing)
      ) {
        at += closing.text.length;
        if (--depth === 0) closing = null;
        continue;
      }
      if (syntax.nested && closing.isComment && source.startsWith(closing.open, at)) {
        depth += 1;
        at += closing.open.length;
        continue;
      }
      if (!closing.isComment) kind = CODE;
      at += 1;
      continue;
    }
    if (code === 32 || code === 9 || code === 13 || code === 12 || code === 0xfeff) {
      at += 1;
      continue;
    }
    const opener = openers[code]?.find(({ text }) => source.startsWith(text, at));
    if (opener === undefined) {
      kind = CODE;
      at += 1;
    } else if (opener.close === null) {
      if (kind === BLANK) kind = COMMENT;
      const end = source.indexOf('\n', at);
      at = end === -1 ? source.length : end;
    } else {
      const isComment = opener.isComment || (opener.isDocstring && kind === BLANK);
      if (!isComment) kind = CODE;
      else if (kind === BLANK) kind = COMMENT;
      closing = { text: opener.close, isComment, open: opener.text };
      depth = 1;
      at += opener.text.length;
    }
  }
  if (source.length > 0 && source.charCodeAt(source.length - 1) !== 10) kinds.push(kind);
  return Uint8Array.from(kinds);
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
function isEscaped(source: string, at: number, { isComment }: { isComment: boolean }): boolean {
  return !isComment && source.charCodeAt(at - 1) === 92 && source.charCodeAt(at - 2) !== 92;
}
