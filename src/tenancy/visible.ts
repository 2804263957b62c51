import { LRUCache } from 'lru-cache';
import { StoreUnavailable } from '../stores/errors.ts';
import type { RelationalStore } from '../stores/relational/port.ts';
import type { VisibleRepository } from './names.ts';

/** The repositories that an organization sees. */
export type Visible = (organizationId: string) => Promise<readonly VisibleRepository[]>;

/** What another process shares, takes back or loads is seen so much later. */
const freshMs = 1_000;
/** While the relational store is away, what was known goes on for so long: graph and search go on answering. */
const keptMs = 10 * 60_000;

interface Known {
  repositories: Promise<readonly VisibleRepository[]>;
  at: number;
}

/** Asks the relational store, once a second for each organization; at once after a change by this process. */
export function createVisible({ tenant, repositories }: Pick<RelationalStore, 'tenant' | 'repositories'>): Visible {
  const known = new LRUCache<string, Known>({ max: 10_000 });
  repositories.onChange(() => {
    // It stays for when the store is away.
    for (const each of known.values()) each.at = Math.min(each.at, Date.now() - freshMs);
  });
  return async (organizationId) => {
    const before = known.get(organizationId);
    if (before && Date.now() - before.at < freshMs) return before.repositories;
    const asked: Known = {
      repositories: tenant(organizationId, (one) => one.repositories.visible()),
      at: Date.now(),
    };
    known.set(organizationId, asked);
    try {
      return await asked.repositories;
    } catch (error) {
      if (known.get(organizationId) === asked) known.delete(organizationId);
      if (!(error instanceof StoreUnavailable) || !before || Date.now() - before.at > keptMs) throw error;
      known.set(organizationId, before);
      return before.repositories;
    }
  };
}
