import { LRUCache } from 'lru-cache';
import type { Ledger } from './ledger-batch.ts';
import { openLedgerBatch } from './ledger-batch.ts';
import { memoryLimiter } from './limiters.ts';
import { createListeners } from './listeners.ts';
import type { EphemeralStore } from './port.ts';

/**
 * In the memory of one process, in front of the ledger. A normal close writes everything; a kill loses what was recorded in the
 * last half second.
 */
export function openEmbeddedEphemeral({ ledger }: { ledger: Ledger }): Promise<EphemeralStore> {
  const batch = openLedgerBatch(ledger);
  const seen = new LRUCache<string, true>({ max: 100_000, ttl: 10 * 60_000 });
  const listeners = createListeners();
  const locks = new Map<string, { holder: string; until: number }>();

  return Promise.resolve({
    engine: 'embedded',

    // oxlint-disable-next-line typescript/require-await -- a full batch is a rejection, not an exception
    async record(event) {
      if (seen.has(event.event_id)) return false;
      batch.add(event);
      seen.set(event.event_id, true);
      return true;
    },

    async usage(organizationId, period) {
      await batch.flush();
      return { rows: await ledger.totals(organizationId, period), source: 'live' };
    },

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
