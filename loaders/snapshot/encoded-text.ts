import { unzipSync } from 'node:zlib';

/** Shorter texts are no code that somebody hides. */
export const minEncoded = 200;

/** Whether a text of letters that bytes are encoded with stands there, in quotes. */
export const holdsEncoded = (source: string): boolean => encoded.test(source);
const encoded = /["'`][\w+/-]{200}/;

/** Of what is written in base64 or in hexadecimal digits, packed or not, the text that it stands for; any other text as it is. */
export function decodedText(text: string): string {
  const packed = text.replaceAll(/\s/g, '');
  const encoding = /^[\da-f]+$/i.test(packed) ? 'hex' : /^[\w+/-]+={0,2}$/.test(packed) ? 'base64' : null;
  return encoding === null || packed.length < minEncoded ? text : unpacked(Buffer.from(packed, encoding));
}

/** A text is no longer than this when it is unpacked. */
const maxUnpacked = 1_000_000;

/** What zlib or gzip packed, as text. */
function unpacked(bytes: Buffer): string {
  const isPacked = (bytes[0] === 0x1f && bytes[1] === 0x8b) || ((bytes[0] ?? 0) & 0x0f) === 8;
  if (!isPacked) return bytes.toString();
  try {
    return unzipSync(bytes, { maxOutputLength: maxUnpacked }).toString();
  } catch {
    return bytes.toString();
  }
}
