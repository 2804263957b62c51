import { PassThrough } from 'node:stream';
import { GitFailure, gitStream } from './git.ts';

/** Contents of blobs as `readBlobs` gives them, for who asks often: processes of git stay for the next. */
export interface BlobReader {
  read(blobIds: readonly string[]): AsyncGenerator<Buffer | null, void>;
  close(): Promise<void>;
}

/** More are asked of a process of their own, whose output is buffered. */
const maxAsked = 1_000;

/** A process is asked by one reader at a time, so there are as many as ever read side by side. */
export function openBlobReader(gitDir: string): BlobReader {
  const idle: ReturnType<typeof openProcess>[] = [];
  let isClosed = false;
  return {
    async *read(blobIds) {
      let next = 0;
      if (!isClosed && blobIds.length > 0 && blobIds.length <= maxAsked) {
        const process = idle.pop() ?? openProcess(gitDir);
        try {
          process.ask(blobIds);
          while (next < blobIds.length) {
            const content = await process.answer();
            if (content === undefined) break;
            // Who has got the last one need not ask whether there are more.
            next += 1;
            yield content;
          }
        } catch (error) {
          if (!(error instanceof GitFailure)) throw error;
        } finally {
          // One that reads on after all was closed leaves none behind.
          if (next === blobIds.length && !isClosed) idle.push(process);
          else await process.close();
        }
      }
      // Also where git has ended at one that is damaged.
      yield* readBlobs(gitDir, blobIds.slice(next));
    },
    async close() {
      isClosed = true;
      for (const process of idle.splice(0)) await process.close();
    },
  };
}

function openProcess(gitDir: string) {
  const input = new PassThrough();
  const bytes = byteReader(gitStream(['cat-file', '--batch'], { gitDir, input }));
  return {
    ask: (blobIds: readonly string[]) => input.write(linesOf(blobIds)),
    answer: () => answerIn(bytes),
    async close() {
      input.destroy();
      await bytes.close();
    },
  };
}

const linesOf = (blobIds: readonly string[]) => `${blobIds.join('\n')}\n`;

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
  const input = linesOf(blobIds);
  const bytes = byteReader(gitStream(['cat-file', '--batch', '--buffer'], { gitDir, input }));
  try {
    for (const _ of blobIds) {
      const content = await answerIn(bytes);
      if (content === undefined) return;
      yield content;
    }
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
  } finally {
    await bytes.close();
  }
}

/** The next content; null of one that is missing, undefined where git has ended. */
async function answerIn(bytes: ReturnType<typeof byteReader>): Promise<Buffer | null | undefined> {
  // `<id> blob <size>`, or `<id> missing`.
  const [, type, size] = (await bytes.line())?.split(' ') ?? [];
  if (type === undefined) return undefined;
  if (size === undefined) return null;
  const content = await bytes.take(Number(size) + 1);
  if (content === null) return undefined;
  return type === 'blob' ? content.subarray(0, -1) : null;
}

/**
 * Lines and counted bytes out of a stream of chunks; null where it ends before. What it gives are copies, and each chunk is let go once it is
 * used up: a history is a gigabyte, and what lies outside the heap is collected late.
 */
function byteReader(stream: AsyncGenerator<Buffer, void>) {
  let chunk: Buffer = Buffer.alloc(0);
  /** What of it is not used. */
  let buffer = chunk;
  const more = async (): Promise<boolean> => {
    const next = (await stream.next()).value;
    if (!next) return false;
    // Small ones that waited together lie in Node's own pool, with what others hold there.
    if (chunk.byteLength === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
    chunk = next;
    buffer = next;
    return true;
  };
  return {
    async line(): Promise<string | null> {
      let line = '';
      for (let end = buffer.indexOf(10); ; end = buffer.indexOf(10)) {
        line += buffer.toString('latin1', 0, end === -1 ? buffer.length : end);
        buffer = buffer.subarray(end === -1 ? buffer.length : end + 1);
        if (end !== -1) return line;
        if (!(await more())) return null;
      }
    },
    async take(size: number): Promise<Buffer | null> {
      const whole = Buffer.allocUnsafe(size);
      for (let length = 0; ;) {
        const copied = buffer.copy(whole, length);
        length += copied;
        buffer = buffer.subarray(copied);
        if (length === size) return whole;
        if (!(await more())) return null;
      }
    },
    close: () => stream.return(),
  };
}
