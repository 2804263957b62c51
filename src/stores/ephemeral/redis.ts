import { once } from 'node:events';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { UsageEvent, UsageRow } from '../../model/account.ts';
import { StoreUnavailable } from '../errors.ts';
import { createGuard } from '../guard.ts';
import { openLedgerBatch } from './ledger-batch.ts';
import type { Ledger } from './ledger-batch.ts';
import { createListeners } from './listeners.ts';
import { redisLimiter } from './limiters.ts';
import type { EphemeralStore } from './port.ts';
import { rebuildScript, recordScript, unlockScript } from './redis-scripts.ts';

/** How long sums live before they are read from the ledger again: what Redis lost is wrong for no longer. */
const sumsSeconds = 5;
/** Events that have been in the stream for so long belong to a process that is gone. */
const orphanedMs = 10_000;
const pageSize = 500;

/**
 * Redis 7 or newer, in front of the ledger. An event goes into a stream in Redis and into this process's own batch; whichever
 * reaches the ledger first counts it. So it outlives this process by Redis, and Redis by this process. Metering never fails
 * because Redis does: without it usage comes from the ledger. Only locks then throw `StoreUnavailable`.
 */
export async function openRedis({ url, ledger }: { url: string; ledger: Ledger }): Promise<EphemeralStore> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 1_000,
    commandTimeout: 100,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  // Heard, so that it does not end the process; each command has its own error.
  redis.on('error', () => {});
  void redis.connect().catch(() => {});
  // Without Redis the service starts as well.
  await once(redis, 'ready', { signal: AbortSignal.timeout(2_000) }).catch(() => {});

  // A connection that listens can do nothing else. It subscribes again whenever it comes back.
  const listeners = createListeners();
  const ear = redis.duplicate({ lazyConnect: true });
  ear.on('error', () => {}).on('ready', () => void ear.psubscribe(`${channels}*`).catch(() => {}));
  ear.on('pmessage', (_pattern, channel, message) => listeners.tell(channel.slice(channels.length), message));
  void ear.connect().catch(() => {});

  const seen = new LRUCache<string, true>({ max: 100_000, ttl: 10 * 60_000 });
  const places = new Map<string, string>();
  /** Sums that lack events which Redis did not take. */
  const incomplete = new Set<string>();

  const guard = createGuard('ephemeral', { timeoutMs: 200 });
  // Never asked again: there is the ledger, and it is exact.
  const attempt = <T>(command: () => Promise<T>): Promise<T> =>
    guard.write(() =>
      command().catch((error: unknown) => {
        throw new StoreUnavailable('ephemeral', { cause: error });
      }),
    );

  const batch = openLedgerBatch(ledger, {
    async written(events) {
      const done = events.flatMap(({ event_id }) => places.get(event_id) ?? []);
      for (const { event_id } of events) places.delete(event_id);
      if (done.length > 0) await attempt(() => redis.xdel(stream, ...done)).catch(() => {});
    },
  });

  /** Brings what lies in the stream up to `last` into the ledger. */
  const drain = async (last: string) => {
    for (;;) {
      const entries = await attempt(() => redis.xrange(stream, '-', last, 'COUNT', pageSize));
      if (entries.length === 0) return;
      await ledger.append(entries.map(([, fields]) => JSON.parse(fields[1] ?? '') as UsageEvent));
      await attempt(() => redis.xdel(stream, ...entries.map(([place]) => place)));
    }
  };
  const orphans = setInterval(() => {
    drain(String(Date.now() - orphanedMs)).catch(() => {});
  }, orphanedMs).unref();

  const rebuild = async (meter: Meter, organizationId: string, period: string): Promise<UsageRow[]> => {
    incomplete.delete(meter.sums);
    const before = await attempt(() => redis.get(meter.counter));
    await batch.flush();
    await drain('+');
    const rows = await ledger.totals(organizationId, period);
    const fields = rows.flatMap((row) => [
      `calls:${row.product}:${row.class}`,
      row.calls,
      `credits:${row.product}:${row.class}`,
      row.credits,
    ]);
    await attempt(() =>
      redis.eval(rebuildScript, 2, meter.sums, meter.counter, before ?? '', sumsSeconds, 'base', 1, ...fields),
    );
    return rows;
  };

  return {
    engine: 'redis',
    circuit: guard.circuit,

    async record(event) {
      if (seen.has(event.event_id)) return false;
      const { sums, counter } = meterOf(event.organization_id, event.occurred_at.slice(0, 7));
      const place = await attempt(() =>
        redis.eval(
          recordScript,
          4,
          `ris:{m}:seen:${event.event_id}`,
          sums,
          counter,
          stream,
          `${event.product}:${event.class}`,
          event.credits,
          JSON.stringify(event),
        ),
      ).catch(() => undefined);
      // Asked again after the wait: the same event may have come twice at once.
      if (place === null || seen.has(event.event_id)) return false;
      if (typeof place === 'string') places.set(event.event_id, place);
      else incomplete.add(sums);
      batch.add(event);
      seen.set(event.event_id, true);
      return true;
    },

    async usage(organizationId, period) {
      const meter = meterOf(organizationId, period);
      try {
        const sums = incomplete.has(meter.sums) ? {} : await attempt(() => redis.hgetall(meter.sums));
        const rows = 'base' in sums ? rowsOf(sums) : await rebuild(meter, organizationId, period);
        return { rows, source: 'live' };
      } catch (error) {
        if (!(error instanceof StoreUnavailable && error.store === 'ephemeral')) throw error;
        incomplete.add(meter.sums);
        await batch.flush();
        return { rows: await ledger.totals(organizationId, period), source: 'ledger' };
      }
    },

    lock: async (key, holder, ttlMs) =>
      (await attempt(() => redis.set(`ris:lock:${key}`, holder, 'PX', ttlMs, 'NX'))) === 'OK',

    unlock: async (key, holder) => void (await attempt(() => redis.eval(unlockScript, 1, `ris:lock:${key}`, holder))),

    async publish(channel, message) {
      listeners.tell(channel, message);
      await attempt(() => redis.publish(channels + channel, message)).catch(() => {});
    },

    subscribe: listeners.add,

    limiter: (quota) => redisLimiter(redis, attempt, quota),

    ping: async () => void (await attempt(() => redis.ping())),

    async close() {
      clearInterval(orphans);
      try {
        await batch.close();
      } finally {
        redis.disconnect();
        ear.disconnect();
      }
    },
  };
}

const stream = 'ris:{m}:events';
const channels = 'ris:channel:';

interface Meter {
  sums: string;
  counter: string;
}

function meterOf(organizationId: string, period: string): Meter {
  return { sums: `ris:{m}:sums:${organizationId}:${period}`, counter: `ris:{m}:counter:${organizationId}:${period}` };
}

/** In the ledger's order. */
function rowsOf(sums: Record<string, string>): UsageRow[] {
  return Object.keys(sums)
    .filter((field) => field.startsWith('calls:'))
    .map((field) => {
      const [, product = '', kind] = field.split(':');
      return {
        product,
        class: kind as UsageRow['class'],
        calls: Number(sums[field]),
        credits: Number(sums[`credits:${product}:${kind}`]),
      };
    })
    .sort((a, b) => (a.product < b.product || (a.product === b.product && a.class < b.class) ? -1 : 1));
}
