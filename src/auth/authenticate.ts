import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Principal } from '../model/account.ts';
import { parseApiKey } from './api-key.ts';
import type { KeyVerifier } from './key-verifier.ts';

/** Keys with a right checksum that nobody has: only somebody who knows the format makes them. A minute, an address. */
const guesses = { points: 100, duration: 60 };

/**
 * Who a bearer stands for: null for nobody, a wait for an address that guesses keys. A bearer that can't be a key is null
 * however often it comes, and costs no look-up (api.md 0.1).
 */
export function createAuthenticate(verifier: KeyVerifier) {
  const limiter = new RateLimiterMemory(guesses);
  return async (
    bearer: string,
    { ip }: { ip: string },
  ): Promise<Principal | null | { retry_after_seconds: number }> => {
    if (!parseApiKey(bearer)) return null;
    const spent = await limiter.get(ip);
    if (spent && spent.consumedPoints > guesses.points) return wait(spent);
    const principal = await verifier.verify(bearer);
    if (principal) return principal;
    try {
      await limiter.consume(ip);
      return null;
    } catch (error) {
      if (error instanceof RateLimiterRes) return wait(error);
      throw error;
    }
  };
}

const wait = ({ msBeforeNext }: RateLimiterRes) => ({
  retry_after_seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
});
