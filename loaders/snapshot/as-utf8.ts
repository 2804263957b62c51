import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';

/** Bytes around which a file is no ASCII, for the guess of its encoding. */
const maxSample = 16_384;
const headBytes = 8_192;
/** Of text that a byte or two were put into; what is no text has many more. */
const maxControlShare = 0.01;
/** As Python (PEP 263), Ruby, Emacs and Vim read it in the first two lines, and XML in its first. */
const declared = /coding[:=][ \t]*["']?([-\w.]+)|^<\?xml[^>]{0,100}encoding=["']([-\w.]+)/;
/** A guess below this is worth less than the usual one; in per cent. */
const minConfidence = 50;
/** What is guessed: of other alphabets than the Latin one, which a few words of a comment don't tell apart. */
const guessed = /^(Shift_JIS|EUC-|GB18030|Big5|ISO-2022-|windows-1251$|KOI8-R$)/;

/**
 * The bytes of a text in UTF-8, whatever it was written in: by its mark, by what its first lines declare, or by a guess over what is
 * not ASCII, in the end as Windows-1252, which has all of Latin-1. What is in UTF-8, or is no text, is given back as it is.
 */
export function asUtf8(bytes: Uint8Array): Uint8Array {
  const marked = markOf(bytes);
  if (marked !== null) return decoded(marked, bytes) ?? bytes;
  if (isUtf8(bytes) || bytes.subarray(0, headBytes).includes(0)) return bytes;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes)).toString('latin1');
  const [, emacs, xml] = declared.exec(head.split('\n', 2).join('\n')) ?? [];
  const text = [emacs ?? xml, guess(bytes), 'windows-1252'].reduce<Uint8Array | null>(
    (found, label) => found ?? (label === undefined || label === null ? null : decoded(label, bytes)),
    null,
  );
  return text ?? bytes;
}

function markOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** Null where the encoding is not known, or not that of these bytes. */
function decoded(label: string, bytes: Uint8Array): Uint8Array | null {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    return isText(text) ? Buffer.from(text) : null;
  } catch {
    return null;
  }
}

function isText(text: string): boolean {
  let odd = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13) odd += 1;
  }
  return odd <= text.length * maxControlShare + 2;
}

function guess(bytes: Uint8Array): string | null {
  const sample = Buffer.alloc(maxSample);
  let length = 0;
  for (let at = 0; at < bytes.length && length < maxSample; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const around = bytes.subarray(Math.max(0, at - 8), at + 24).subarray(0, maxSample - length);
    sample.set(around, length);
    length += around.length;
    at += 23;
  }
  const [best] = analyse(sample.subarray(0, length));
  return best !== undefined && best.confidence >= minConfidence && guessed.test(best.name) ? best.name : null;
}
