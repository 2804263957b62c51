import { LRUCache } from 'lru-cache';
import type { Principal } from '../model/account.ts';
import { StoreUnavailable } from '../stores/errors.ts';
import type { Accounts, KeyDigest } from '../stores/relational/port.ts';
import { parseApiKey } from './api-key.ts';
import { keyDigester } from './pepper.ts';

/** Says who is calling. */
export interface KeyVerifier {
  /**
   * Null for a key that is malformed, unknown, revoked or expired; `StoreUnavailable` when nobody can tell. What is asked of a key that
   * was not good when it was last looked up waits for its turn, where there are turns.
   */
  verify(key: string, inTurn?: InTurn): Promise<Principal | null>;
  /** Whether this key was good when it was last looked up. */
  knows(key: string): boolean;
  /** Forgets what is remembered of this key, or of the keys of this member, so that a change counts at once. */
  forget(keyOrMemberId: string): void;
}

/** Does this once it is its turn. */
type InTurn = <T>(look: () => Promise<T>) => Promise<T>;

/** For how long an answer counts without a look-up, and at most while there is nobody to ask. */
const freshMs = 5_000;
const unknownMs = 2_000;
const unreachableMs = 10 * 60_000;

/**
 * Verifies keys by their digest, under the pepper in force or else the one before it. A revoked key is refused at most 5 s later; only while the relational store can't be reached
 * are the keys it vouched for honoured for up to 10 minutes.
 */
export function createKeyVerifier({
  accounts,
  pepper,
  previousPepper,
  now = Date.now,
}: {
  accounts: Pick<Accounts, 'principalByDigest'>;
  pepper: string;
  previousPepper?: string | undefined;
  now?: () => number;
}): KeyVerifier {
  const digestNow = keyDigester(pepper);
  const digestBefore = previousPepper === undefined ? null : keyDigester(previousPepper);
  const known = new LRUCache<string, { principal: Principal; at: number }>({ max: 10_000 });
  // Apart, so that guesses can't drive out the keys that are good.
  const unknown = new LRUCache<string, { at: number }>({ max: 10_000 });
  const running = new Map<string, Promise<Principal | null>>();

  /** Counts up when something is to be forgotten: an answer that was asked for before then is not remembered. */
  let forgotten = 0;

  const lookUp = async (id: string, digests: readonly [KeyDigest, ...KeyDigest[]]): Promise<Principal | null> => {
    const before = known.get(id);
    // The answer is as old as the question.
    const at = now();
    const asked = forgotten;
    try {
      const principal = await accounts.principalByDigest(digests);
      if (!principal) {
        known.delete(id);
        unknown.set(id, { at });
      } else if (asked === forgotten) {
        known.set(id, { principal, at });
      }
      return principal;
    } catch (error) {
      const isKept = error instanceof StoreUnavailable && before && known.get(id) === before;
      if (!isKept || now() - before.at >= unreachableMs) throw error;
      return before.principal;
    }
  };

  const find = async (key: string, digest: KeyDigest, id: string): Promise<Principal | null> => {
    const good = known.get(id);
    if (good && now() - good.at < freshMs) return good.principal;
    const bad = unknown.get(id);
    if (bad && now() - bad.at < unknownMs) return null;
    let answer = running.get(id);
    if (!answer) {
      answer = lookUp(id, digestBefore ? [digest, digestBefore(key)] : [digest]).finally(() => running.delete(id));
      running.set(id, answer);
    }
    return answer;
  };

  return {
    async verify(key, inTurn) {
      if (!parseApiKey(key)) return null;
      const digest = digestNow(key);
      const id = idOf(digest);
      const look = () => find(key, digest, id);
      const principal = await (inTurn === undefined || known.has(id) ? look() : inTurn(look));
      const expiresAt = principal?.api_key.expires_at ?? null;
      return expiresAt !== null && Date.parse(expiresAt) <= now() ? null : principal;
    },
    knows: (key) => known.has(idOf(digestNow(key))),
    forget(keyOrMemberId) {
      forgotten += 1;
      // What is being asked may be answered as it was before.
      running.clear();
      for (const [id, { principal }] of known.entries()) {
        if ([principal.api_key.id, principal.member.id].includes(keyOrMemberId)) known.delete(id);
      }
    },
  };
}

const idOf = ({ digest }: KeyDigest) => Buffer.from(digest).toString('base64url');
