import { hash } from 'node:crypto';
import type { CommentSyntax } from '../language.ts';
import { sharedStart } from './changed-middle.ts';
import { endOf, isSpace, lineFeed, openersOf } from './openers.ts';

/** What is code of the source at hand; as large as the largest so far. */
let code = Buffer.alloc(2 ** 16);

/** A place in a source where no comment and no string is open. */
interface Place {
  at: number;
  /** Of the code before it. */
  length: number;
  /** Where the last comment or string ended, and whether nothing but white space and comments stood on the line before. */
  begin: number;
  isFirst: boolean;
}

/** The source at hand last, and places in it: the versions of a file come one after the other, and begin alike. */
let last: { bytes: Buffer; syntax: CommentSyntax | null; places: Place[] } = {
  bytes: Buffer.alloc(0),
  syntax: null,
  places: [],
};
/** Bytes between two places. */
const placesApart = 512;

/**
 * A number that is equal for sources that differ in nothing but comments, docstrings and white space. 52 bits of a SHA-1: who writes both
 * sources may find two that are taken for one by many millions of tries, and who writes one of them does not.
 */
export function codeDigest(bytes: Buffer, syntax: CommentSyntax): number {
  if (code.length < bytes.length) {
    code = Buffer.alloc(bytes.length * 2);
    last.places = [];
  }
  const digest = hash('sha1', code.subarray(0, takeCode(bytes, syntax)), 'buffer');
  return digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) >>> 4);
}

/** Writes what is code; says how many bytes it is. */
function takeCode(bytes: Buffer, syntax: CommentSyntax): number {
  const source = bytes.toString('latin1');
  const openers = openersOf(syntax);
  const { counts, opens } = kindsOf(syntax);
  const { length: all } = bytes;
  const places = placesIn(bytes, syntax);
  const from = places.at(-1) ?? { at: 0, length: 0, begin: 0, isFirst: true };
  let { length, begin, isFirst } = from;
  let next = from.at + placesApart;
  // The loops are what comparing a history takes its time for: white space is written, too, and overwritten by what follows, so that no
  // processor has to guess where words end.
  for (let { at } = from; at < all;) {
    if (at >= next) {
      places.push({ at, length, begin, isFirst });
      next = at + placesApart;
    }
    let byte = bytes[at] ?? 0;
    while (opens[byte] === 0) {
      code[length] = byte;
      length += counts[byte] ?? 0;
      if (++at === all) break;
      byte = bytes[at] ?? 0;
    }
    if (at === all) break;
    let end = at + 1;
    for (const opener of openers[byte] ?? []) {
      if (!source.startsWith(opener.text, at)) continue;
      isFirst = isFirstOfLine(bytes, begin, at, counts) ?? isFirst;
      const isComment = opener.isComment || (opener.isDocstring && isFirst);
      end = endOf(source, at, opener, isComment, syntax.nested ?? false);
      begin = end;
      if (isComment) at = end;
      else isFirst = false;
      break;
    }
    while (at < end) code[length++] = bytes[at++] ?? 0;
  }
  return length;
}

/** Places of the last source that this one has, too: it is the same so far, and an opener behind them. They become those of this one. */
function placesIn(bytes: Buffer, syntax: CommentSyntax): Place[] {
  const places = last.syntax === syntax ? last.places : [];
  const shared = places.length === 0 ? 0 : sharedStart(bytes, last.bytes) - kindsOf(syntax).longestOpener;
  for (let place = places.at(-1); place && place.at > shared; place = places.at(-1)) places.pop();
  last = { bytes, syntax, places };
  return places;
}

/** Whether only white space lies between the last line feed and the end; null where there is neither a line feed nor anything else. */
function isFirstOfLine(bytes: Buffer, begin: number, end: number, counts: Uint8Array): boolean | null {
  for (let at = end - 1; at >= begin; at--) {
    const byte = bytes[at] ?? 0;
    if (byte === lineFeed) return true;
    if (counts[byte] === 1) return false;
  }
  return null;
}

/** By byte: whether it is counted, as all is that is not white space, and whether it is the first of what opens a comment or a string. */
interface Kinds {
  counts: Uint8Array;
  opens: Uint8Array;
  /** In bytes. */
  longestOpener: number;
}

const known = new Map<CommentSyntax, Kinds>();

function kindsOf(syntax: CommentSyntax): Kinds {
  let kinds = known.get(syntax);
  if (kinds) return kinds;
  const openers = openersOf(syntax);
  const each = (is: (code: number) => boolean) => Uint8Array.from({ length: 256 }, (_, code) => Number(is(code)));
  const isWhite = (code: number) => code === lineFeed || isSpace(code);
  kinds = {
    counts: each((code) => !isWhite(code)),
    opens: each((code) => !isWhite(code) && !!openers[code]),
    longestOpener: Math.max(0, ...openers.flatMap((some) => some ?? []).map(({ text }) => text.length)),
  };
  known.set(syntax, kinds);
  return kinds;
}
