import type { Limits } from '../http/rate-limit.ts';
import { planOf } from '../model/plans.ts';
import type { Quota } from '../stores/ephemeral/port.ts';

/** The quotas of the beta: requests, and in how many seconds. */
const beta = {
  // Of an organization, over all routes.
  default: [600, 60],
  burst: [100, 1],
  // Of an organization, on the routes that name them.
  search: [120, 60],
  report_create: [30, 3600],
  usage_events: [600, 60],
  // Of an address: public routes, and keys with a right checksum that nobody has.
  public: [300, 60],
  auth_lookup: [100, 60],
  // Of the subject of an owner JWT; of an address, wrong codes.
  pair: [10, 3600],
  pair_exchange: [10, 600],
  // Of an address: whoever joins a waitlist has a mail be sent.
  waitlist: [10, 3600],
} as const satisfies Record<string, readonly [number, number]>;

export type QuotaName = keyof typeof beta;
export type Quotas = Readonly<Record<QuotaName, Quota>>;

const names = Object.keys(beta) as QuotaName[];

/** What `readQuotas` takes. */
export const quotasPattern = new RegExp(String.raw`^((^|,)(\*|${names.join('|')})=[1-9]\d{0,8}/[1-9]\d{0,5})*$`);

/** The quotas of the beta but for these: `default=6000/60,search=1200/60` requests in seconds; `*` stands for all. */
export function readQuotas(changes: string): Quotas {
  const changed = [...changes.matchAll(/([*\w]+)=(\d+)\/(\d+)/g)];
  const quota = (name: QuotaName): Quota => {
    const [, , requests, seconds] = changed.findLast(([, one]) => one === '*' || one === name) ?? [
      null,
      null,
      ...beta[name],
    ];
    return { name, requests: Number(requests), window_seconds: Number(seconds) };
  };
  return Object.fromEntries(names.map((name) => [name, quota(name)])) as Quotas;
}

/** Those that plans have a number of requests a minute for. */
const ofPlans: Readonly<Record<string, 'requests_per_minute' | 'search_requests_per_minute'>> = {
  default: 'requests_per_minute',
  search: 'search_requests_per_minute',
};

/** Which of the quotas the kernel counts, and for whom. What whoever runs the service has set holds on every plan. */
export const limitsOf = (quotas: Quotas): Limits => ({
  organization: [quotas.default, quotas.burst],
  address: [quotas.public],
  named: [quotas.search, quotas.report_create, quotas.usage_events],
  requestsOf({ name, requests, window_seconds: seconds }, { plan }) {
    const [ofBeta, secondsOfBeta] = beta[name as QuotaName];
    const what = ofPlans[name];
    if (what === undefined || requests !== ofBeta || seconds !== secondsOfBeta) return requests;
    return planOf(plan).limits?.[what] ?? requests;
  },
});
