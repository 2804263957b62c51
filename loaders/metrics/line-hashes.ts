import { CODE } from '../languages/reading/classify-lines.ts';
import { endOf, isSpace, lineFeed, openersOf } from '../languages/reading/openers.ts';
import type { CommentSyntax } from '../languages/language.ts';

const seed = 0x811c9dc5;

/** A hash of each line's characters without its white space and comments, never 0; 0 for a line without code. */
export function hashLines(source: string, kinds: Uint8Array, syntax: CommentSyntax): string {
  const openers = openersOf(syntax);
  const hashes = new Uint32Array(kinds.length);
  let line = 0;
  let hash = seed;
  const endLine = () => {
    hashes[line] = kinds[line] === CODE ? hash >>> 0 || 1 : 0;
    line += 1;
    hash = seed;
  };
  for (let at = 0; at < source.length;) {
    const opener = openers[source.charCodeAt(at)]?.find(({ text }) => source.startsWith(text, at));
    const end = opener ? endOf(source, at, opener, opener.isComment, syntax.nested ?? false) : at + 1;
    for (; at < end; at += 1) {
      const code = source.charCodeAt(at);
      if (code === lineFeed) endLine();
      else if (!opener?.isComment && !isSpace(code)) hash = Math.imul(hash ^ code, 0x01000193);
    }
  }
  if (line < kinds.length) endLine();
  return Buffer.from(hashes.buffer).toString('base64');
}

/** The hashes that `hashLines` gave. */
export function readLineHashes(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64');
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** Of one text behind another. */
export const joinLineHashes = (one: string, other: string): string =>
  Buffer.concat([one, other].map((text) => Buffer.from(text, 'base64'))).toString('base64');
