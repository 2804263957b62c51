import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { callbackify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';
import type { Entry } from 'yauzl';

const windowBytes = 1 << 20;
const localHeaderBytes = 30;

/**
 * The texts of an archive's JSON files, in the order of its directory, one at a time. Of hundreds of thousands of small ones, the
 * library opens each as a stream, which takes ten times as long as reading it.
 */
export async function* readArchive(path: string, maxFileBytes: number): AsyncGenerator<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const contents = windowOf(file);
    const zip = await fromRandomAccessReaderPromise(new Reader(windowOf(file)), size, { autoClose: false });
    for await (const entry of zip.eachEntry()) {
      const isSmall = Math.max(entry.uncompressedSize, entry.compressedSize) <= maxFileBytes;
      if (entry.fileName.endsWith('.json') && isSmall && !entry.isEncrypted())
        yield (await contentOf(entry, contents)).toString('utf8');
    }
  } finally {
    await file.close();
  }
}

type Window = (position: number, length: number) => Promise<Buffer>;

/** Reads a file piece by piece, mostly forwards: what lies in the piece read last costs nothing. */
function windowOf(file: FileHandle): Window {
  let start = 0;
  let held = Buffer.alloc(0);
  return async (position, length) => {
    if (position < start || position + length > start + held.length) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(length, windowBytes)), { position });
      start = position;
      held = buffer.subarray(0, bytesRead);
    }
    if (held.length - (position - start) < length) throw new Error('The archive ends too early.');
    return held.subarray(position - start, position - start + length);
  };
}

/** A local header repeats the name, but not always what comes after it. */
async function contentOf(entry: Entry, read: Window): Promise<Buffer> {
  const header = await read(entry.relativeOffsetOfLocalHeader, localHeaderBytes);
  const begin =
    entry.relativeOffsetOfLocalHeader + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const content = await read(begin, entry.compressedSize);
  return entry.isCompressed() ? inflateRawSync(content, { maxOutputLength: entry.uncompressedSize + 1 }) : content;
}

class Reader extends RandomAccessReader {
  readonly #window: Window;

  constructor(window: Window) {
    super();
    this.#window = window;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    callbackify(async () => (await this.#window(position, length)).copy(buffer, offset))(callback);
  }
}
