import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import { DamagedFile, isDamage } from './sqlite.ts';

/** A thread that does one thing after another, so that no bulk write or long search stops the requests of the main thread. */
export interface WriterThread {
  /** Runs one of the thread's methods. */
  call(method: string, argument?: unknown): Promise<unknown>;
  close(): Promise<void>;
  /** Ends it at once, whatever it is at; calls under way fail. */
  terminate(): Promise<void>;
}

interface Answer {
  id: number;
  value?: unknown;
  error?: unknown;
  /** The file is to blame. By then it is no error: those lose on the way what they are known by. */
  damage?: string;
}

/** Starts the script as a thread; it must call `answerCalls`. */
export function startWriterThread(script: URL, workerData: unknown): WriterThread {
  const worker = new Worker(script, { workerData, resourceLimits: { maxYoungGenerationSizeMb: 12 } });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  let last = 0;
  let gone: unknown = null;
  const fail = (error: unknown) => {
    gone ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('error', (error) => fail(isDamage(error) ? new DamagedFile(error.message) : error));
  worker.on('exit', (code) => fail(new Error(`The thread ended (${code}).`)));
  worker.on('message', ({ id, value, error, damage }: Answer) => {
    const call = waiting.get(id);
    waiting.delete(id);
    // An idle one must not keep a command from ending.
    if (waiting.size === 0) worker.unref();
    if (damage !== undefined) call?.reject(new DamagedFile(damage));
    else if (error === undefined) call?.resolve(value);
    else call?.reject(error);
  });
  worker.unref();
  return {
    call: (method, argument) =>
      new Promise((resolve, reject) => {
        if (gone !== null) {
          reject(gone);
          return;
        }
        const id = ++last;
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ id, method, argument });
      }),
    close: async () => {
      if (gone !== null) return;
      const exit = once(worker, 'exit');
      worker.ref();
      worker.postMessage({ id: 0, method: 'close' });
      await exit;
    },
    terminate: async () => {
      await worker.terminate();
    },
  };
}

/** The other side: answers calls by these methods; `close` also ends the thread. */
export function answerCalls(methods: Readonly<Record<string, (argument: never) => unknown>>): void {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a worker thread.');
  const answer = async ({ id, method, argument }: { id: number; method: string; argument: never }) => {
    try {
      const value = await methods[method]?.(argument);
      if (method === 'close') port.close();
      else port.postMessage({ id, value } satisfies Answer);
    } catch (error) {
      if (method === 'close') port.close();
      else if (isDamage(error)) port.postMessage({ id, damage: (error as Error).message } satisfies Answer);
      else port.postMessage({ id, error } satisfies Answer);
    }
  };
  port.on('message', (call: Parameters<typeof answer>[0]) => void answer(call));
}
