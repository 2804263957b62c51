import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';

/**
 * What `pg` takes for a socket: PostgreSQL's wire protocol to a PGlite in a worker thread, whose long queries would otherwise
 * stop this thread's event loop. So the driver, its types and its errors are the same as with a server.
 */
export class PgliteConnection extends Duplex {
  /** Resolves when the folder is no longer in use. */
  readonly exited: Promise<void>;
  #worker: Worker | undefined;
  readonly #folder: string;
  readonly #free: Promise<void>;
  readonly #exit = Promise.withResolvers<void>();

  /** `free` resolves when the connection before has left the folder: two on one folder would corrupt it. */
  constructor(folder: string, free: Promise<void>) {
    super();
    this.#folder = folder;
    this.#free = free;
    this.exited = this.#exit.promise;
  }

  /** Called by `pg`, which has no use for host and port here. */
  connect(): this {
    void this.#free.then(() => this.#start());
    return this;
  }

  #start(): void {
    if (this.destroyed) return;
    const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
      workerData: { folder: this.#folder },
    });
    this.#worker = worker;
    worker.on('message', (message: 'ready' | Uint8Array) => {
      if (message === 'ready') this.emit('connect');
      else this.push(message);
    });
    worker.on('error', (error) => this.destroy(error));
    worker.on('exit', () => {
      this.#exit.resolve();
      this.push(null);
      this.destroy();
    });
  }

  #send(bytes: Uint8Array): void {
    this.#worker?.postMessage(Uint8Array.from(bytes));
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(bytes: Uint8Array, _encoding: BufferEncoding, done: () => void): void {
    this.#send(bytes);
    done();
  }

  override _writev(writes: { chunk: Uint8Array }[], done: () => void): void {
    this.#send(Buffer.concat(writes.map((write) => write.chunk)));
    done();
  }

  override _final(done: () => void): void {
    this.#worker?.postMessage('close');
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#worker) void this.#worker.terminate();
    else this.#exit.resolve();
    done(error);
  }
}
