import { z } from 'zod';
import { actorOf } from '../auth/actor.ts';
import { rolesFor } from '../auth/roles.ts';
import { HttpError } from '../http/errors.ts';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import type { Problem } from '../http/problems.ts';
import { text } from '../http/query.ts';
import { Reply, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { refuse } from '../http/validate.ts';
import type { CheckoutSession } from '../model/checkout.ts';
import type { RelationalStore, Tenant } from '../stores/relational/port.ts';
import { allPlans } from '../model/plans.ts';
import type { Plan } from '../model/plans.ts';

/** Also of one that is another organization’s. */
export const sessionNotFound: Problem = {
  status: 404,
  code: 'checkout_session_not_found',
  title: 'There is no such checkout session',
  meaning: 'The organization has no checkout session with this id.',
};

const sessionNotOpen: Problem = {
  status: 409,
  code: 'checkout_session_not_open',
  title: 'The checkout session is not open',
  meaning: 'It is complete or has expired, and stays so. Make a new one.',
};

const planNotSelfServe: Problem = {
  status: 422,
  code: 'plan_not_self_serve',
  title: 'The plan can’t be bought here',
  meaning: 'Its price is on request: ask for an offer.',
};

const planIsFree: Problem = {
  status: 422,
  code: 'plan_is_free',
  title: 'The plan costs nothing',
  meaning: 'There is nothing to check out: every organization has this plan.',
};

interface PaidPlan extends Plan {
  price: NonNullable<Plan['price']>;
  limits: NonNullable<Plan['limits']>;
}

const paidPlans = allPlans.filter(
  (plan): plan is PaidPlan => plan.self_serve && plan.limits !== null && (plan.price?.amount_cents ?? 0) > 0,
);

/**
 * https to a host by its name: no credentials, no fragment, nothing that some reader would take for another host. Group 1 is the
 * host.
 */
const redirectPattern =
  /^https:\/\/((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)(?::[1-9][0-9]{0,3})?(?:[/?](?:[!$&-;=?-Z_a-z~]|%[0-9A-Fa-f]{2})*)?$/;

const redirectUrl = z
  .string()
  .max(2048)
  .regex(redirectPattern)
  .meta({ description: 'https, without credentials and fragment.', examples: ['https://app.acme.example/billing'] });

const maxKeys = 50;

const lifetimeMs = 24 * 3600 * 1000;

const requestSchema = z
  .strictObject({
    // Only said, not checked, here: the others are refused with codes of their own.
    plan_id: z.enum(allPlans.map(({ id }) => id)).meta({ enum: paidPlans.map(({ id }) => id) }),
    quantity: z.int().min(1).default(1).meta({ description: 'Seats; at most as many as the plan has members.' }),
    interval: z.literal('month').default('month'),
    success_url: redirectUrl,
    cancel_url: redirectUrl,
    client_reference_id: text(1, 200).nullable().default(null).meta({ description: 'Your own name for it.' }),
    metadata: z
      .record(text(1, 40), text(0, 500))
      .refine((metadata) => Object.keys(metadata).length <= maxKeys, { error: `must have at most ${maxKeys} keys` })
      .meta({ maxProperties: maxKeys, description: 'Kept and given back.' })
      .default({}),
  })
  .superRefine(({ plan_id, quantity }, issues) => {
    const most = paidPlans.find(({ id }) => id === plan_id)?.limits.members ?? Infinity;
    if (quantity > most)
      issues.addIssue({
        code: 'too_big',
        origin: 'number',
        maximum: most,
        inclusive: true,
        path: ['quantity'],
        input: quantity,
      });
  })
  .meta({
    allOf: paidPlans.map(({ id, limits }) => ({
      if: { properties: { plan_id: { const: id } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: { properties: { quantity: { maximum: limits.members } } },
    })),
  })
  .meta({ id: 'CheckoutRequest' });

const sessionSchema = z
  .object({
    id: z.string(),
    object: z.literal('checkout_session'),
    organization_id: z.string(),
    status: z.enum(['open', 'complete', 'expired']),
    payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
    billing_mode: z.literal('shadow'),
    mode: z.literal('subscription'),
    plan_id: z.string(),
    quantity: z.int().min(1),
    interval: z.literal('month'),
    currency: z.literal('USD'),
    amount_total_cents: z.int().min(0).meta({ description: 'What is charged: nothing, in shadow mode.' }),
    list_amount_cents: z.int().min(0).meta({ description: 'What it would cost an interval.' }),
    url: z.url().meta({ description: 'The page to send the buyer to.' }),
    success_url: z.url(),
    cancel_url: z.url(),
    client_reference_id: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    provider: z.string().nullable().meta({ description: 'Who takes the payment; null: nobody.' }),
    created_by: z.string().meta({ description: 'Id of the member.' }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CheckoutSession' });

const example: z.infer<typeof sessionSchema> = {
  id: 'cs_01JD7Z3M2QK8V6T4R9W5X1Y0AG',
  object: 'checkout_session',
  organization_id: 'org_01JD7Z3M2QK8V6T4R9W5X1Y0AB',
  status: 'open',
  payment_status: 'no_payment_required',
  billing_mode: 'shadow',
  mode: 'subscription',
  plan_id: 'team',
  quantity: 5,
  interval: 'month',
  currency: 'USD',
  amount_total_cents: 0,
  list_amount_cents: 24_500,
  url: 'https://example.com/checkout/cs_01JD7Z3M2QK8V6T4R9W5X1Y0AG',
  success_url: 'https://app.acme.example/billing/done',
  cancel_url: 'https://app.acme.example/billing',
  client_reference_id: 'acme-2026-11',
  metadata: { cost_center: '4711' },
  provider: null,
  created_by: 'mem_01JD7Z3M2QK8V6T4R9W5X1Y0AC',
  created_at: '2026-11-21T11:08:12.345Z',
  expires_at: '2026-11-22T11:08:12.345Z',
  completed_at: null,
};

/** The routes of `/v1/checkout/sessions`: owners buy a plan, in shadow mode for nothing. */
export function checkoutRoutes(relational: Pick<RelationalStore, 'tenant'>, { baseUrl }: { baseUrl: string }): Route[] {
  const shared = { product: null, credits: 0 } as const;
  const params = { session_id: z.string().meta({ examples: [example.id] }) };
  const wire = (session: CheckoutSession): z.infer<typeof sessionSchema> => ({
    ...session,
    object: 'checkout_session',
    billing_mode: 'shadow',
    mode: 'subscription',
    url: `${baseUrl}/checkout/${session.id}`,
  });

  return [
    route({
      ...shared,
      method: 'POST',
      path: '/v1/checkout/sessions',
      operation_id: 'create_checkout_session',
      summary: 'Begin to buy a plan',
      access: rolesFor('create_checkout_session'),
      description: 'In shadow mode no payment provider is asked and nothing is charged.',
      idempotent: true,
      status: 201,
      responseHeaders: { Location: 'The path of the session.' },
      errors: [planNotSelfServe, planIsFree],
      body: requestSchema,
      response: sessionSchema,
      example,
      handle: async ({ caller, body, request }) => {
        const plan = paidPlan(body.plan_id);
        const session = await relational.tenant(caller.organization.id, async (tenant) => {
          await refuseForeignHosts(tenant, body);
          const session = await tenant.checkoutSessions.create({
            ...body,
            amountTotalCents: 0,
            listAmountCents: plan.price.amount_cents * body.quantity,
            createdBy: caller.member.id,
            lifetimeMs,
          });
          await tenant.audit.append({
            ...actorOf(caller, request),
            action: 'checkout_session.created',
            subject: session.id,
            details: { plan_id: session.plan_id, quantity: session.quantity },
          });
          return session;
        });
        return new Reply(wire(session), { headers: { Location: `/v1/checkout/sessions/${session.id}` } });
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/v1/checkout/sessions',
      operation_id: 'list_checkout_sessions',
      summary: 'The checkout sessions of the organization',
      access: rolesFor('list_checkout_sessions'),
      description: 'The newest first.',
      paged: true,
      query: pageQuery,
      response: pageOf(sessionSchema),
      handle: async ({ caller, query }) => {
        const { items, total } = await relational.tenant(caller.organization.id, (tenant) =>
          tenant.checkoutSessions.list(pageWindow(query)),
        );
        return envelope(items.map(wire), total, query);
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/v1/checkout/sessions/{session_id}',
      operation_id: 'get_checkout_session',
      summary: 'One checkout session',
      access: rolesFor('get_checkout_session'),
      errors: [sessionNotFound],
      params,
      response: sessionSchema,
      example,
      handle: async ({ caller, params: { session_id } }) => {
        const session = await relational.tenant(caller.organization.id, (tenant) =>
          tenant.checkoutSessions.get(session_id),
        );
        if (session === null) throw new HttpError(sessionNotFound);
        return wire(session);
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/v1/checkout/sessions/{session_id}/expire',
      operation_id: 'expire_checkout_session',
      summary: 'End a checkout session that is open',
      access: rolesFor('expire_checkout_session'),
      errors: [sessionNotFound, sessionNotOpen],
      params,
      response: sessionSchema,
      example: { ...example, status: 'expired' },
      handle: ({ caller, params: { session_id }, request }) =>
        relational.tenant(caller.organization.id, async (tenant) => {
          const session = await tenant.checkoutSessions.expire(session_id);
          if (session === null) {
            const found = await tenant.checkoutSessions.get(session_id);
            if (found === null) throw new HttpError(sessionNotFound);
            throw new HttpError(sessionNotOpen, { detail: `Its status is ${found.status}.` });
          }
          await tenant.audit.append({
            ...actorOf(caller, request),
            action: 'checkout_session.expired',
            subject: session.id,
          });
          return wire(session);
        }),
    }),
  ];
}

function paidPlan(id: string): PaidPlan {
  const paid = paidPlans.find((plan) => plan.id === id);
  if (paid) return paid;
  const selfServe = allPlans.some((plan) => plan.id === id && plan.self_serve);
  throw new HttpError(selfServe ? planIsFree : planNotSelfServe, { detail: `The plan is ${id}.` });
}

/** Where the organization has said which hosts a buyer may be sent back to, no others are taken. */
async function refuseForeignHosts(tenant: Tenant, body: z.infer<typeof requestSchema>): Promise<void> {
  const hosts = await tenant.checkoutSessions.hosts();
  if (hosts === null) return;
  const foreign = (['success_url', 'cancel_url'] as const).filter(
    (field) => !hosts.includes(redirectPattern.exec(body[field])?.[1]?.toLowerCase() ?? ''),
  );
  if (foreign.length === 0) return;
  throw refuse(
    foreign.map((field) => ({
      in: 'body',
      name: null,
      pointer: `#/${field}`,
      code: 'not_in_enum',
      detail: `must lead to one of ${hosts.join(', ')}`,
    })),
  );
}
