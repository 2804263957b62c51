import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Skipped } from '../../src/model/snapshot.ts';
import type { Detection } from '../detectors/detector.ts';
import type { FileUse } from '../facts/file-use.ts';
import type { Flow, FlowNames } from '../facts/flow.ts';
import type { InsecureCode } from '../facts/insecure-code.ts';
import type { FileMeasures, Glance } from '../metrics/file-measures.ts';
import type { FileFacts } from '../facts/fact.ts';
import { millisecondsOf } from './time-limit.ts';

/**
 * What a file is read for. `measures`: nobody asks for the graph, so of the facts only what is imported is told, and nothing of what
 * is declared. `graph`: nobody asks for more, so it is neither measured nor searched for what is insecure.
 */
export type Wanted = 'all' | 'measures' | 'graph';

/** One file to read. */
export interface ExtractionRequest {
  path: string;
  /** Id of ours, see loaders/languages; null for a language that is only measured. */
  language: string | null;
  /** Linguist's name of the language. */
  linguist: string | null;
  /** What it holds tells the language, and not its name. */
  byContent?: boolean;
  content: Uint8Array;
  wanted: Wanted;
  /** It is left out of the graph and the measures, and only looked into. */
  leftOut: boolean;
  /** Beside its measures what a read for the graph gives is told, of the same tree. */
  withGraph?: boolean;
}

/** What a thread is given: files, whose contents lie one behind the other. It answers with as many replies, in their order. */
export interface ExtractionBatch {
  files: (Omit<ExtractionRequest, 'content'> & { length: number })[];
  contents: Uint8Array;
  said: Said | null;
  /** Shared: the id of the thread that has begun with it, and the processor time which that had used before, in milliseconds. */
  begun: Float64Array;
}

/** What files say to others before they are read; it is shared by all threads, and not copied. */
export interface Said {
  /** Equal for what is equal. */
  digest: string;
  /** JSON: lines by language id. */
  bytes: SharedArrayBuffer;
}

export interface ExtractionReply {
  /** FileRead as JSON in UTF-8, which crosses threads as it is; null when nothing could be made of the file. */
  read: Uint8Array | null;
  skipped: Skipped | null;
  /** Likewise, for the graph; absent where nobody asked, or it can't be made. */
  graph?: Uint8Array;
  /** Words, by spaces, whose meaning in other files the reading depends on; absent where there are none. */
  asked?: string;
}

/** What reading one file gives. */
export interface FileRead {
  /** Null for a language that is only measured. */
  facts: FileFacts | null;
  /** Null for a file that is only looked through for what it declares, and where the graph alone is asked for. */
  measures: FileMeasures | null;
  /** Endpoints and data models; absent where there are none. */
  detections?: Detection[];
  /** Likewise. */
  insecure?: InsecureCode[];
  flows?: readonly Flow[];
  names?: FlowNames;
  use?: FileUse;
  /** Of a source file that is left out, alone. */
  glance?: Glance;
}

interface Job {
  request: ExtractionRequest;
  settle: (reply: ExtractionReply) => void;
  /** A thread died of it, or of another that was given with it. */
  isSuspect: boolean;
}

/** No batch may take a thread more processor time than this, whatever it does: no expression and no parser can be interrupted. */
const timeLimitMs = 60_000;
/** By the clock, of the limit: a thread that waits for something is given up, too. */
const maxClockRatio = 10;
/** Threads beyond the first end when they have waited so long. */
const idleMs = 5_000;
/** Of source, a thread; memory holds so much, and what is under way. */
const maxQueuedBytes = 128 * 1024;
/** Of source: to start a thread, and to warm it up, takes as long as to read half of it. */
const minThreadBytes = 2 ** 20;
/** A message takes as long as reading a small file, so small files share one. */
const maxBatchBytes = 32 * 1024;

/**
 * Extracts facts in worker threads. `extract` waits while the queue is full, so memory holds a few files a thread.
 * A thread that dies or takes too long is replaced; its file is reported as skipped and no other file is lost.
 */
export class ExtractionPool {
  /** Null until the first file comes, unless they were started ahead. */
  #threads: Piscina<ExtractionBatch, ExtractionReply[]> | null;
  readonly #entry: URL | undefined;
  /** Threads that are worth it. */
  #size: number;
  readonly #maxSize: number;
  readonly #timeLimitMs: number;
  readonly #queue: Job[] = [];
  /** Of what waits. */
  #bytes = 0;
  #underWay = 0;
  #waiting: (() => void)[] = [];
  /** What the files that come say to each other. */
  said: Said | null = null;
  /** Somebody asks for the graph of files after they have been measured, or will most likely: those that come are read for both at once. */
  readsForGraph = false;

  /** `entry`: what the threads run. */
  constructor(options: { size?: number; entry?: URL; timeLimitMs?: number } = {}) {
    this.#maxSize = Math.max(1, options.size ?? availableParallelism());
    this.#size = this.#maxSize;
    this.#timeLimitMs = options.timeLimitMs ?? timeLimitMs;
    this.#entry = options.entry;
    this.#threads = options.entry ? null : takeAhead();
  }

  /** These files come before any other: for a few no thread is started beside one that has begun, unless somebody waits for them as for a graph. */
  expect(wanted: Wanted, files: readonly { size: number }[]): void {
    const started = this.#threads?.threads.length ?? 0;
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const worthIt = wanted === 'measures' || started > 0 ? Math.ceil(bytes / minThreadBytes) : this.#maxSize;
    this.#size = Math.min(this.#maxSize, Math.max(started, worthIt, 1));
  }

  /** Resolves when the pool has taken the file; `reply` resolves when the file is done. */
  async extract(request: ExtractionRequest): Promise<{ reply: Promise<ExtractionReply> }> {
    while (this.#bytes >= this.#size * maxQueuedBytes) {
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
    await this.#threads?.destroy();
  }

  /** No more than there are threads, so that a batch's time begins when it is given. */
  #dispatch(): void {
    while (this.#underWay < this.#size && this.#queue.length > 0) void this.#run(this.#nextBatch());
  }

  async #run(batch: readonly Job[]): Promise<void> {
    this.#underWay++;
    const done = new AbortController();
    try {
      const threads = (this.#threads ??= openThreads(1, this.#maxSize, this.#entry));
      const begun = new Float64Array(new SharedArrayBuffer(16));
      const message = { ...messageOf(batch), said: this.said, begun };
      const replies = await threads.run(message, {
        transferList: [message.contents.buffer],
        signal: limitThread(() => usedSince(begun, threads.threads), this.#timeLimitMs, done.signal),
      });
      for (const [index, reply] of replies.entries()) batch[index]?.settle(reply);
    } catch (error) {
      this.#goOnWithout(batch, error);
    } finally {
      done.abort();
      this.#underWay--;
      this.#dispatch();
    }
  }

  /** A file by which a thread died is left out; where it may be one of several, each goes once more, alone. */
  #goOnWithout(batch: readonly Job[], error: unknown): void {
    const [only, ...more] = batch;
    if (only && more.length === 0) {
      only.settle({ read: null, skipped: { path: only.request.path, ...this.#reasonOf(error) } });
      return;
    }
    this.#queue.unshift(...batch.map((job) => ({ ...job, isSuspect: true })));
    for (const { request } of batch) this.#bytes += sizeOf(request);
  }

  #reasonOf(error: unknown): Omit<Skipped, 'path'> {
    if (!(error instanceof Error)) return { reason: 'parse_error', detail: String(error) };
    if (error.name === 'AbortError')
      return {
        reason: 'timeout',
        detail: `It was not read within ${this.#timeLimitMs / 1000} s of processor time, nor in ${maxClockRatio} times as long by the clock.`,
      };
    const isTooLarge = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const detail = isTooLarge ? 'Reading it took more memory than a thread may have.' : error.message;
    return { reason: 'parse_error', detail };
  }

  #nextBatch(): Job[] {
    const batch: Job[] = [];
    let size = 0;
    for (let job = this.#queue[0]; job; job = this.#queue[0]) {
      size += sizeOf(job.request);
      const isAlone = job.isSuspect || (batch[0]?.isSuspect ?? false);
      if (batch.length > 0 && (isAlone || size > maxBatchBytes)) break;
      this.#queue.shift();
      this.#bytes -= sizeOf(job.request);
      batch.push(job);
    }
    for (const go of this.#waiting.splice(0)) go();
    return batch;
  }
}

/** What a file takes while it waits. */
function sizeOf({ content }: ExtractionRequest): number {
  return content.length + 1_024;
}

/** Contents go in one piece, which is handed over: a copy of each would be one of all that git printed together with it. */
function messageOf(
  batch: readonly Job[],
): Omit<ExtractionBatch, 'said' | 'begun'> & { contents: Uint8Array<ArrayBuffer> } {
  const files = batch.map(({ request: { content, ...file } }) => ({ ...file, length: content.length }));
  const contents = new Uint8Array(files.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const { request } of batch) {
    contents.set(request.content, at);
    at += request.content.length;
  }
  return { files, contents };
}

/** Aborted once as much processor time is used, or ten times as much has passed; nobody looks any more once it is `done`. */
function limitThread(used: () => Promise<number>, limitMs: number, done: AbortSignal): AbortSignal {
  const over = new AbortController();
  const end = () => over.abort();
  const look = async () => {
    for (let left = limitMs; left > 0; left = limitMs - (await used()))
      await wait(Math.max(left, 100), null, { signal: done, ref: false });
    end();
  };
  look().catch(() => undefined);
  // A thread that is blocked outside of JavaScript does not say what it used.
  const last = setTimeout(end, maxClockRatio * limitMs).unref();
  done.addEventListener('abort', () => clearTimeout(last), { once: true });
  return over.signal;
}

/** Processor time in milliseconds of whichever thread has begun; none while none has. */
async function usedSince([id, before = 0]: Float64Array, threads: readonly Worker[]): Promise<number> {
  const thread = threads.find(({ threadId }) => threadId === id);
  return thread ? millisecondsOf(await thread.cpuUsage()) - before : 0;
}

/** Started and without work. */
let ahead: Piscina<ExtractionBatch, ExtractionReply[]> | null = null;

/** Starts threads of the next pool, by default all, while its first file is still looked for: they need a fifth of a second. */
export function startThreads(count: number = availableParallelism()): void {
  ahead ??= openThreads(count, availableParallelism());
}

function takeAhead() {
  const taken = ahead;
  ahead = null;
  return taken;
}

function openThreads(minThreads: number, maxThreads: number, entry = new URL('./worker.ts', import.meta.url)) {
  return new Piscina<ExtractionBatch, ExtractionReply[]>({
    filename: entry.href,
    minThreads,
    maxThreads,
    // What reads several snapshots in turn has nothing for them in between.
    idleTimeout: idleMs,
    // Together: 560 MB in place of 780 for a large package (effect). A thread that waits for work without its event loop holds its
    // garbage.
    atomics: 'disabled',
    // A heap that may not grow beyond 2 GB is collected when it has doubled, others when there is four times as much.
    resourceLimits: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 2_000 },
  });
}
