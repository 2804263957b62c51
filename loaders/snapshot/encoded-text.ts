import { unzipSync } from 'node:zlib';

/** Shorter texts are no code that somebody hides. */
export const minEncoded = 200;

/** Whether a text of letters that bytes are encoded with stands there, in quotes. */
export const holdsEncoded = (source: string): boolean => encoded.test(source);
const encoded = /["'`][\w+/-]{200}/;

/** All texts of a file together are no longer than this when they are unpacked. */
const maxUnpacked = 1_000_000;

/**
 * For the texts of one file: of what is written in base64 or in hexadecimal digits, packed or not, the text that it stands for; any
 * other text as it is.
 */
export function openDecoder(): (text: string) => string {
  let left = maxUnpacked;
  return (text) => {
    const packed = text.replaceAll(/\s/g, '');
    const encoding = /^[\da-f]+$/i.test(packed) ? 'hex' : /^[\w+/-]+={0,2}$/.test(packed) ? 'base64' : null;
    if (encoding === null || packed.length < minEncoded || left <= 0) return text;
    const decoded = unpacked(Buffer.from(packed, encoding), left);
    left -= decoded?.length ?? left;
    return decoded?.toString() ?? text;
  };
}

/** What zlib or gzip packed, and any other bytes as they are; null where it is longer. */
function unpacked(bytes: Buffer, most: number): Buffer | null {
  const isPacked = (bytes[0] === 0x1f && bytes[1] === 0x8b) || ((bytes[0] ?? 0) & 0x0f) === 8;
  if (!isPacked) return bytes;
  try {
    return unzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    return error instanceof RangeError ? null : bytes;
  }
}
