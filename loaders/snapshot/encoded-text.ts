import { unzipSync } from 'node:zlib';

/** Shorter texts are no code that somebody hides. */
export const minEncoded = 200;

/** Whether a text of letters that bytes are encoded with stands there, in quotes. */
export const holdsEncoded = (source: string): boolean => encoded.test(source);
const encoded = /["'`][\w+/-]{200}/;

/** What is packed in a file is no longer than this together; what is only encoded is as long as it is written, and costs nothing of it. */
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
    if (encoding === null || packed.length < minEncoded) return text;
    const bytes = Buffer.from(packed, encoding);
    if (!isPacked(bytes)) return bytes.toString();
    if (left <= 0) return text;
    const unpacked = unpack(bytes, left);
    // What only looks packed is as it stands, and costs nothing either.
    if (unpacked !== bytes) left -= unpacked?.length ?? left;
    return (unpacked ?? bytes).toString();
  };
}

/** By zlib or gzip, as far as the first bytes tell. */
const isPacked = ([first = 0, second = 0]: Buffer): boolean =>
  (first === 0x1f && second === 0x8b) || (first & 0x0f) === 8;

/** Null where it is longer; what only looks packed is as it stands. */
function unpack(bytes: Buffer, most: number): Buffer | null {
  try {
    return unzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    return error instanceof RangeError ? null : bytes;
  }
}
