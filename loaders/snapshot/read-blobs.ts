import { GitFailure, gitStream } from './git.ts';

/** Contents of blobs in the order asked for, from one `git cat-file --batch`; null for one that is missing or damaged. */
export async function* readBlobs(gitDir: string, blobIds: readonly string[]): AsyncGenerator<Buffer | null, void> {
  // Git ends at a damaged object: that one is null, and a new process goes on behind it.
  for (let next = 0; next < blobIds.length;) {
    for await (const content of batch(gitDir, blobIds.slice(next))) {
      next += 1;
      yield content;
    }
    if (next < blobIds.length) {
      next += 1;
      yield null;
    }
  }
}

/** Ends early where git does. */
async function* batch(gitDir: string, blobIds: readonly string[]): AsyncGenerator<Buffer | null, void> {
  const input = `${blobIds.join('\n')}\n`;
  const bytes = byteReader(gitStream(['cat-file', '--batch', '--buffer'], { gitDir, input }));
  try {
    for (const _ of blobIds) {
      const header = (await bytes.line())?.split(' ');
      if (header === undefined) return;
      // `<id> blob <size>`, or `<id> missing`.
      const [, type, size] = header;
      if (size === undefined) {
        yield null;
        continue;
      }
      const content = await bytes.take(Number(size) + 1);
      if (content === null) return;
      yield type === 'blob' ? content.subarray(0, -1) : null;
    }
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
  } finally {
    await bytes.close();
  }
}

/** Lines and counted bytes out of a stream of chunks; null where it ends before. */
function byteReader(stream: AsyncGenerator<Buffer, void>) {
  let buffer: Buffer = Buffer.alloc(0);
  const more = async (): Promise<Buffer | null> => (await stream.next()).value ?? null;
  return {
    async line(): Promise<string | null> {
      let end = buffer.indexOf(10);
      while (end === -1) {
        const chunk = await more();
        if (chunk === null) return null;
        buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
        end = buffer.indexOf(10);
      }
      const line = buffer.toString('latin1', 0, end);
      buffer = buffer.subarray(end + 1);
      return line;
    },
    async take(size: number): Promise<Buffer | null> {
      if (buffer.length >= size) {
        const whole = buffer.subarray(0, size);
        buffer = buffer.subarray(size);
        return whole;
      }
      // Of its own size: what lies behind it in the last chunk is not copied.
      const whole = Buffer.allocUnsafe(size);
      let length = buffer.copy(whole);
      while (length < size) {
        const chunk = await more();
        if (chunk === null) return null;
        const copied = chunk.copy(whole, length);
        length += copied;
        buffer = chunk.subarray(copied);
      }
      return whole;
    },
    close: () => stream.return(),
  };
}
