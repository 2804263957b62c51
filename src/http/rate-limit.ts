import type Koa from 'koa';
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

/** How a caller stands with a quota. */
interface Standing {
  allowed: boolean;
  remaining: number;
  reset_ms: number;
}

/** Counts against one quota; it never fails. */
interface Limiter {
  take(key: string): Promise<Standing>;
  giveBack(key: string): Promise<Standing>;
}

/** Makes the counter of a quota. */
export type CreateLimiter = (quota: Quota) => Limiter;

interface Counter {
  quota: Quota;
  limiter: Limiter;
}

/** A counter for each of the limits. */
export interface Quotas {
  organization: readonly Counter[];
  address: readonly Counter[];
  named: ReadonlyMap<string, Counter>;
}

/** Makes the counters, with nothing counted yet. */
export function countQuotas(limits: Limits, createLimiter: CreateLimiter): Quotas {
  const counter = (quota: Quota): Counter => ({ quota, limiter: createLimiter(quota) });
  return {
    organization: limits.organization.map(counter),
    address: limits.address.map(counter),
    named: new Map(limits.named.map((quota) => [quota.name, counter(quota)])),
  };
}

/** Counts requests against their quotas and tells the caller how much is left (draft-ietf-httpapi-ratelimit-headers). */
export function rateLimit({ organization, address, named }: Quotas): Koa.Middleware<State> {
  return async (ctx, next) => {
    const { caller, found } = ctx.state;
    if (found.route?.probe) {
      await next();
      return;
    }
    const own = named.get(found.route?.limit ?? '');
    const counters = caller === null ? address : [...organization, ...(own ? [own] : [])];
    const key = caller?.organization.id ?? ctx.state.ip;

    const take = async (counter: Counter) => ({ counter, standing: await counter.limiter.take(key) });
    const taken = await Promise.all(counters.map(take));
    const giveBack = (entries: { counter: Counter; standing: Standing }[]) =>
      Promise.all(
        entries.map(async (entry) => {
          entry.standing = await entry.counter.limiter.giveBack(key);
        }),
      );
    const tell = () => {
      if (caller === null || taken.length === 0) return;
      const least = taken.reduce((a, b) => (b.standing.remaining < a.standing.remaining ? b : a));
      ctx.set({
        'RateLimit-Policy': taken
          .map(({ counter: { quota } }) => `"${quota.name}";q=${quota.requests};w=${quota.window_seconds}`)
          .join(', '),
        RateLimit: taken
          .map(({ counter: { quota }, standing }) => `"${quota.name}";r=${standing.remaining};t=${seconds(standing)}`)
          .join(', '),
        'X-RateLimit-Limit': String(least.counter.quota.requests),
        'X-RateLimit-Remaining': String(least.standing.remaining),
        'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1_000) + seconds(least.standing)),
      });
    };

    // Of several that are used up, the one that takes longest.
    const [refused] = taken
      .filter(({ standing }) => !standing.allowed)
      .toSorted((a, b) => b.standing.reset_ms - a.standing.reset_ms);
    if (refused) {
      await giveBack(taken.filter(({ standing }) => standing.allowed));
      tell();
      throw quotaExceeded(refused.counter.quota, refused.standing);
    }
    tell();
    const giveAllBack = async () => {
      await giveBack(taken);
      tell();
    };
    try {
      await next();
    } catch (error) {
      // Nothing was done for who has waited in vain.
      if (error instanceof HttpError && error.problem.code === 'overloaded') await giveAllBack();
      throw error;
    }
    if (ctx.status === 304) await giveAllBack();
  };
}

const seconds = ({ reset_ms }: Standing) => Math.max(1, Math.ceil(reset_ms / 1_000));

/** The 429 of a quota that is used up. */
export function quotaExceeded({ name, requests, window_seconds }: Quota, standing: Standing): HttpError {
  const wait = seconds(standing);
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
