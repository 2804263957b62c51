import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { UsageEvent } from '../../model/account.ts';
import { StoreUnavailable } from '../errors.ts';
import { createGuard } from '../guard.ts';
import { sharedTurns } from '../batches.ts';
import { openJournal } from './journal.ts';
import { openLedgerBatch } from './ledger-batch.ts';
import type { Ledger } from './ledger-batch.ts';
import { createListeners } from './listeners.ts';
import { redisLimiter } from './limiters.ts';
import type { EphemeralStore } from './port.ts';

/** For so long a stall may be no more than that. */
const stallMs = 200;
/** Events that have been in the stream for so long belong to a process that is gone. */
const orphanedMs = 10_000;
const pageSize = 500;

/**
 * Redis 7 or newer, in front of the ledger. An event goes into a stream in Redis and into this process's own batch; whichever
 * reaches the ledger first counts it. So it outlives this process by Redis, and Redis by this process; what Redis does not take
 * is written into a journal in `folder` instead. Metering and limits never fail because Redis does. Only locks then throw
 * `StoreUnavailable`.
 */
export async function openRedis({
  url,
  ledger,
  folder,
  patienceMs = 50,
}: {
  url: string;
  ledger: Ledger;
  folder: string;
  /** An answer that takes longer is not waited for. */
  patienceMs?: number | undefined;
}): Promise<EphemeralStore> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 1_000,
    // A connection that says nothing for so long, though it was asked, is replaced.
    socketTimeout: 2_000,
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

  // Each command has its own time.
  const guard = createGuard('ephemeral');
  /** Commands that were not answered in time. Redis answers in order: what is sent behind them would wait as well. */
  let overdue = 0;
  let overdueSince = 0;
  const inTime = async <T>(answer: Promise<T>): Promise<T> => {
    const late = Promise.withResolvers<never>();
    const giveUp = () => {
      // One stall is one failure, however many wait in it.
      late.reject(overdue === 0 ? new StoreUnavailable('ephemeral') : new Error('Late, as those before.'));
      if (overdue === 0) overdueSince = performance.now();
      overdue += 1;
      const settled = () => void (overdue -= 1);
      answer.then(settled, settled);
    };
    // What has arrived by then is read first: it may be this process that is late.
    const timer = setTimeout(() => setImmediate(giveUp), patienceMs);
    return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
  };
  // Never asked again: there is the ledger, and it is exact.
  const attempt = async <T>(command: () => Promise<T>): Promise<T> => {
    // A short stall passes; one that lasts opens the circuit.
    if (overdue > 0 && performance.now() - overdueSince < stallMs) throw new StoreUnavailable('ephemeral');
    try {
      return await guard.write(() => {
        if (overdue > 0) throw new StoreUnavailable('ephemeral');
        return inTime(unavailable(command()));
      });
    } catch (error) {
      throw error instanceof StoreUnavailable ? error : new StoreUnavailable('ephemeral', { cause: error });
    }
  };

  const journal = openJournal(folder, { isShared: true });
  const batch = openLedgerBatch(ledger, journal, {
    written: async (places) => void (await attempt(() => redis.xdel(stream, ...places)).catch(() => {})),
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

  const settle = sharedTurns(async () => {
    await batch.flush();
    try {
      await drain('+');
      return 'live';
    } catch (error) {
      if (error instanceof StoreUnavailable && error.store === 'ephemeral') return 'ledger';
      throw error;
    }
  });

  return {
    engine: 'redis',
    circuit: guard.circuit,

    async record(event) {
      const place = await attempt(() => redis.xadd(stream, '*', 'event', JSON.stringify(event))).catch(() => null);
      await batch.add(event, place ?? undefined);
    },

    settle,

    waiting: batch.waiting,
    reservedBytes: () => journal.reservedBytes,

    onUnkept: journal.onFailure,

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

/** Whatever a command fails with, Redis could not do it. */
const unavailable = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw new StoreUnavailable('ephemeral', { cause: error });
  });

const stream = 'ris:{m}:events';
const channels = 'ris:channel:';

/** Gives a lock back, if it is still its holder's. */
const unlockScript = `
  -- KEYS: lock   ARGV: holder
  if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
  return 0
`;
