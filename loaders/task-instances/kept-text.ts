import { open, type FileHandle } from 'node:fs/promises';
import type { KeptText } from '../../src/model/evaluation-attempt.ts';

/** Of each text so many bytes are kept. */
export const maxKeptBytes = 256 * 1024;

const newline = 0x0a;

/**
 * The text in a file, or so much of it as is kept, in whole lines where it has any: this share of it from its beginning, the rest from
 * its end. No more than that is read, however large it is. Null where there is no such file.
 */
export async function keptText(
  path: string,
  { shareOfBeginning }: { shareOfBeginning: number },
): Promise<KeptText | null> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    if (size <= maxKeptBytes) return { text: (await bytesOf(file, 0, size)).toString(), cut: null };
    const most = Math.floor(maxKeptBytes * shareOfBeginning);
    const [first, last] = await Promise.all([
      bytesOf(file, 0, most),
      bytesOf(file, size - (maxKeptBytes - most), maxKeptBytes - most),
    ]);
    const head = first.subarray(0, first.lastIndexOf(newline) + 1 || endOfCharacters(first));
    const tail = last.subarray(last.indexOf(newline) + 1 || beginOfCharacters(last));
    const beginning = head.toString();
    return {
      text: beginning + tail.toString(),
      cut: { bytes: size - head.length - tail.length, after_line: beginning.split('\n').length - 1 },
    };
  } finally {
    await file.close();
  }
}

/** Fewer than asked for where the file ends before. */
async function bytesOf(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

const isContinued = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Before a last character of UTF-8 that may not be whole: up to four bytes before the end. */
function endOfCharacters(bytes: Buffer): number {
  let end = bytes.length - 1;
  while (end > bytes.length - 4 && isContinued(bytes[end])) end -= 1;
  return Math.max(end, 0);
}

/** After what may be the rest of a character, up to three bytes. */
function beginOfCharacters(bytes: Buffer): number {
  let begin = 0;
  while (begin < 3 && isContinued(bytes[begin])) begin += 1;
  return begin;
}
