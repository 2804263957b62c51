import { z } from 'zod';
import { route } from '../http/route.ts';
import { allPlans, currentPlan } from '../model/plans.ts';

const count = z.int().min(0);
const currency = z.literal('USD');

const planSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    summary: z.string(),
    status: z.enum(['current', 'announced']).meta({ description: 'announced: the price is shown and not charged.' }),
    self_serve: z.boolean(),
    price: z
      .object({ amount_cents: count, currency, interval: z.literal('month'), per: z.enum(['organization', 'seat']) })
      .nullable()
      .meta({ description: 'Null: on request.' }),
    included_credits: count.nullable().meta({ description: 'A month; null: no limit.' }),
    overage: z
      .object({ amount_cents: count, currency, per_credits: z.int().min(1) })
      .nullable()
      .meta({ description: 'What more credits cost; null: nothing.' }),
    limits: z
      .object({
        requests_per_minute: count,
        search_requests_per_minute: count,
        members: count,
        api_keys_per_member: count,
        concurrent_reports: count,
        usage_retention_days: count,
      })
      .nullable()
      .meta({ description: 'Null: as agreed.' }),
    features: z.array(z.string()),
    docs_url: z.url(),
  })
  .meta({ id: 'Plan' });

/** `GET /v1/billing/plans`: every plan with its list price. */
export function plansRoute({ docsBase }: { docsBase: string }) {
  const items = allPlans.map((plan) => ({ ...plan, docs_url: `${docsBase}/plans#${plan.id}` }));
  return route({
    method: 'GET',
    path: '/v1/billing/plans',
    operation_id: 'list_plans',
    summary: 'All plans',
    description: 'Nothing is charged during the beta: an announced plan shows what it will cost.',
    access: 'public',
    product: null,
    credits: 0,
    constant: true,
    cors: true,
    response: z.object({
      items: z.array(planSchema),
      total: count.meta({ description: 'Length of items.' }),
      billing_mode: z.literal('shadow'),
      charges_enabled: z.literal(false),
      currency,
    }),
    example: {
      items: [{ ...currentPlan, docs_url: 'https://example.com/docs/plans#beta' }],
      total: 1,
      billing_mode: 'shadow',
      charges_enabled: false,
      currency: 'USD',
    },
    handle: () => ({
      items,
      total: items.length,
      billing_mode: 'shadow' as const,
      charges_enabled: false as const,
      currency: 'USD' as const,
    }),
  });
}
