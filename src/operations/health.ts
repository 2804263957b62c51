import type { LastBackup } from '../backup/last-backup.ts';
import type { BookingClock } from './booking-clock.ts';
import type { Circuit } from '../stores/guard.ts';
import type { Healing } from '../stores/healing.ts';
import type { Stores } from '../stores/open.ts';

/** How the process and each of its stores fare: for whoever runs it, and for nobody else. */
export interface Health {
  /** `degraded`: a store does not answer or is made anew, and what does not need it works; the clock is wrong; or the disk is nearly full. */
  status: 'ok' | 'degraded';
  /** Whether it takes requests: it is neither starting nor stopping. */
  ready: boolean;
  version: string;
  uptime_seconds: number;
  /** By which this machine's clock is ahead of the relational store's; null when that can't be told. */
  clock_skew_seconds: number | null;
  /** Why it can't be right, so that nothing metered is answered; null when nothing speaks against it. */
  clock_problem: string | null;
  /** That the data folder lies on. `low`: nothing new is stored until there is more room. */
  disk: {
    status: 'ok' | 'low' | 'unknown';
    free_bytes: number | null;
    min_free_bytes: number;
    /** For calls on their way to the ledger, whatever becomes of the disk. */
    reserved_bytes: number;
  };
  /** The last one made of the data folder, or that it was restored from; null when there is none, and for what is on servers. */
  last_backup: { made_at: string; age_seconds: number; file: string; sha256: string } | null;
  /** What is not on the disk yet when a request is answered. */
  loss_of_power_may_cost: typeof lossOfPowerMayCost;
  stores: Record<'relational' | 'ephemeral' | 'graph' | 'search' | 'source', StoreHealth>;
}

interface StoreHealth {
  engine: string;
  status: 'ok' | 'unavailable' | 'rebuilding';
  /** Of the question that was just asked. */
  latency_ms: number;
  /** Null where the store is embedded. */
  circuit: Circuit['state'] | null;
  last_failure: { at: string; message: string } | null;
  /** Of an embedded graph, search or source whose file could not be used: how many repositories are in the new one, of how many. */
  rebuilding?: { reason: string; since: string; set_aside: string | null; done: number; of: number | null };
}

/** Metered calls reach the ledger, and with it the disk, twice a second; whatever else is answered is on the disk. For people. */
export const lossOfPowerMayCost = 'metered calls of the last second';

/** Owners' tokens and signed events are good for minutes. */
const maxSkewSeconds = 60;

/** Asks every store whether it answers. `redact` hides what no page may show. */
export async function askHealth({
  stores: { relational, ephemeral, graph, search, source, disk },
  clock,
  isReady,
  version,
  lastBackup = () => Promise.resolve(null),
  redact,
}: {
  stores: Stores;
  clock: Pick<BookingClock, 'problem'>;
  isReady: () => boolean;
  version: string;
  lastBackup?: () => Promise<LastBackup | null>;
  redact: (text: string) => string;
}): Promise<Health> {
  let skew: number | null = null;
  const ask = async (store: Probed): Promise<StoreHealth> => {
    const began = performance.now();
    const failure = await store.ping().then(
      (time) => {
        if (time) skew = Math.round((Date.now() - time.getTime()) / 1_000);
        return null;
      },
      (error: unknown) => ({ at: new Date(), error }),
    );
    const last = store.circuit?.lastFailure ?? failure;
    const rebuilding = store.healing?.rebuilding;
    return {
      engine: store.engine,
      status: failure !== null ? 'unavailable' : rebuilding ? 'rebuilding' : 'ok',
      latency_ms: Math.round((performance.now() - began) * 10) / 10,
      circuit: store.circuit?.state ?? null,
      last_failure: last && { at: last.at.toISOString(), message: redact(reasonsOf(last.error)) },
      ...(rebuilding && {
        rebuilding: {
          reason: redact(rebuilding.reason),
          since: rebuilding.since.toISOString(),
          set_aside: rebuilding.setAside,
          ...(rebuilding.progress ?? { done: 0, of: null }),
        },
      }),
    };
  };
  const asked = [ask(relational), ask(ephemeral), ask(graph), ask(search), ask(source)] as const;
  const [one, two, three, four, five] = await Promise.all(asked);
  const stores = { relational: one, ephemeral: two, graph: three, search: four, source: five };
  const { freeBytes, minFreeBytes, isLow } = disk.look();
  const backup = await lastBackup();
  const areWell = Object.values(stores).every(({ status }) => status === 'ok');
  const clockProblem = clock.problem();
  return {
    status: areWell && !isLow && clockProblem === null && Math.abs(skew ?? 0) <= maxSkewSeconds ? 'ok' : 'degraded',
    ready: isReady(),
    version,
    uptime_seconds: Math.floor(process.uptime()),
    clock_skew_seconds: skew,
    clock_problem: clockProblem,
    disk: {
      status: freeBytes === null ? 'unknown' : isLow ? 'low' : 'ok',
      free_bytes: freeBytes,
      min_free_bytes: minFreeBytes,
      reserved_bytes: ephemeral.reservedBytes(),
    },
    last_backup: backup && { ...backup, age_seconds: Math.max(0, ageOf(backup.made_at)) },
    loss_of_power_may_cost: lossOfPowerMayCost,
    stores,
  };
}

const ageOf = (time: string) => Math.round((Date.now() - Date.parse(time)) / 1_000);

interface Probed {
  engine: string;
  circuit?: Circuit;
  healing?: Healing;
  ping(): Promise<Date | void>;
}

/** What happened and why, from the outside in. */
function reasonsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { message, cause } = error;
  return cause === undefined ? message : `${message} ${reasonsOf(cause)}`;
}
