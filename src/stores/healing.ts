import { existsSync, renameSync, rmSync, statSync, type Stats } from 'node:fs';
import { isDiskFull, ProjectionIncomplete, StoreUnavailable } from './errors.ts';
import type { Checked } from './sqlite-check.ts';
import { DamagedFile, isDamage, openDatabase, setWhole, type Schema } from './sqlite.ts';
import { startWriterThread } from './writer-thread.ts';

/** Why an embedded projection does not answer, and how far it is. */
export interface Rebuilding {
  /** Of its file. */
  readonly file: string;
  /** What is wrong with what was there. */
  readonly reason: string;
  readonly since: Date;
  /** Where what was there lies now; null when nothing was, or it could be left in place. */
  readonly setAside: string | null;
  /** Repositories that are in it, of how many; null as long as nobody has counted. */
  readonly progress: { done: number; of: number } | null;
}

/**
 * An embedded projection in one file. What is in it is in the snapshots, too: a file that is damaged or of another version is set
 * aside, and an empty one takes its place, to be filled by whoever listens. Until that is done no question is answered, so that
 * no part is ever taken for the whole; also after the process ended in between.
 */
export interface Healing {
  /** Null while it is whole. A new object each time. */
  readonly rebuilding: Rebuilding | null;
  /** Calls back whenever it is to be filled: once at least for each `rebuilding`. */
  onRebuilding(listener: (rebuilding: Rebuilding) => void): void;
  /** Takes an empty file in place of what is there, which is not looked at. */
  startAnew(reason: string): Promise<void>;
  /** What is in the file is not all: it answers nothing until it is. */
  fill(reason: string): Promise<void>;
  /** Tells how far it is. */
  advance(done: number, of: number): void;
  /** All is in it that was missing when it began to be this one; nothing when another has begun since. */
  complete(begun: Rebuilding): Promise<void>;
}

/** An engine on one file. */
export interface FileEngine {
  close(): Promise<void>;
  /** Lets go of the file at once; calls under way fail. */
  abandon(): Promise<void>;
  /** Keeps whether everything is in the file; one after the other with what is written. */
  setWhole(whole: boolean): Promise<void>;
}

/** The engine that is open, looked after. */
export interface Healed<Engine> {
  healing: Healing;
  /** A question: `ProjectionIncomplete` while the answer would not be whole. */
  ask<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
  /** The same of a long list. */
  each<T>(work: (engine: Engine) => AsyncIterable<T>): AsyncGenerator<T>;
  /** For who fills it: also while it is not whole. Done again on the new file where this one is found damaged. */
  maintain<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
  /** The same of what can't be done twice: `ProjectionIncomplete` where the file is found damaged. */
  maintainOnce<T>(work: (engine: Engine) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Opened<Engine> {
  engine: Engine;
  /** Of the file when it was looked at last. */
  stats: Stats;
  /** It was set aside. */
  isOver: boolean;
}

/**
 * Looks after the file of an embedded projection. It is opened at the first call: what never asks it need not wait, and nobody who
 * only wants another file has to read this one.
 */
export function heal<Engine extends FileEngine>({
  store,
  file,
  schema,
  open,
}: {
  store: 'graph' | 'search';
  file: string;
  schema: Schema;
  open: (options: { file: string }) => Promise<Engine>;
}): Healed<Engine> {
  let opening: Promise<Opened<Engine>> | null = null;
  let rebuilding: Rebuilding | null = null;
  let isClosed = false;
  const listeners: ((rebuilding: Rebuilding) => void)[] = [];

  const current = async () => {
    if (isClosed) throw new StoreUnavailable(store);
    return opening ?? begin(openFirst);
  };

  function begin(make: () => Promise<Opened<Engine>>): Promise<Opened<Engine>> {
    const made = make().catch((cause: unknown) => {
      // The next call tries again.
      if (opening === made) opening = null;
      if (isDiskFull(cause)) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `${file} can't be used (${why}): make it and its folder writable, or delete it.`;
      throw new StoreUnavailable(store, { cause: new Error(message, { cause }) });
    });
    opening = made;
    return made;
  }

  async function openFirst(): Promise<Opened<Engine>> {
    if (!existsSync(file)) {
      removeFile(file);
      return openFile();
    }
    const { fault, isWhole } = await check(file, schema);
    if (fault !== null) return makeAnew(fault);
    if (!isWhole) tell({ reason: 'it was not filled to the end', setAside: null });
    return openFile();
  }

  async function openFile(): Promise<Opened<Engine>> {
    const engine = await open({ file });
    return { engine, stats: statSync(file), isOver: false };
  }

  async function makeAnew(reason: string): Promise<Opened<Engine>> {
    const setAside = moveAside(file);
    const database = openDatabase(file, schema);
    setWhole(database, schema, false);
    database.close();
    const opened = await openFile();
    tell({ reason, setAside });
    return opened;
  }

  function tell({ reason, setAside }: Pick<Rebuilding, 'reason' | 'setAside'>): void {
    rebuilding = { file, reason, setAside, since: new Date(), progress: null };
    for (const listener of listeners) listener(rebuilding);
  }

  /** Takes another file in place of this one, once. */
  function replace(opened: Opened<Engine>, reason: string): void {
    if (opened.isOver) return;
    opened.isOver = true;
    rebuilding = { file, reason, setAside: null, since: new Date(), progress: null };
    begin(async () => {
      // It may be too broken to be closed.
      await opened.engine.abandon().catch(() => undefined);
      return makeAnew(reason);
    }).catch(() => undefined);
  }

  /** What went wrong, as the caller is told. */
  function failureOf(opened: Opened<Engine>, error: unknown): unknown {
    if (isDamage(error)) replace(opened, (error as Error).message);
    if (!opened.isOver) return error;
    return rebuilding
      ? new ProjectionIncomplete(store, rebuilding.progress, { cause: error })
      : new StoreUnavailable(store, { cause: error });
  }

  /** SQLite would go on with a file that nobody sees any more, and take an emptied one for a new one. */
  function look(opened: Opened<Engine>): void {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) throw new DamagedFile('the file is gone');
    if (stats.ino !== opened.stats.ino) throw new DamagedFile('another file is in its place');
    if (stats.size < opened.stats.size) throw new DamagedFile('the file was cut off');
    opened.stats = stats;
  }

  async function maintainOnce<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    return attempt(await current(), work);
  }

  async function maintain<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    return maintainOnce(work).catch((error: unknown) => {
      if (error instanceof ProjectionIncomplete) return maintainOnce(work);
      throw error;
    });
  }

  async function attempt<T>(opened: Opened<Engine>, work: (engine: Engine) => Promise<T>): Promise<T> {
    try {
      look(opened);
      const value = await work(opened.engine);
      if (opened.isOver) throw new DamagedFile('what was read is not to be trusted');
      return value;
    } catch (error) {
      throw failureOf(opened, error);
    }
  }

  async function whole(): Promise<Opened<Engine>> {
    const opened = await current();
    if (rebuilding) throw new ProjectionIncomplete(store, rebuilding.progress);
    return opened;
  }

  return {
    healing: {
      get rebuilding() {
        return rebuilding;
      },
      onRebuilding: (listener) => void listeners.push(listener),
      async startAnew(reason) {
        const opened = await opening?.catch(() => null);
        if (opened) replace(opened, reason);
        else begin(() => makeAnew(reason)).catch(() => undefined);
        await current();
      },
      async fill(reason) {
        await current();
        if (rebuilding) return;
        await maintain((engine) => engine.setWhole(false));
        tell({ reason, setAside: null });
      },
      advance(done, of) {
        if (rebuilding) Object.assign(rebuilding, { progress: { done, of } });
      },
      async complete(begun) {
        if (rebuilding !== begun) return;
        const opened = await current();
        if (rebuilding !== begun) return;
        await attempt(opened, (engine) => engine.setWhole(true));
        if (rebuilding === begun) rebuilding = null;
      },
    },
    ask: async (work) => attempt(await whole(), work),
    async *each(work) {
      const opened = await whole();
      try {
        look(opened);
        yield* work(opened.engine);
        if (opened.isOver) throw new DamagedFile('what was read is not to be trusted');
      } catch (error) {
        throw failureOf(opened, error);
      }
    },
    maintain,
    maintainOnce,
    async close() {
      isClosed = true;
      const opened = await opening?.catch(() => null);
      await opened?.engine.close();
    },
  };
}

async function check(file: string, schema: Schema): Promise<Checked> {
  const thread = startWriterThread(new URL('./sqlite-check.ts', import.meta.url), {});
  try {
    return (await thread.call('check', { file, schema })) as Checked;
  } finally {
    await thread.close();
  }
}

/** Where a file is kept that was set aside; of several the last one. */
export const setAsideName = (file: string) => `${file}.set-aside`;

/** The log goes with it; what processes share of it is of no use without them. */
function moveAside(file: string): string | null {
  const aside = setAsideName(file);
  const isThere = existsSync(file);
  if (isThere) {
    removeFile(aside);
    renameSync(file, aside);
    if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`);
  }
  // A new file would take the log of another one for its own.
  removeFile(file);
  return isThere ? aside : null;
}

function removeFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true, recursive: true });
}
