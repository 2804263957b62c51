/** A store can't be reached or did not answer in time; the message names the store and never its address. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
  readonly store: 'graph' | 'search' | 'source' | 'relational' | 'ephemeral';
  constructor(store: StoreUnavailable['store'], options?: ErrorOptions) {
    super(`The ${store} store can't be reached.`, options);
    this.store = store;
  }
}

/** All our connections to a store are in use, and none became free in time. That says nothing of its server. */
export class StoreBusy extends StoreUnavailable {
  override readonly name = 'StoreBusy';
  override readonly message = `All connections to the ${this.store} store are in use.`;
}

/** A disk has no room left, or too little to begin anything with; reads go on. The message says what to do. */
export class InsufficientStorage extends Error {
  override readonly name = 'InsufficientStorage';
  constructor({ message, ...options }: ErrorOptions & { message?: string } = {}) {
    super(
      message ?? 'There is no room left on the disk. Nothing was changed; make room, and it goes on by itself.',
      options,
    );
  }
}

/** Whether this error, or what caused it, is that a disk is full, by the word of the system, SQLite or PostgreSQL. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof InsufficientStorage) return true;
    if ('code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT' || cause.code === '53100')) return true;
    if ('errcode' in cause && (Number(cause.errcode) & 0xff) === sqliteFull) return true;
    // What comes from another thread or process has its words only.
    if (/^ENOSPC\b|: No space left on device$|^database or disk is full$/.test(cause.message)) return true;
  }
  return false;
}

const sqliteFull = 13;

/** What an embedded projection holds is not whole yet, so that it answers nothing. */
export class ProjectionIncomplete extends StoreUnavailable {
  override readonly name = 'ProjectionIncomplete';
  constructor(
    store: 'graph' | 'search' | 'source',
    progress: { done: number; of: number } | null,
    options?: ErrorOptions,
  ) {
    super(store, options);
    const far = progress === null ? '' : ` (${progress.done} of ${progress.of} repositories)`;
    this.message = `The ${nameOf[store]} is being made anew from the snapshots${far}.`;
  }
}

const nameOf = { graph: 'graph', search: 'search index', source: 'index of source' } as const;

/** The embedded database can't be opened: what is wrong is its folder. */
export class UnreadableDatabase extends Error {
  override readonly name = 'UnreadableDatabase';
}
