import type Koa from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpError } from './errors.ts';
import { problems } from './problems.ts';
import type { State } from './state.ts';

/** So many requests in so many seconds. */
interface Quota {
  name: string;
  requests: number;
  window_seconds: number;
}

/** The quotas of the service; an empty list limits nothing. */
export interface Limits {
  /** Of each organization. */
  organization: readonly Quota[];
  /** Of each address, for public routes. */
  address: readonly Quota[];
  /** Of each organization on the routes that name it as their `limit`. */
  named: readonly Quota[];
}

/** Counts requests against their quotas and tells the caller how much is left (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimit(limits: Limits): Koa.Middleware<State> {
  const counter = (quota: Quota) => ({
    quota,
    limiter: new RateLimiterMemory({ points: quota.requests, duration: quota.window_seconds }),
  });
  type Counter = ReturnType<typeof counter>;
  const organization = limits.organization.map(counter);
  const address = limits.address.map(counter);
  const named = new Map(limits.named.map((quota) => [quota.name, counter(quota)]));

  return async (ctx, next) => {
    const { caller, found } = ctx.state;
    if (found.route?.probe) {
      await next();
      return;
    }
    const own = named.get(found.route?.limit ?? '');
    const counters = caller === null ? address : [...organization, ...(own ? [own] : [])];
    const key = caller?.organization.id ?? ctx.ip;

    const taken: { counter: Counter; left: RateLimiterRes }[] = [];
    const giveBack = () =>
      Promise.all(
        taken.map(async (entry) => {
          entry.left = await entry.counter.limiter.reward(key);
        }),
      );
    const tell = () => {
      if (caller === null || taken.length === 0) return;
      const least = taken.reduce((a, b) => (b.left.remainingPoints < a.left.remainingPoints ? b : a));
      ctx.set({
        'RateLimit-Policy': taken
          .map(({ counter: { quota } }) => `"${quota.name}";q=${quota.requests};w=${quota.window_seconds}`)
          .join(', '),
        RateLimit: taken
          .map(({ counter: { quota }, left }) => `"${quota.name}";r=${left.remainingPoints};t=${seconds(left)}`)
          .join(', '),
        'X-RateLimit-Limit': String(least.counter.quota.requests),
        'X-RateLimit-Remaining': String(least.left.remainingPoints),
        'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1_000) + seconds(least.left)),
      });
    };

    for (const counter of counters) {
      try {
        taken.push({ counter, left: await counter.limiter.consume(key) });
      } catch (left) {
        if (!(left instanceof RateLimiterRes)) throw left;
        await giveBack();
        taken.push({ counter, left });
        tell();
        throw exceeded(counter.quota, seconds(left));
      }
    }
    tell();
    await next();
    if (ctx.status === 304) {
      await giveBack();
      tell();
    }
  };
}

const seconds = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1_000));

function exceeded({ name, requests, window_seconds }: Quota, wait: number): HttpError {
  return new HttpError(problems.rate_limited, {
    detail: `The ${name} quota of ${requests} requests per ${window_seconds} s is used up.`,
    headers: { 'Retry-After': String(wait) },
    members: {
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      'violated-policies': [name],
      retry_after_seconds: wait,
    },
  });
}
