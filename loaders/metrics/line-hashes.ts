import { CODE } from '../languages/reading/classify-lines.ts';

/** A hash of each line's characters without its white space, never 0; 0 for a line without code. */
export function hashLines(source: string, kinds: Uint8Array): string {
  const hashes = new Uint32Array(kinds.length);
  let line = 0;
  let hash = 0x811c9dc5;
  for (let at = 0; at <= source.length && line < kinds.length; at += 1) {
    const code = at < source.length ? source.charCodeAt(at) : 10;
    if (code === 10) {
      hashes[line] = kinds[line] === CODE ? hash >>> 0 || 1 : 0;
      line += 1;
      hash = 0x811c9dc5;
    } else if (code !== 32 && code !== 9 && code !== 13) {
      hash = Math.imul(hash ^ code, 0x01000193);
    }
  }
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
