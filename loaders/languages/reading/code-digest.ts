import type { CommentSyntax } from '../language.ts';
import { endOf, isSpace, lineFeed, openersOf } from './openers.ts';

/** What a byte may be: nothing but itself, white space, or the first of what opens a comment or a string. */
const plain = 0;
const space = 1;
const opening = 2;

/**
 * A number that is equal for sources that differ in nothing but comments, docstrings and white space. One pass over the bytes; 53
 * bits, so that two sources are hardly ever taken for one.
 */
export function codeDigest(bytes: Buffer, syntax: CommentSyntax): number {
  const source = bytes.toString('latin1');
  const openers = openersOf(syntax);
  const kinds = kindsOf(syntax);
  let high = 0x81_1c_9d_c5;
  let low = 0x01_23_45_67;
  let isFirstOfLine = true;
  // The loop is what comparing a history takes its time for, so it calls nothing for a byte that is plain.
  for (let at = 0; at < bytes.length;) {
    const code = bytes[at] ?? 0;
    const kind = kinds[code];
    let end = at + 1;
    if (kind === space) {
      if (code === lineFeed) isFirstOfLine = true;
      at = end;
      continue;
    }
    if (kind === opening)
      for (const opener of openers[code] ?? []) {
        if (!source.startsWith(opener.text, at)) continue;
        const isComment = opener.isComment || (opener.isDocstring && isFirstOfLine);
        end = endOf(source, at, opener, isComment, syntax.nested ?? false);
        if (isComment) at = end;
        break;
      }
    if (at === end) continue;
    isFirstOfLine = false;
    for (; at < end; at++) {
      const taken = bytes[at] ?? 0;
      high = Math.imul(high ^ taken, 0x01_00_01_93);
      low = Math.imul(low ^ taken, 0x5b_d1_e9_95) ^ (low >>> 15);
    }
  }
  return (high >>> 0) * 0x20_00_00 + (low >>> 11);
}

const known = new Map<CommentSyntax, Uint8Array>();

function kindsOf(syntax: CommentSyntax): Uint8Array {
  let kinds = known.get(syntax);
  if (kinds) return kinds;
  const openers = openersOf(syntax);
  kinds = Uint8Array.from({ length: 256 }, (_, code) =>
    code === lineFeed || isSpace(code) ? space : openers[code] ? opening : plain,
  );
  known.set(syntax, kinds);
  return kinds;
}
