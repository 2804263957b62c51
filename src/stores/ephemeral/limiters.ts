import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { StoreUnavailable } from '../errors.ts';
import type { Limiter, Quota, Standing } from './port.ts';

/** Counts in this process. */
export function memoryLimiter(quota: Quota): Limiter {
  return limiterOver(new RateLimiterMemory({ points: quota.requests, duration: quota.window_seconds }), quota);
}

/**
 * Counts in Redis, and in this process while Redis is away: against the whole quota, for it does not know how many instances
 * there are, and an outage of ours shall turn nobody away who keeps to it.
 */
export function redisLimiter(
  redis: Redis,
  attempt: (command: () => Promise<Standing>) => Promise<Standing>,
  quota: Quota,
): Limiter {
  const shared = limiterOver(
    new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `ris:limit:${quota.name}`,
      points: quota.requests,
      duration: quota.window_seconds,
    }),
    quota,
  );
  const own = memoryLimiter(quota);
  const either = (call: (limiter: Limiter) => Promise<Standing>) =>
    attempt(() => call(shared)).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return call(own);
      throw error;
    });
  return {
    take: (key) => either((limiter) => limiter.take(key)),
    look: (key) => either((limiter) => limiter.look(key)),
    giveBack: (key) => either((limiter) => limiter.giveBack(key)),
  };
}

function limiterOver(counter: RateLimiterAbstract, { requests, window_seconds }: Quota): Limiter {
  const standing = ({ consumedPoints, msBeforeNext }: RateLimiterRes, allowed: boolean): Standing => ({
    allowed,
    // A window that ended between taking and giving back leaves one more than there is.
    remaining: Math.min(requests, Math.max(0, requests - consumedPoints)),
    reset_ms: msBeforeNext,
  });
  const spare = (result: RateLimiterRes) => standing(result, result.consumedPoints < requests);
  return {
    async take(key) {
      // As `consume`, but that a refusal is no error.
      const result = await counter.penalty(key);
      return standing(result, result.consumedPoints <= requests);
    },
    async look(key) {
      const result = await counter.get(key);
      return result ? spare(result) : { allowed: true, remaining: requests, reset_ms: window_seconds * 1_000 };
    },
    giveBack: async (key) => spare(await counter.reward(key)),
  };
}
