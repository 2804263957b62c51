import type { UsageEvent, UsageRow } from '../../model/account.ts';
import type { Circuit } from '../guard.ts';

/** What an organization has called in one month. */
export interface Usage {
  rows: UsageRow[];
  /** `ledger`: the meters are away; what other instances counted within the last second may be missing. */
  source: 'live' | 'ledger';
}

/**
 * Holds what is fast and may be rebuilt: usage meters of the running period and idempotency locks.
 * Promises of every engine: an event is counted once; what `record` resolved is in `usage` at once; a lock has one holder.
 */
export interface EphemeralStore {
  readonly engine: string;
  /** Of its server; an embedded engine has none. */
  readonly circuit?: Circuit;
  /** Counts one call; false when the event was counted before. */
  record(event: UsageEvent): Promise<boolean>;
  /** `period` is `YYYY-MM`, UTC. */
  usage(organizationId: string, period: string): Promise<Usage>;
  /** Takes the lock for `ttlMs`; false when somebody holds it. */
  lock(key: string, holder: string, ttlMs: number): Promise<boolean>;
  /** Gives it back; only its holder can. */
  unlock(key: string, holder: string): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
  /** Tells all who listen to the channel, in every process; who can't be reached is not told. */
  publish(channel: string, message: string): Promise<void>;
  subscribe(channel: string, hear: (message: string) => void): void;
  /** Quotas of one name are one. */
  limiter(quota: Quota): Limiter;
