import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Skipped } from '../../src/model/snapshot.ts';

export interface ExtractionRequest {
  id: number;
  path: string;
  language: string;
  content: Uint8Array;
}

export interface ExtractionReply {
  id: number;
  /** FileFacts as JSON, which crosses threads as it is; null when the file was left out. */
  facts: string | null;
  skipped: Skipped | null;
}

interface Job {
  request: ExtractionRequest;
  settle: (reply: ExtractionReply) => void;
}

interface Thread {
  worker: Worker;
  job: Job | null;
  timer: NodeJS.Timeout | null;
}

/** No file may hold a thread longer than this, whatever the parser does; milliseconds. */
const hardLimitMs = 60_000;
const queuedPerThread = 4;

/**
 * Extracts facts in worker threads. `extract` waits while the queue is full, so memory holds a few files a thread.
 * A thread that dies or hangs is replaced; its file is reported as skipped and no other file is lost.
 */
export class ExtractionPool {
  readonly #size: number;
  readonly #threads: Thread[] = [];
  readonly #queue: Job[] = [];
  readonly #waiting: (() => void)[] = [];
  #nextId = 0;

  constructor(size = availableParallelism()) {
    this.#size = Math.max(1, size);
  }

  /** Resolves when the pool has taken the file; `reply` resolves when the file is done. */
  async extract(path: string, language: string, content: Uint8Array): Promise<{ reply: Promise<ExtractionReply> }> {
    while (this.#queue.length >= this.#size * queuedPerThread) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const reply = new Promise<ExtractionReply>((settle) => {
      this.#queue.push({ request: { id: this.#nextId++, path, language, content }, settle });
    });
    this.#dispatch();
    return { reply };
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  #dispatch(): void {
    if (this.#queue.length > 0 && this.#threads.length < this.#size && this.#threads.every((thread) => thread.job)) {
      this.#start();
    }
    for (const thread of this.#threads) {
      if (thread.job) continue;
      const job = this.#queue.shift();
      if (!job) return;
      this.#waiting.shift()?.();
      thread.job = job;
      thread.timer = setTimeout(() => void thread.worker.terminate(), hardLimitMs);
      thread.worker.ref();
      thread.worker.postMessage(job.request);
    }
  }

  #start(): void {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    const thread: Thread = { worker, job: null, timer: null };
    const finish = (reply: ExtractionReply) => {
      if (thread.timer) clearTimeout(thread.timer);
      const { job } = thread;
      thread.job = null;
      job?.settle(reply);
    };
    worker.on('message', (reply: ExtractionReply) => {
      finish(reply);
      worker.unref();
      this.#dispatch();
    });
    let detail = 'The parser did not come back in time.';
    worker.on('error', (error) => (detail = error.message));
    worker.on('exit', () => {
      const index = this.#threads.indexOf(thread);
      if (index >= 0) this.#threads.splice(index, 1);
      const request = thread.job?.request;
      if (request) {
        finish({ id: request.id, facts: null, skipped: { path: request.path, reason: 'timeout', detail } });
      }
      this.#dispatch();
    });
    this.#threads.push(thread);
  }
}
