import type Koa from 'koa';
import { LRUCache } from 'lru-cache';
import { HttpError } from './errors.ts';
import { problems } from './problems.ts';
import type { Caller } from './route.ts';
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
  /** How many requests of an organization's quota this caller has, where that is not what the quota says. */
  requestsOf?: (quota: Quota, caller: Caller) => number;
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
  organization: (caller: Caller) => readonly Counter[];
  address: readonly Counter[];
  /** None where there is no quota of this name. */
  named: (name: string, caller: Caller) => Counter | undefined;
  /** Of one key, where it has a limit of its own: so many requests a minute. */
  ofKey: (requests: number) => Counter;
}

/** Counters of quotas that are not the same for all that are remembered. */
const maxOwnCounters = 1_000;

/** Makes the counters, with nothing counted yet. */
export function countQuotas(limits: Limits, createLimiter: CreateLimiter): Quotas {
  const counter = (quota: Quota): Counter => ({ quota, limiter: createLimiter(quota) });
  const own = new LRUCache<string, Counter>({ max: maxOwnCounters });
  const ownCounter = (quota: Quota): Counter => {
    const id = `${quota.name} ${quota.requests}`;
    const made = own.get(id) ?? counter(quota);
    own.set(id, made);
    return made;
  };
  const of = (common: Counter, caller: Caller): Counter => {
    const { quota } = common;
    const requests = limits.requestsOf?.(quota, caller) ?? quota.requests;
    return requests === quota.requests ? common : ownCounter({ ...quota, requests });
  };
  const organization = limits.organization.map(counter);
  const named = new Map(limits.named.map((quota) => [quota.name, counter(quota)]));
  return {
    organization: (caller) => organization.map((common) => of(common, caller)),
    address: limits.address.map(counter),
    named(name, caller) {
      const common = named.get(name);
      return common && of(common, caller);
    },
    ofKey: (requests) => ownCounter({ name: 'key', requests, window_seconds: 60 }),
  };
}

/** The quota of a route of its own, which counts what is done and not what is refused. */
export interface OwnQuota {
  /** Throws a 429 when nothing is left; then the request has cost the other quotas nothing. */
  take(): Promise<void>;
  /** Does nothing where nothing was taken. */
  giveBack(): Promise<void>;
}

/** Of routes that have none. */
export const noQuota: OwnQuota = { take: async () => {}, giveBack: async () => {} };

/**
 * Counts requests against their quotas and tells the caller how much is left (draft-ietf-httpapi-ratelimit-headers). The quota of
 * the route itself is taken later, by `ctx.state.ownQuota`, when nothing is left that could refuse the request.
 */
export function rateLimit({ organization, address, named, ofKey }: Quotas): Koa.Middleware<State> {
  return async (ctx, next) => {
    const { caller, found } = ctx.state;
    if (found.route?.probe) {
      await next();
      return;
    }
    const taken = takings();
    try {
      if (caller === null) {
        await taken.take(address.map((counter) => ({ counter, key: ctx.state.ip })));
      } else {
        const {
          organization: { id },
          api_key,
          rate_limit_per_minute: ofThisKey,
        } = caller;
        await taken.take([
          ...organization(caller).map((counter) => ({ counter, key: id })),
          ...(ofThisKey === null ? [] : [{ counter: ofKey(ofThisKey), key: api_key.id }]),
        ]);
        const own = named(found.route?.limit ?? '', caller);
        if (own)
          ctx.state.ownQuota = {
            take: () => taken.take([{ counter: own, key: id }]),
            giveBack: () => taken.giveBack([own]),
          };
      }
      await next();
      if (ctx.status === 304) await taken.giveBack();
    } catch (error) {
      // Nothing was done for who has waited in vain.
      if (error instanceof HttpError && error.problem.code === 'overloaded') await taken.giveBack();
      throw error;
    } finally {
      if (caller !== null) ctx.set(standingHeaders(taken.entries));
    }
  };
}

/** A counter, and what is counted: an organization, a key, an address. */
interface Counted {
  counter: Counter;
  key: string;
}

interface Taking extends Counted {
  standing: Standing;
  /** Not given back, and not refused. */
  isTaken: boolean;
}

/** What one request has taken of its quotas. */
function takings() {
  const entries: Taking[] = [];
  const giveBack = async (counters?: readonly Counter[]) => {
    const given = entries.filter(({ counter, isTaken }) => isTaken && (counters?.includes(counter) ?? true));
    if (given.length === 0) return;
    for (const entry of given) entry.isTaken = false;
    await Promise.all(
      given.map(async (entry) => {
        entry.standing = await entry.counter.limiter.giveBack(entry.key);
      }),
    );
  };
  return {
    /** All that was counted. */
    entries: entries as readonly Taking[],
    giveBack,
    /** Throws a 429 when one of them is used up; then nothing is taken of any. */
    async take(counted: readonly Counted[]): Promise<void> {
      const added = await Promise.all(
        counted.map(async ({ counter, key }) => {
          const standing = await counter.limiter.take(key);
          return { counter, key, standing, isTaken: standing.allowed };
        }),
      );
      entries.push(...added);
      // Of several that are used up, the one that takes longest.
      const [refused] = added
        .filter(({ isTaken }) => !isTaken)
        .toSorted((a, b) => b.standing.reset_ms - a.standing.reset_ms);
      if (!refused) return;
      await giveBack();
      throw quotaExceeded(refused.counter.quota, refused.standing);
    },
  };
}

function standingHeaders(entries: readonly Taking[]): Record<string, string> {
  const [first, ...others] = entries;
  if (!first) return {};
  const least = others.reduce((a, b) => (b.standing.remaining < a.standing.remaining ? b : a), first);
  return {
    'RateLimit-Policy': entries
      .map(({ counter: { quota } }) => `"${quota.name}";q=${quota.requests};w=${quota.window_seconds}`)
      .join(', '),
    RateLimit: entries
      .map(({ counter: { quota }, standing }) => `"${quota.name}";r=${standing.remaining};t=${seconds(standing)}`)
      .join(', '),
    'X-RateLimit-Limit': String(least.counter.quota.requests),
    'X-RateLimit-Remaining': String(least.standing.remaining),
    'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1_000) + seconds(least.standing)),
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
