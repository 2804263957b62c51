import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { compilerTurns, expectBeginners } from '../../src/compiler-turns.ts';
import type { Skipped } from '../../src/model/snapshot.ts';
import type { Detection } from '../detectors/detector.ts';
import type { InsecureCode } from '../detectors/insecure-code/find.ts';
import type { FileMeasures } from '../metrics/file-measures.ts';
import type { FileFacts } from './fact.ts';

/** One file to read. */
export interface ExtractionRequest {
  path: string;
  /** Id of ours, see loaders/languages; null for a language that is only measured. */
  language: string | null;
  /** Linguist's name of the language. */
  linguist: string | null;
  content: Uint8Array;
  /** Nobody asks for the graph: of the facts only what is imported, and nothing of what is declared or insecure. */
  onlyMeasures: boolean;
}

/** What a thread is sent: files, whose contents lie one behind the other. It answers with as many replies, in their order. */
export interface ExtractionBatch {
  files: (Omit<ExtractionRequest, 'content'> & { length: number })[];
  contents: Uint8Array;
}

export interface ExtractionReply {
  /** FileRead as JSON, which crosses threads as it is; null when the file was left out. */
  read: string | null;
  skipped: Skipped | null;
}

interface Job {
  request: ExtractionRequest;
  settle: (reply: ExtractionReply) => void;
  /** A thread died of it, or of another that was sent with it. */
  isSuspect: boolean;
}

interface Thread {
  worker: Worker;
  /** Handed over, oldest first: one under way, and one ahead, so that it never waits for this thread. */
  batches: Job[][];
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

/** No batch may hold a thread longer than this, whatever the parser does; milliseconds. */
const hardLimitMs = 60_000;
/** Of source, a thread; memory holds so much, and what is under way. */
const queuedBytes = 128 * 1024;
/** A message takes as long as reading a small file, so small files share one. */
const batchBytes = 32 * 1024;
const heldPerThread = 2;
/** Of source; behind it the parser and the first grammar have called most of their functions. */
const begunBytes = 128 * 1024;

/**
 * Extracts facts in worker threads. `extract` waits while the queue is full, so memory holds a few files a thread.
 * A thread that dies or hangs is replaced; its file is reported as skipped and no other file is lost.
 */
export class ExtractionPool {
  readonly #size: number;
  readonly #threads: Thread[] = [];
  readonly #queue: Job[] = [];
  /** Of what waits. */
  #bytes = 0;
  /** Of what came back. */
  #read = 0;
  readonly #waiting: (() => void)[] = [];

  readonly #entry: URL | undefined;

  /** `entry`: what the threads run. */
  constructor(size = availableParallelism(), entry?: URL) {
    this.#size = Math.max(1, size);
    this.#entry = entry;
  }

  /** Resolves when the pool has taken the file; `reply` resolves when the file is done. */
  async extract(request: ExtractionRequest): Promise<{ reply: Promise<ExtractionReply> }> {
    while (this.#bytes >= this.#size * queuedBytes) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const reply = new Promise<ExtractionReply>((settle) => {
      this.#queue.push({ request, settle, isSuspect: false });
      this.#bytes += sizeOf(request);
    });
    this.#dispatch();
    return { reply };
  }

  async close(): Promise<void> {
    begun?.();
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  #dispatch(): void {
    if (
      this.#queue.length > 0 &&
      this.#threads.length < this.#size &&
      this.#threads.every(({ batches }) => batches.length > 0)
    ) {
      this.#start();
    }
    for (let held = 0; held < heldPerThread; held++) {
      for (const thread of this.#threads) {
        if (thread.batches.length > held) continue;
        const batch = this.#nextBatch();
        if (batch.length === 0) return;
        thread.batches.push(batch);
        if (thread.batches.length === 1) watch(thread);
        send(thread.worker, batch);
      }
    }
  }

  #nextBatch(): Job[] {
    const batch: Job[] = [];
    let size = 0;
    for (let job = this.#queue[0]; job; job = this.#queue[0]) {
      size += sizeOf(job.request);
      const isAlone = job.isSuspect || (batch[0]?.isSuspect ?? false);
      if (batch.length > 0 && (isAlone || size > batchBytes)) break;
      this.#queue.shift();
      this.#bytes -= sizeOf(job.request);
      batch.push(job);
    }
    for (const go of this.#waiting.splice(0)) go();
    return batch;
  }

  #start(): void {
    const worker = (this.#entry ? undefined : ahead.shift()) ?? startWorker(this.#entry);
    const thread: Thread = { worker, batches: [], timer: null };
    worker.on('message', (replies: ExtractionReply[]) => {
      const batch = thread.batches.shift() ?? [];
      this.#read += batch.reduce((sum, { request }) => sum + request.content.length, 0);
      if (this.#read > begunBytes) begun?.();
      watch(thread);
      this.#dispatch();
      for (const [index, reply] of replies.entries()) batch[index]?.settle(reply);
    });
    let detail = 'The parser did not come back in time.';
    worker.on('error', (error) => (detail = error.message));
    worker.on('exit', () => {
      const index = this.#threads.indexOf(thread);
      if (index >= 0) this.#threads.splice(index, 1);
      const [first = [], ...others] = thread.batches.splice(0);
      watch(thread);
      const [only, ...more] = first;
      if (only && more.length === 0) {
        only.settle({ read: null, skipped: { path: only.request.path, reason: 'timeout', detail } });
      } else {
        // It was one of these: each goes once more, alone.
        for (const job of first) job.isSuspect = true;
        others.unshift(first);
      }
      const again = others.flat();
      this.#queue.unshift(...again);
      for (const { request } of again) this.#bytes += sizeOf(request);
      this.#dispatch();
    });
    this.#threads.push(thread);
  }
}

/** What a file takes while it waits. */
function sizeOf({ content }: ExtractionRequest): number {
  return content.length + 1_024;
}

/** Contents go in one piece, which is handed over: a copy of each would be one of all that git printed together with it. */
function send(worker: Worker, batch: readonly Job[]): void {
  const files = batch.map(({ request: { content, ...file } }) => ({ ...file, length: content.length }));
  const contents = new Uint8Array(files.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const { request } of batch) {
    contents.set(request.content, at);
    at += request.content.length;
  }
  worker.postMessage({ files, contents } satisfies ExtractionBatch, [contents.buffer]);
}

/** Started and without work. */
const ahead: Worker[] = [];
/** To be called when they have read some. */
let begun: (() => void) | null = null;

/** Starts the threads of the next pool while its first file is still looked for: they need a fifth of a second. */
export function startThreads(count = availableParallelism()): void {
  begun ??= expectBeginners();
  while (ahead.length < count) {
    const worker = startWorker();
    worker.unref();
    ahead.push(worker);
  }
}

function startWorker(entry = new URL('./worker.ts', import.meta.url)): Worker {
  return new Worker(entry, { workerData: { compilerTurns }, resourceLimits: { maxYoungGenerationSizeMb: 24 } });
}

/** Gives the oldest batch its time; a thread without one keeps no process alive. */
function watch(thread: Thread): void {
  if (thread.timer) clearTimeout(thread.timer);
  thread.timer = null;
  if (thread.batches.length === 0) {
    thread.worker.unref();
    return;
  }
  thread.timer = setTimeout(() => void thread.worker.terminate(), hardLimitMs);
  thread.worker.ref();
}
