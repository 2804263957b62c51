import { bulkhead } from 'cockatiel';
import { Piscina } from 'piscina';
import { maxOptionalMs, SearchTooLong } from './port.ts';

/** At once: who searches by a slow expression holds one of these. */
const maxThreads = 2;

/** Hands a thread one task; rejects once the time is over, which ends the thread. */
export type Look<Task, Answer> = (task: Task) => Promise<Answer>;

/** Threads that look through texts: no expression can be interrupted from within its own. */
export interface SearchThreads<Task, Answer> {
  /**
   * Searches when a thread is free, by one task or several. Throws `SearchTooLong` where all of it takes longer than it may; what is
   * optional likewise where no thread is free.
   */
  search<T>(by: (look: Look<Task, Answer>, signal: AbortSignal) => Promise<T>, isOptional?: boolean): Promise<T>;
  /** Ends the threads; what is under way fails. */
  close(): Promise<void>;
}

/** `entry`: a script whose default export does a task. They are started as they are needed. `limitMs`: from when a search begins. */
export function openSearchThreads<Task, Answer>(
  entry: URL,
  { limitMs, workerData = {} }: { limitMs: number; workerData?: unknown },
): SearchThreads<Task, Answer> {
  const threads = new Piscina<Task, Answer>({
    filename: entry.href,
    workerData,
    minThreads: 0,
    maxThreads,
    idleTimeout: Infinity,
    // A thread that waits for work without its event loop holds its garbage.
    atomics: 'disabled',
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  // What waits takes no time of its own.
  const turns = bulkhead(maxThreads, Infinity);
  return {
    search: async (by, isOptional = false) => {
      if (isOptional && turns.executionSlots === 0) throw new SearchTooLong();
      return turns.execute(async () => {
        // `AbortSignal.timeout` would go off also when the search has long ended.
        const ending = new AbortController();
        const { signal } = ending;
        const timer = setTimeout(() => ending.abort(), isOptional ? Math.min(limitMs, maxOptionalMs) : limitMs);
        try {
          return await by((task) => threads.run(task, { signal }), signal);
        } catch (error) {
          throw signal.aborted ? new SearchTooLong() : error;
        } finally {
          clearTimeout(timer);
        }
      });
    },
    close: () => threads.destroy(),
  };
}
