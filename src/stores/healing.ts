import { ProjectionIncomplete, StoreUnavailable } from './errors.ts';
import {
  createProjectionFile,
  type FileEngine,
  type Opened,
  type ProjectionFileOptions,
  type Rebuilding,
} from './projection-file.ts';
import { DamagedFile, isDamage } from './sqlite.ts';

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

/** Looks after the file of an embedded projection, and answers of it what is whole. */
export function heal<Engine extends FileEngine>(options: ProjectionFileOptions<Engine>): Healed<Engine> {
  const { store } = options;
  const projection = createProjectionFile(options);

  /** What went wrong, as the caller is told. */
  function failureOf(opened: Opened<Engine>, error: unknown): unknown {
    if (isDamage(error)) projection.replace(opened, (error as Error).message);
    if (!opened.isOver) return error;
    return projection.rebuilding
      ? new ProjectionIncomplete(store, projection.rebuilding.progress, { cause: error })
      : new StoreUnavailable(store, { cause: error });
  }

  async function maintainOnce<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    return attempt(await projection.current(), work);
  }

  async function maintain<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    return maintainOnce(work).catch((error: unknown) => {
      if (error instanceof ProjectionIncomplete) return maintainOnce(work);
      throw error;
    });
  }

  async function attempt<T>(opened: Opened<Engine>, work: (engine: Engine) => Promise<T>): Promise<T> {
    try {
      projection.look(opened);
      const value = await work(opened.engine);
      if (opened.isOver) throw new DamagedFile('what was read is not to be trusted');
      return value;
    } catch (error) {
      throw failureOf(opened, error);
    }
  }

  async function whole(): Promise<Opened<Engine>> {
    const opened = await projection.current();
    if (projection.rebuilding) throw new ProjectionIncomplete(store, projection.rebuilding.progress);
    return opened;
  }

  return {
    healing: {
      get rebuilding() {
        return projection.rebuilding;
      },
      onRebuilding: projection.onRebuilding,
      startAnew: projection.startAnew,
      async fill(reason) {
        await projection.current();
        if (projection.rebuilding) return;
        await maintain((engine) => engine.setWhole(false));
        projection.tell({ reason, setAside: null });
      },
      advance(done, of) {
        if (projection.rebuilding) Object.assign(projection.rebuilding, { progress: { done, of } });
      },
      async complete(begun) {
        if (projection.rebuilding !== begun) return;
        const opened = await projection.current();
        if (projection.rebuilding !== begun) return;
        await attempt(opened, (engine) => engine.setWhole(true));
        projection.setRebuilt(begun);
      },
    },
    ask: async (work) => attempt(await whole(), work),
    async *each(work) {
      const opened = await whole();
      try {
        projection.look(opened);
        yield* work(opened.engine);
        if (opened.isOver) throw new DamagedFile('what was read is not to be trusted');
      } catch (error) {
        throw failureOf(opened, error);
      }
    },
    maintain,
    maintainOnce,
    close: projection.close,
  };
}
