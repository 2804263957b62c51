import { existsSync, renameSync, rmSync, statSync, type Stats } from 'node:fs';
import { isDiskFull, StoreUnavailable } from './errors.ts';
import type { Checked } from './sqlite-check.ts';
import { DamagedFile, openDatabase, setWhole, type Schema } from './sqlite.ts';
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

/** An engine on one file. */
export interface FileEngine {
  close(): Promise<void>;
  /** Lets go of the file at once; calls under way fail. */
  abandon(): Promise<void>;
  /** Keeps whether everything is in the file; one after the other with what is written. */
  setWhole(whole: boolean): Promise<void>;
}

/** An engine with the file that it is on. */
export interface Opened<Engine> {
  engine: Engine;
  /** Of the file when it was looked at last. */
  stats: Stats;
  /** It was set aside. */
  isOver: boolean;
}

/** The file of an embedded projection, and how to open an engine on it. */
export interface ProjectionFileOptions<Engine> {
  store: 'graph' | 'search' | 'source';
  file: string;
  schema: Schema;
  open: (options: { file: string }) => Promise<Engine>;
}

/**
 * The file of an embedded projection: opened at the first call, and replaced by an empty one when it is damaged or of another
 * version. What never asks it need not wait, and nobody who only wants another file has to read this one.
 */
export function createProjectionFile<Engine extends FileEngine>({
  store,
  file,
  schema,
  open,
}: ProjectionFileOptions<Engine>) {
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

  /** SQLite would go on with a file that nobody sees any more, and take an emptied one for a new one. */
  function look(opened: Opened<Engine>): void {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) throw new DamagedFile('the file is gone');
    if (stats.ino !== opened.stats.ino) throw new DamagedFile('another file is in its place');
    if (stats.size < opened.stats.size) throw new DamagedFile('the file was cut off');
    opened.stats = stats;
  }

  return {
    current,
    look,
    tell,
    replace,
    get rebuilding() {
      return rebuilding;
    },
    onRebuilding: (listener: (rebuilding: Rebuilding) => void) => void listeners.push(listener),
    async startAnew(reason: string): Promise<void> {
      const opened = await opening?.catch(() => null);
      if (opened) replace(opened, reason);
      else begin(() => makeAnew(reason)).catch(() => undefined);
      await current();
    },
    /** Everything is in it; nothing when another rebuilding has begun since. */
    setRebuilt(begun: Rebuilding): void {
      if (rebuilding === begun) rebuilding = null;
    },
    async close(): Promise<void> {
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
