import { LRUCache } from 'lru-cache';
import { StoreUnavailable } from '../stores/errors.ts';
import type { RelationalStore, VisibleRepository } from '../stores/relational/port.ts';

/** The repositories that an organization sees. */
export type Visible = (organizationId: string) => Promise<readonly VisibleRepository[]>;

/** A repository that is seen as it is kept under another key: its working tree. */
export interface InPlace {
  committed: string;
  key: string;
}

/** The same, with that in its place. */
export const seenInPlace =
  (visible: Visible, { committed, key }: InPlace): Visible =>
  async (organizationId) =>
    (await visible(organizationId)).map((each) => (each.key === committed ? { ...each, key } : each));

/** What another process shares, takes back or loads is seen so much later. */
const freshMs = 1_000;
/** While the relational store is away, what was known goes on for so long: graph and search go on answering. */
const keptMs = 10 * 60_000;

interface Known {
  repositories: readonly VisibleRepository[];
  at: number;
}

/** Asks the relational store, once a second for each organization; at once after a change by this process. */
export function createVisible({ tenant, repositories }: Pick<RelationalStore, 'tenant' | 'repositories'>): Visible {
  const known = new LRUCache<string, Known>({ max: 10_000 });
  const running = new Map<string, Promise<readonly VisibleRepository[]>>();
  /** Counts up with each change: an answer that was asked for before is not fresh. */
  let changes = 0;
  /** What was known before the last change stays for when the store is away. */
  let changedAt = 0;
  repositories.onChange(() => {
    changes += 1;
    changedAt = Date.now();
    running.clear();
  });

  const lookUp = async (organizationId: string): Promise<readonly VisibleRepository[]> => {
    const before = known.get(organizationId);
    // The answer is as old as the question.
    const at = Date.now();
    const asked = changes;
    try {
      const visible = await tenant(organizationId, (one) => one.repositories.visible());
      if (asked === changes) known.set(organizationId, { repositories: visible, at });
      return visible;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || !before || at - before.at >= keptMs) throw error;
      return before.repositories;
    }
  };

  return (organizationId) => {
    const before = known.get(organizationId);
    if (before && before.at > changedAt && Date.now() - before.at < freshMs)
      return Promise.resolve(before.repositories);
    const already = running.get(organizationId);
    if (already) return already;
    const answer = lookUp(organizationId).finally(() => {
      if (running.get(organizationId) === answer) running.delete(organizationId);
    });
    running.set(organizationId, answer);
    return answer;
  };
}
