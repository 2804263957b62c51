import { LRUCache } from 'lru-cache';
import type { Principal } from '../model/account.ts';
import { StoreUnavailable } from '../stores/errors.ts';
import type { Accounts } from '../stores/relational/port.ts';
import { digestApiKey, parseApiKey } from './api-key.ts';

/** Says who is calling. */
export interface KeyVerifier {
  /** Null for a key that is malformed, unknown, revoked or expired; `StoreUnavailable` when nobody can tell. */
  verify(key: string): Promise<Principal | null>;
  /** Forgets what is remembered of this key, so that a revocation counts at once. */
  forget(apiKeyId: string): void;
}

/** For how long an answer counts without a look-up, and at most while there is nobody to ask. */
const freshMs = 5_000;
const unknownMs = 2_000;
const unreachableMs = 10 * 60_000;

/**
 * Verifies keys by their digest. A revoked key is refused at most 5 s later; only while the relational store can't be reached
 * are the keys it vouched for honoured for up to 10 minutes.
 */
export function createKeyVerifier({
  accounts,
  pepper,
  now = Date.now,
}: {
  accounts: Pick<Accounts, 'principalByDigest'>;
  pepper: string;
  now?: () => number;
}): KeyVerifier {
  const known = new LRUCache<string, { principal: Principal; at: number }>({ max: 10_000 });
  // Apart, so that guesses can't drive out the keys that are good.
  const unknown = new LRUCache<string, { at: number }>({ max: 10_000 });
  const running = new Map<string, Promise<Principal | null>>();

  const lookUp = async (id: string, digest: Uint8Array): Promise<Principal | null> => {
    const before = known.get(id);
    try {
      const principal = await accounts.principalByDigest(digest);
      if (principal) {
        known.set(id, { principal, at: now() });
      } else {
        known.delete(id);
        unknown.set(id, { at: now() });
      }
      return principal;
    } catch (error) {
      if (!(error instanceof StoreUnavailable && before && now() - before.at < unreachableMs)) throw error;
      return before.principal;
    }
  };

  const find = async (key: string): Promise<Principal | null> => {
    if (!parseApiKey(key)) return null;
    const digest = digestApiKey(key, pepper);
    const id = Buffer.from(digest).toString('base64url');
    const good = known.get(id);
    if (good && now() - good.at < freshMs) return good.principal;
    const bad = unknown.get(id);
    if (bad && now() - bad.at < unknownMs) return null;
    let answer = running.get(id);
    if (!answer) {
      answer = lookUp(id, digest).finally(() => running.delete(id));
      running.set(id, answer);
    }
    return answer;
  };

  return {
    async verify(key) {
      const principal = await find(key);
      const expiresAt = principal?.api_key.expires_at ?? null;
      return expiresAt !== null && Date.parse(expiresAt) <= now() ? null : principal;
    },
    forget(apiKeyId) {
      for (const [id, { principal }] of known.entries()) {
        if (principal.api_key.id === apiKeyId) known.delete(id);
      }
    },
  };
}
