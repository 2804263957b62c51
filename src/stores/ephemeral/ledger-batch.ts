import type { UsageEvent, UsageRow } from '../../model/account.ts';
import { StoreUnavailable } from '../errors.ts';

/** Where metered calls end up: the relational store's usage. */
export interface Ledger {
  append(events: readonly UsageEvent[]): Promise<void>;
  totals(organizationId: string, period: string): Promise<UsageRow[]>;
}

/** Metered calls on their way to the ledger. */
export interface LedgerBatch {
  /** Takes an event; throws `StoreUnavailable` when the ledger has been away for so long that memory would fill. */
  add(event: UsageEvent): void;
  /** Resolves when everything added so far is in the ledger. */
  flush(): Promise<void>;
  /** Flushes and stops; throws what was not written. */
  close(): Promise<void>;
}

const maxWaiting = 100_000;
const flushAt = 500;

/**
 * Collects events and writes them every 500 ms or 500 events. What could not be written is kept and tried again: the ledger
 * counts an event once, however often it is handed over. `written` is called with what has arrived there.
 */
export function openLedgerBatch(
  ledger: Ledger,
  { everyMs = 500, written }: { everyMs?: number; written?: (events: readonly UsageEvent[]) => Promise<void> } = {},
): LedgerBatch {
  let waiting: UsageEvent[] = [];
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    const events = waiting;
    waiting = [];
    if (events.length === 0) return;
    try {
      await ledger.append(events);
    } catch (error) {
      waiting = [...events, ...waiting];
      throw error;
    }
    await written?.(events);
  };
  const flush = () => {
    const turn = writing.then(write);
    writing = turn.catch(() => {});
    return turn;
  };
  // In the background a failure only means: later. Who asks by `flush` is told.
  const flushLater = () => void flush().catch(() => {});
  const timer = setInterval(flushLater, everyMs).unref();

  return {
    add(event) {
      if (waiting.length >= maxWaiting) throw new StoreUnavailable('ephemeral');
      waiting.push(event);
      if (waiting.length === flushAt) flushLater();
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
