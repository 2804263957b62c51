import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Skipped } from '../../src/model/snapshot.ts';
import type { Detection } from '../detectors/detector.ts';
import type { InsecureCode } from '../detectors/insecure-code/find.ts';
import type { FileMeasures } from '../metrics/file-measures.ts';
import type { FileFacts } from './fact.ts';

export interface ExtractionRequest {
  id: number;
  path: string;
  /** Id of ours, see loaders/languages; null for a language that is only measured. */
  language: string | null;
  /** Linguist's name of the language. */
  linguist: string | null;
  content: Uint8Array;
  /** Nobody asks for the graph: of the facts only what is imported, and nothing of what is declared or insecure. */
  onlyMeasures: boolean;
}

export interface ExtractionReply {
  id: number;
  /** FileRead as JSON, which crosses threads as it is; null when the file was left out. */
  read: string | null;
  skipped: Skipped | null;
}

interface Job {
  request: ExtractionRequest;
  settle: (reply: ExtractionReply) => void;
}

interface Thread {
  worker: Worker;
  /** Handed over, oldest first: one under way, and one ahead, so that it never waits for this thread. */
  jobs: Job[];
  timer: NodeJS.Timeout | null;
}

/** What reading one file gives. */
export interface FileRead {
  /** Null for a language that is only measured. */
  facts: FileFacts | null;
  /** Null for a file that is only looked through for what it declares. */
  measures: FileMeasures | null;
  /** Endpoints and data models; absent where there are none. */
  detections?: Detection[];
  /** Likewise. */
  insecure?: InsecureCode[];
  /** Why nobody looked for insecure code, where it may be. */
  uninspected?: string;
}

/** No file may hold a thread longer than this, whatever the parser does; milliseconds. */
const hardLimitMs = 60_000;
const queuedPerThread = 4;
const heldPerThread = 2;

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
  async extract(file: Omit<ExtractionRequest, 'id'>): Promise<{ reply: Promise<ExtractionReply> }> {
    while (this.#queue.length >= this.#size * queuedPerThread) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const reply = new Promise<ExtractionReply>((settle) => {
      this.#queue.push({ request: { id: this.#nextId++, ...file }, settle });
    });
    this.#dispatch();
    return { reply };
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  #dispatch(): void {
    if (
      this.#queue.length > 0 &&
      this.#threads.length < this.#size &&
      this.#threads.every(({ jobs }) => jobs.length > 0)
    ) {
      this.#start();
    }
    for (let held = 0; held < heldPerThread; held++) {
      for (const thread of this.#threads) {
        if (thread.jobs.length > held) continue;
        const job = this.#queue.shift();
        if (!job) return;
        this.#waiting.shift()?.();
        thread.jobs.push(job);
        if (thread.jobs.length === 1) watch(thread);
        thread.worker.postMessage(job.request);
      }
    }
  }

  #start(): void {
    const worker = ahead.shift() ?? startWorker();
    const thread: Thread = { worker, jobs: [], timer: null };
    worker.on('message', (reply: ExtractionReply) => {
      const index = thread.jobs.findIndex(({ request }) => request.id === reply.id);
      const [job] = thread.jobs.splice(index, 1);
      watch(thread);
      job?.settle(reply);
      this.#dispatch();
    });
    let detail = 'The parser did not come back in time.';
    worker.on('error', (error) => (detail = error.message));
    worker.on('exit', () => {
      const index = this.#threads.indexOf(thread);
      if (index >= 0) this.#threads.splice(index, 1);
      const [job, ...others] = thread.jobs.splice(0);
      watch(thread);
      this.#queue.unshift(...others);
      if (job) {
        const { id, path } = job.request;
        job.settle({ id, read: null, skipped: { path, reason: 'timeout', detail } });
      }
      this.#dispatch();
    });
    this.#threads.push(thread);
  }
}

/** Started and without work. */
const ahead: Worker[] = [];

/** Starts the threads of the next pool while its first file is still looked for: they need a fifth of a second. */
export function startThreads(count = availableParallelism()): void {
  while (ahead.length < count) {
    const worker = startWorker();
    worker.unref();
    ahead.push(worker);
  }
}

function startWorker(): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 24 } });
}

/** Gives the oldest job its time; a thread without one keeps no process alive. */
function watch(thread: Thread): void {
  if (thread.timer) clearTimeout(thread.timer);
  thread.timer = null;
  if (thread.jobs.length === 0) {
    thread.worker.unref();
    return;
  }
  thread.timer = setTimeout(() => void thread.worker.terminate(), hardLimitMs);
  thread.worker.ref();
}
