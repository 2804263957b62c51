import { openJournal } from './journal.ts';
import type { Ledger } from './ledger-batch.ts';
import { openLedgerBatch } from './ledger-batch.ts';
import { memoryLimiter } from './limiters.ts';
import { createListeners } from './listeners.ts';
import type { EphemeralStore } from './port.ts';

/** In this process, in front of the ledger. What was recorded outlives the process, however it ends, by a journal in `folder`. */
export function openEmbeddedEphemeral({ ledger, folder }: { ledger: Ledger; folder: string }): Promise<EphemeralStore> {
  const journal = openJournal(folder, { isShared: false });
  const batch = openLedgerBatch(ledger, journal);
  const listeners = createListeners();
  const locks = new Map<string, { holder: string; until: number }>();

  return Promise.resolve({
    engine: 'embedded',

    record: (event) => batch.add(event),

    async settle() {
      await batch.flush();
      return 'live';
    },

    waiting: batch.waiting,
    reservedBytes: () => journal.reservedBytes,

    onUnkept: journal.onFailure,

    lock(key, holder, ttlMs) {
      const now = Date.now();
      for (const [other, { until }] of locks) if (until <= now) locks.delete(other);
      if (locks.has(key)) return Promise.resolve(false);
      locks.set(key, { holder, until: now + ttlMs });
      return Promise.resolve(true);
    },

    unlock(key, holder) {
      if (locks.get(key)?.holder === holder) locks.delete(key);
      return Promise.resolve();
    },

    publish(channel, message) {
      listeners.tell(channel, message);
      return Promise.resolve();
    },

    subscribe: listeners.add,

    limiter: memoryLimiter,
    ping: () => Promise.resolve(),
    close: () => batch.close(),
  });
}
