import type { WriterThread } from './writer-thread.ts';

/** Threads that each do one thing at a time; what takes too long is ended with its thread. */
export interface ThreadPool {
  /** Does this with a thread of its own, when one is free. Throws what `tooLong` makes when it was ended. */
  run<T>(work: (thread: WriterThread) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  /** Ends all of them at once; what is under way fails. */
  terminate(): Promise<void>;
}

/** Starts up to `size` threads, as they are needed. `limitMs`: from when the work begins. */
export function createThreadPool({
  start,
  size,
  limitMs,
  tooLong,
}: {
  start: () => WriterThread;
  size: number;
  limitMs: number;
  tooLong: () => Error;
}): ThreadPool {
  const threads = new Set<WriterThread>();
  const idle: WriterThread[] = [];
  const waiting: (() => void)[] = [];
  let busy = 0;

  const end = async (thread: WriterThread) => {
    threads.delete(thread);
    await thread.terminate();
  };

  return {
    async run(work) {
      while (busy >= size) await new Promise<void>((go) => void waiting.push(go));
      busy += 1;
      const thread = idle.pop() ?? start();
      threads.add(thread);
      let isLate = false;
      const limit = setTimeout(() => {
        isLate = true;
        void end(thread);
      }, limitMs);
      try {
        const value = await work(thread);
        if (threads.has(thread)) idle.push(thread);
        return value;
      } catch (error) {
        // One that failed may be at anything.
        await end(thread);
        throw isLate ? tooLong() : error;
      } finally {
        clearTimeout(limit);
        busy -= 1;
        waiting.shift()?.();
      }
    },
    close: async () => {
      await Promise.all([...threads].map((thread) => thread.close()));
    },
    terminate: async () => {
      await Promise.all([...threads].map(end));
    },
  };
}
