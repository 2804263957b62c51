import type { UsageEvent } from '../../model/account.ts';
import { batches, sharedTurns } from '../batches.ts';
import type { Journal, JournalFile } from './journal.ts';

/** Where metered calls end up: the relational store's usage. */
export interface Ledger {
  append(events: readonly UsageEvent[]): Promise<void>;
}

/** Metered calls on their way to the ledger. */
export interface LedgerBatch {
  /**
   * Takes an event that is kept at this place until it is in the ledger; without a place it is written into the journal, and where
   * that can't be into the ledger. Rejects as the journal did when it could be kept nowhere: then the call must not be answered.
   */
  add(event: UsageEvent, place?: string): Promise<void>;
  /** Resolves when everything added so far is in the ledger, and what killed processes left. */
  flush(): Promise<void>;
  /** How many are held in memory. */
  waiting(): number;
  /** Flushes and stops. What can't be written is in its place or in the journal. */
  close(): Promise<void>;
}

const maxInMemory = 10_000;
const flushAt = 500;

interface Waiting {
  event: UsageEvent;
  place: string | undefined;
}

/**
 * Collects events and writes them every 500 ms or 500 events. What could not be written is kept and tried again: the ledger
 * counts an event once, however often it is handed over. Beyond 10,000 events are only where they are kept. `written` is called
 * with the places of what has arrived.
 */
export function openLedgerBatch(
  ledger: Ledger,
  journal: Journal,
  { everyMs = 500, written }: { everyMs?: number; written?: (places: readonly string[]) => Promise<void> } = {},
): LedgerBatch {
  let waiting: Waiting[] = [];
  const files: JournalFile[] = [...journal.left];

  const fromMemory = async () => {
    const batch = waiting;
    waiting = [];
    try {
      if (batch.length > 0) await ledger.append(batch.map(({ event }) => event));
    } catch (error) {
      waiting = [...batch, ...waiting];
      throw error;
    }
    const places = batch.flatMap(({ place }) => place ?? []);
    if (places.length > 0) await written?.(places);
  };
  const fromFiles = async () => {
    for (let [file] = files; file; [file] = files) {
      if (!file.isHeld) for await (const events of batches(journal.read(file), 1_000)) await ledger.append(events);
      await journal.remove(file);
      files.shift();
    }
  };
  const endFile = (isHeld: boolean) => {
    const ended = journal.end(isHeld);
    if (ended) files.push(ended);
  };
  const write = async () => {
    // While the ledger is away one file grows, instead of one more each time.
    if (!files.some(({ isHeld }) => isHeld)) endFile(true);
    try {
      await fromMemory();
      endFile(false);
      await fromFiles();
    } catch (error) {
      await journal.sync();
      throw error;
    } finally {
      await journal.reserve();
    }
  };
  const flush = sharedTurns(write);
  // In the background a failure only means: later. Who asks by `flush` is told.
  const flushLater = () => void flush().catch(() => {});
  const timer = setInterval(flushLater, everyMs).unref();
  // Also where nothing was left: the journal's room is reserved.
  flushLater();

  return {
    async add(event, place) {
      const isHeld = waiting.length < maxInMemory;
      // What is not held is written down as well: a place in Redis may be lost.
      if (!isHeld || place === undefined) {
        try {
          journal.append(event, isHeld);
        } catch (error) {
          if (place !== undefined) return;
          await ledger.append([event]).catch(() => {
            throw error;
          });
          return;
        }
      }
      if (isHeld) waiting.push({ event, place });
      if (waiting.length === flushAt) flushLater();
    },
    flush,
    waiting: () => waiting.length,
    async close() {
      clearInterval(timer);
      await flush().catch(() => {});
      journal.end(true);
      journal.end(false);
    },
  };
}
