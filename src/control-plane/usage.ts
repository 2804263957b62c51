import { z } from 'zod';
import type { FieldError } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { refuse } from '../http/validate.ts';
import { keyEnvironmentSchema } from '../model/account.ts';
import type { KeyEnvironment } from '../model/account.ts';
import { daysOf } from '../model/usage.ts';
import type { Days, UsageColumn, UsageSum } from '../model/usage.ts';
import type { EphemeralStore } from '../stores/ephemeral/port.ts';
import type { RelationalStore } from '../stores/relational/port.ts';
import { currentPlan } from '../model/plans.ts';

const count = z.int().min(0);

const classes = {
  calls: count,
  successful_calls: count,
  not_modified_calls: count,
  client_error_calls: count,
  server_error_calls: count,
};

const groupings = {
  product: ['environment', 'product'],
  endpoint: ['environment', 'product', 'operation'],
  member: ['environment', 'member_id'],
  day: ['environment', 'day'],
  product_day: ['environment', 'product', 'day'],
} as const satisfies Record<string, readonly UsageColumn[]>;

/** Events of one's own are of no product and no endpoint. */
const eventGroupings = {
  product: [],
  endpoint: [],
  member: ['member_id'],
  day: ['day'],
  product_day: ['day'],
} as const satisfies Record<keyof typeof groupings, readonly UsageColumn[]>;

const maxDays = 92;

const date = z.iso.date().regex(/^20/);

const responseSchema = z
  .object({
    organization_id: z.string(),
    period: z.object({
      id: z.string().meta({ description: 'YYYY-MM, or the first and the last day: YYYY-MM-DD/YYYY-MM-DD; UTC.' }),
      start_at: z.iso.datetime(),
      end_at: z.iso.datetime(),
      status: z.enum(['open', 'closed']),
    }),
    plan_id: z.string().meta({
      description: 'The plan that the organization is on now: the one that it checked out last, or the beta.',
    }),
    included_credits: count.nullable().meta({ description: 'Of the plan, a month; null: no limit.' }),
    billing_mode: z.literal('shadow'),
    totals: z.object({
      ...classes,
      test_calls: count.meta({ description: 'Of all calls, those with keys for test, which cost nothing.' }),
      usage_events: count,
      credits_used: count,
    }),
    charges: z.object({ amount_cents: z.literal(0), currency: z.literal('USD'), reason: z.literal('shadow_mode') }),
    meters: z.array(
      z.object({
        meter: z.enum(['api_calls', 'usage_events']),
        unit: z.enum(['call', 'event']),
        product: z.string().nullable(),
        operation_id: z.string().nullable(),
        member_id: z.string().nullable(),
        day: z.iso.date().nullable(),
        environment: keyEnvironmentSchema
          .nullable()
          .meta({ description: 'Of the keys: what is for test costs nothing. Null: of events.' }),
        ...classes,
        credits_used: count,
      }),
    ),
    as_of: z.iso.datetime(),
    freshness: z.object({ source: z.enum(['live', 'ledger']), lag_seconds: count }),
  })
  .meta({ id: 'Usage' });

/** What `GET /v1/billing/usage` answers. */
export type UsageAnswer = z.infer<typeof responseSchema>;

const example = {
  organization_id: 'org_01JD7Z3M2QK8V6T4R9W5X1Y0AB',
  period: {
    id: '2026-11',
    start_at: '2026-11-01T00:00:00.000Z',
    end_at: '2026-12-01T00:00:00.000Z',
    status: 'open',
  },
  plan_id: currentPlan.id,
  included_credits: null,
  billing_mode: 'shadow',
  totals: {
    calls: 40,
    successful_calls: 39,
    not_modified_calls: 0,
    client_error_calls: 1,
    server_error_calls: 0,
    test_calls: 0,
    usage_events: 4,
    credits_used: 39,
  },
  charges: { amount_cents: 0, currency: 'USD', reason: 'shadow_mode' },
  meters: [
    {
      meter: 'api_calls',
      unit: 'call',
      product: 'code-search',
      operation_id: null,
      member_id: null,
      day: null,
      environment: 'live',
      calls: 40,
      successful_calls: 39,
      not_modified_calls: 0,
      client_error_calls: 1,
      server_error_calls: 0,
      credits_used: 39,
    },
    {
      meter: 'usage_events',
      unit: 'event',
      product: null,
      operation_id: null,
      member_id: null,
      day: null,
      environment: null,
      calls: 4,
      successful_calls: 4,
      not_modified_calls: 0,
      client_error_calls: 0,
      server_error_calls: 0,
      credits_used: 0,
    },
  ],
  as_of: '2026-11-21T11:08:12.345Z',
  freshness: { source: 'live', lag_seconds: 0 },
};

/** `GET /v1/billing/usage`: every call that has been answered, with what it cost. */
export function usageRoute({
  ephemeral,
  relational,
}: {
  ephemeral: Pick<EphemeralStore, 'settle'>;
  relational: Pick<RelationalStore, 'tenant'>;
}) {
  return route({
    method: 'GET',
    path: '/v1/billing/usage',
    operation_id: 'get_usage',
    summary: 'Usage of the organization in a month or in some days',
    description: `A call that has been answered is in it. Events of your own count on the day they were received. Nothing is charged during the beta. Either period, or from and to: at most ${maxDays} days.`,
    access: 'tenant',
    product: null,
    credits: 0,
    query: {
      period: z
        .string()
        .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
        .optional()
        .meta({ description: 'YYYY-MM, UTC; the running month unless told.', examples: ['2026-11'] }),
      from: date.optional().meta({ description: 'The first day, UTC.', examples: ['2026-11-01'] }),
      to: date.optional().meta({ description: 'The last day, UTC.', examples: ['2026-11-14'] }),
      group_by: z
        .enum(Object.keys(groupings) as (keyof typeof groupings)[])
        .default('product')
        .meta({ description: 'What the meters are told apart by; what they are not told apart by is null.' }),
      product: z
        .string()
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
        .max(64)
        .optional()
        .meta({ description: 'Only calls of this product.', examples: ['code-search'] }),
    },
    response: responseSchema,
    example,
    handle: async ({ caller, query: { group_by, product, ...asked } }) => {
      const now = new Date();
      const { id, days } = periodOf(asked, now);
      const source = await ephemeral.settle();
      const { sums, events, plan } = await relational.tenant(caller.organization.id, async ({ usage, plan }) => ({
        plan: await plan(),
        sums: await usage.calls(days, groupings[group_by], product),
        // They are of no product.
        events: product === undefined ? await usage.events(days, eventGroupings[group_by]) : [],
      }));
      const groups = Map.groupBy(sums, (sum) => JSON.stringify(groupOf(sum)));
      return {
        organization_id: caller.organization.id,
        period: { id, ...spanOf(days, now) },
        plan_id: plan.id,
        included_credits: plan.included_credits,
        billing_mode: 'shadow' as const,
        totals: {
          ...add(sums),
          test_calls: add(sums.filter(({ environment }) => environment === 'test')).calls,
          usage_events: events.reduce((total, { events }) => total + events, 0),
        },
        charges: { amount_cents: 0 as const, currency: 'USD' as const, reason: 'shadow_mode' as const },
        meters: [
          ...[...groups.values()].map((sums) => ({
            meter: 'api_calls' as const,
            unit: 'call' as const,
            ...groupOf(sums[0]),
            ...add(sums),
          })),
          ...events.map((sum) => ({
            meter: 'usage_events' as const,
            unit: 'event' as const,
            ...groupOf(sum),
            ...add([{ class: 'successful', calls: sum.events, credits: 0 }]),
          })),
        ],
        as_of: now.toISOString(),
        freshness: { source, lag_seconds: source === 'live' ? 0 : 1 },
      };
    },
  });
}

/** What a meter is of; null where it is not told apart. */
function groupOf(sum: Partial<Record<UsageColumn, string>> = {}) {
  return {
    product: sum.product ?? null,
    operation_id: sum.operation ?? null,
    member_id: sum.member_id ?? null,
    day: sum.day ?? null,
    environment: (sum.environment ?? null) as KeyEnvironment | null,
  };
}

function add(sums: readonly Pick<UsageSum, 'class' | 'calls' | 'credits'>[]) {
  const calls = (family?: UsageSum['class']) =>
    sums.filter((sum) => family === undefined || sum.class === family).reduce((total, sum) => total + sum.calls, 0);
  return {
    calls: calls(),
    successful_calls: calls('successful'),
    not_modified_calls: calls('not_modified'),
    client_error_calls: calls('client_error'),
    server_error_calls: calls('server_error'),
    credits_used: sums.reduce((total, sum) => total + sum.credits, 0),
  };
}

interface AskedPeriod {
  period?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

function periodOf({ period, from, to }: AskedPeriod, now: Date): { id: string; days: Days } {
  if (from === undefined && to === undefined) {
    const month = period ?? now.toISOString().slice(0, 7);
    return { id: month, days: daysOf(month) };
  }
  if (period !== undefined) throw refuse([wrong('period', 'excluded', 'can’t stand beside from and to')]);
  if (from === undefined) throw refuse([wrong('from', 'required', 'is required where to is given')]);
  if (to === undefined) throw refuse([wrong('to', 'required', 'is required where from is given')]);
  if (to < from) throw refuse([wrong('to', 'out_of_range', 'must not be before from')]);
  if (startOf(to) - startOf(from) >= maxDays * dayMs)
    throw refuse([wrong('to', 'out_of_range', `must be at most ${maxDays} days from the first, which counts`)]);
  return { id: `${from}/${to}`, days: { from, to } };
}

const wrong = (name: string, code: string, detail: string): FieldError => ({
  in: 'query',
  name,
  pointer: null,
  code,
  detail,
});

const dayMs = 24 * 60 * 60 * 1_000;
const startOf = (day: string) => Date.parse(`${day}T00:00:00.000Z`);

function spanOf({ from, to }: Days, now: Date) {
  const end = startOf(to) + dayMs;
  return {
    start_at: new Date(startOf(from)).toISOString(),
    end_at: new Date(end).toISOString(),
    status: end <= now.getTime() ? ('closed' as const) : ('open' as const),
  };
}
