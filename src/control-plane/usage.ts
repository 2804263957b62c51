import { z } from 'zod';
import { route } from '../http/route.ts';
import type { UsageRow } from '../model/account.ts';
import type { EphemeralStore } from '../stores/ephemeral/port.ts';

const count = z.int().min(0);

const classes = {
  calls: count,
  successful_calls: count,
  not_modified_calls: count,
  client_error_calls: count,
  server_error_calls: count,
};

const responseSchema = z.object({
  organization_id: z.string(),
  period: z.object({
    id: z.string().meta({ description: 'YYYY-MM, UTC.' }),
    start_at: z.iso.datetime(),
    end_at: z.iso.datetime(),
    status: z.enum(['open', 'closed']),
  }),
  plan_id: z.string(),
  billing_mode: z.literal('shadow'),
  totals: z.object({ ...classes, usage_events: count, credits_used: count }),
  charges: z.object({ amount_cents: z.literal(0), currency: z.literal('USD'), reason: z.literal('shadow_mode') }),
  meters: z.array(
    z.object({
      meter: z.enum(['api_calls', 'usage_events']),
      product: z.string().nullable(),
      unit: z.enum(['call', 'event']),
      ...classes,
      credits_used: count,
    }),
  ),
  as_of: z.iso.datetime(),
  freshness: z.object({ source: z.enum(['live', 'ledger']), lag_seconds: count }),
});

/** `GET /v1/billing/usage`: every call that has been answered, with what it cost. */
export function usageRoute(ephemeral: EphemeralStore) {
  return route({
    method: 'GET',
    path: '/v1/billing/usage',
    operation_id: 'get_usage',
    summary: 'Usage of the organization in one month',
    description: 'A call that has been answered is in it. Nothing is charged during the beta.',
    access: 'tenant',
    product: null,
    credits: 0,
    query: {
      period: z
        .string()
        .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
        .optional()
        .meta({ description: 'YYYY-MM, UTC; the running month unless told.', examples: ['2026-11'] }),
      product: z
        .string()
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
        .max(64)
        .optional()
        .meta({ description: 'Only this product.', examples: ['code-search'] }),
    },
    response: responseSchema,
    handle: async ({ caller, query }) => {
      const now = new Date();
      const running = now.toISOString().slice(0, 7);
      const period = query.period ?? running;
      const usage = await ephemeral.usage(caller.organization.id, period);
      const rows = usage.rows.filter(({ product }) => query.product === undefined || product === query.product);
      const products = [...Map.groupBy(rows, ({ product }) => product)].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const start = new Date(`${period}-01T00:00:00.000Z`);
      return {
        organization_id: caller.organization.id,
        period: {
          id: period,
          start_at: start.toISOString(),
          end_at: new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)).toISOString(),
          status: period < running ? ('closed' as const) : ('open' as const),
        },
        plan_id: 'beta',
        billing_mode: 'shadow' as const,
        totals: { ...sum(rows), usage_events: 0 },
        charges: { amount_cents: 0 as const, currency: 'USD' as const, reason: 'shadow_mode' as const },
        meters: products.map(([product, rows]) => ({
          meter: 'api_calls' as const,
          product,
          unit: 'call' as const,
          ...sum(rows),
        })),
        as_of: now.toISOString(),
        freshness: { source: usage.source, lag_seconds: usage.source === 'live' ? 0 : 1 },
      };
    },
  });
}

function sum(rows: readonly UsageRow[]) {
  const calls = (family?: UsageRow['class']) =>
    rows.filter((row) => family === undefined || row.class === family).reduce((total, row) => total + row.calls, 0);
  return {
    calls: calls(),
    successful_calls: calls('successful'),
    not_modified_calls: calls('not_modified'),
    client_error_calls: calls('client_error'),
    server_error_calls: calls('server_error'),
    credits_used: rows.reduce((total, row) => total + row.credits, 0),
  };
}
