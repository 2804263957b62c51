import type { UsageEvent } from '../../model/account.ts';
import type { Circuit } from '../guard.ts';

/** So many requests in so many seconds, for each key; the seconds begin with the first. */
export interface Quota {
  name: string;
  requests: number;
  window_seconds: number;
}

/** How one key stands with a quota. */
export interface Standing {
  /** Of `take`: there was one left. Of `look` and `giveBack`: there is one left. */
  allowed: boolean;
  remaining: number;
  /** Until everything is there again. */
  reset_ms: number;
}

/**
 * Counts against one quota, for all instances together. It never fails and hardly waits: while its server is away each instance
 * counts on its own.
 */
export interface Limiter {
  take(key: string): Promise<Standing>;
  /** Takes nothing. */
  look(key: string): Promise<Standing>;
  giveBack(key: string): Promise<Standing>;
}

/**
 * Holds what is fast and on its way: metered calls until they are in the ledger, locks, rate limits, messages between instances.
 * Promises of every engine: a call that was recorded is in the ledger once, however often it was recorded and whoever is killed
 * meanwhile; a lock has one holder.
 */
export interface EphemeralStore {
  readonly engine: string;
  /** Of its server; an embedded engine has none. */
  readonly circuit?: Circuit;
  /**
   * Counts one call. Rejects when it can be kept nowhere, so that it must not be answered: with `InsufficientStorage` where that is for
   * want of room, else `StoreUnavailable`.
   */
  record(event: UsageEvent): Promise<void>;
  /**
   * Brings into the ledger whatever was recorded before, on any instance. `ledger`: the server is away, and what other instances
   * recorded within the last second may be missing.
   */
  settle(): Promise<'live' | 'ledger'>;
  /** Calls that this process holds on their way to the ledger. */
  waiting(): number;
  /** Bytes reserved on the disk for calls on their way to the ledger, for when it is full. */
  reservedBytes(): number;
  /** Tells from now on when calls can't be written down here: each then goes into the ledger before it is answered, or is refused. */
  onUnkept(hear: (error: unknown) => void): void;
  /** Takes the lock for `ttlMs`; false when somebody holds it. */
  lock(key: string, holder: string, ttlMs: number): Promise<boolean>;
  /** Gives it back; only its holder can. */
  unlock(key: string, holder: string): Promise<void>;
  /** Tells all who listen to the channel, in every process; who can't be reached is not told. */
  publish(channel: string, message: string): Promise<void>;
  subscribe(channel: string, hear: (message: string) => void): void;
  /** A counter; on a server all of one quota's name are one. */
  limiter(quota: Quota): Limiter;
  ping(): Promise<void>;
  close(): Promise<void>;
}
