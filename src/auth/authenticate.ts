import { LRUCache } from 'lru-cache';
import type { Authenticate } from '../http/authentication.ts';
import type { Principal } from '../model/account.ts';
import type { Limiter } from '../stores/ephemeral/port.ts';
import { parseApiKey } from './api-key.ts';
import type { KeyVerifier } from './key-verifier.ts';
import type { KeyOfToken } from './token-sessions.ts';

/**
 * Who a bearer stands for: null for nobody, a wait for an address that guesses keys. A bearer that can't be a key is null
 * however often it comes, and costs no look-up. `guesses` counts keys with a right checksum that nobody has: only
 * somebody who knows the format makes them. An access token of the identity provider stands for the key that `keyOf` gives.
 * `place` notes from where a good key came, before its request goes on.
 */
export function createAuthenticate(
  verifier: KeyVerifier,
  guesses: Limiter,
  place: (principal: Principal, from: { ip: string; userAgent: string | undefined }) => Promise<void>,
  keyOf: KeyOfToken | null = null,
): Authenticate {
  // Remembered here, so that a good key never waits for the limiter.
  const refused = new LRUCache<string, true>({ max: 10_000 });
  return async (bearer, from) => {
    const { ip, inTurn } = from;
    const userAgent = from.headers['user-agent'];
    if (!parseApiKey(bearer)) {
      const key = (await keyOf?.(bearer, from)) ?? null;
      const principal = key === null ? null : await verifier.verify(key);
      if (principal) await place(principal, { ip, userAgent });
      return principal;
    }
    // Others may share the address: the keys that they have shown to be good are still taken.
    if (refused.has(ip) && !verifier.knows(bearer)) return wait(refused.getRemainingTTL(ip));
    // Whoever is known waits for nobody who guesses.
    const principal = await verifier.verify(bearer, inTurn);
    if (principal) {
      await place(principal, { ip, userAgent });
      return principal;
    }
    const { allowed, remaining, reset_ms } = await guesses.take(ip);
    if (remaining === 0) refused.set(ip, true, { ttl: Math.max(1, reset_ms) });
    return allowed ? null : wait(reset_ms);
  };
}

const wait = (ms: number) => ({ retry_after_seconds: Math.max(1, Math.ceil(ms / 1000)) });
