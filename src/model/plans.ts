/** What an organization can be on; a price that is null is on request. */
export interface Plan {
  id: string;
  name: string;
  summary: string;
  /** `announced`: the price is shown and not charged. */
  status: 'current' | 'announced';
  /** Whether a checkout session can be made for it. */
  self_serve: boolean;
  price: { amount_cents: number; currency: 'USD'; interval: 'month'; per: 'organization' | 'seat' } | null;
  /** A month; null: no limit. */
  included_credits: number | null;
  /** What more credits cost; null: there are no more, or they cost nothing. */
  overage: { amount_cents: number; currency: 'USD'; per_credits: number } | null;
  /** Null: as agreed. */
  limits: {
    requests_per_minute: number;
    search_requests_per_minute: number;
    members: number;
    api_keys_per_member: number;
    concurrent_reports: number;
    usage_retention_days: number;
  } | null;
  features: string[];
}

/** What organizations are on while nothing is charged. */
export const currentPlan: Plan = {
  id: 'beta',
  name: 'Beta',
  summary: 'Everything that is live, free during the public beta.',
  status: 'current',
  self_serve: true,
  price: { amount_cents: 0, currency: 'USD', interval: 'month', per: 'organization' },
  included_credits: null,
  overage: null,
  limits: {
    requests_per_minute: 600,
    search_requests_per_minute: 120,
    members: 10,
    api_keys_per_member: 5,
    concurrent_reports: 2,
    usage_retention_days: 90,
  },
  features: ['all-live-products', 'shadow-metering'],
};

/** Every plan, the smallest first. */
export const allPlans: readonly Plan[] = [
  currentPlan,
  {
    id: 'team',
    name: 'Team',
    summary: 'For one team: reports and the command line.',
    status: 'announced',
    self_serve: true,
    price: { amount_cents: 4_900, currency: 'USD', interval: 'month', per: 'seat' },
    included_credits: 10_000,
    overage: { amount_cents: 100, currency: 'USD', per_credits: 100 },
    limits: {
      requests_per_minute: 1_200,
      search_requests_per_minute: 240,
      members: 25,
      api_keys_per_member: 5,
      concurrent_reports: 4,
      usage_retention_days: 365,
    },
    features: ['all-live-products', 'reports', 'cli'],
  },
  {
    id: 'business',
    name: 'Business',
    summary: 'For a company: single sign-on, the audit log and 99.9 % availability.',
    status: 'announced',
    self_serve: true,
    price: { amount_cents: 14_900, currency: 'USD', interval: 'month', per: 'seat' },
    included_credits: 50_000,
    overage: { amount_cents: 80, currency: 'USD', per_credits: 100 },
    limits: {
      requests_per_minute: 3_000,
      search_requests_per_minute: 600,
      members: 100,
      api_keys_per_member: 10,
      concurrent_reports: 10,
      usage_retention_days: 730,
    },
    features: ['all-live-products', 'reports', 'cli', 'sso', 'audit-log', 'availability-99.9'],
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    summary: 'As agreed: service principals, your own cloud.',
    status: 'announced',
    self_serve: false,
    price: null,
    included_credits: null,
    overage: null,
    limits: null,
    features: [
      'all-live-products',
      'reports',
      'cli',
      'sso',
      'audit-log',
      'availability-99.9',
      'service-principals',
      'own-cloud',
    ],
  },
];

/** The plan of this id; what is not known is the one that everybody is on. */
export const planOf = (id: string): Plan => allPlans.find((plan) => plan.id === id) ?? currentPlan;

/** How many an organization on this plan has at most; what is agreed on has no bound here. */
export const mostOf = ({ limits }: Plan, what: 'members' | 'api_keys_per_member'): number => limits?.[what] ?? Infinity;
