import { z } from 'zod';
import type { BillingChange } from '../model/billing.ts';

/** The body of a provider's event: Stripe's, or that of Standard Webhooks. */
export const providerEventSchema = z.looseObject({
  id: z
    .string()
    .regex(/^[!-~]{1,255}$/)
    .optional(),
  type: z.string().regex(/^[!-~]{1,255}$/),
});

const metadataSchema = z.looseObject({ checkout_session_id: z.string().optional() }).nullish();

const objectSchema = z.looseObject({
  id: z.string().min(1).max(255),
  client_reference_id: z.string().nullish(),
  metadata: metadataSchema,
  parent: z.looseObject({ subscription_details: z.looseObject({ metadata: metadataSchema }).nullish() }).nullish(),
  status: z.string().min(1).max(64).nullish(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']).nullish(),
  amount_paid: z.int().nullish(),
  amount_due: z.int().nullish(),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/)
    .nullish(),
});

const eventSchema = z.union([
  z
    .looseObject({ created: z.int().min(0), data: z.looseObject({ object: objectSchema }) })
    .transform(({ created, data }) => ({ at: new Date(created * 1_000).toISOString(), about: data.object })),
  z
    .looseObject({ timestamp: z.iso.datetime({ offset: true }), data: objectSchema })
    .transform(({ timestamp, data }) => ({ at: new Date(timestamp).toISOString(), about: data })),
]);

type About = z.infer<typeof objectSchema>;
type WithoutTime<T> = T extends unknown ? Omit<T, 'occurred_at'> : never;

/** What each type of event says; of those of one second, a later one in the list counts more. */
const handled: Readonly<Record<string, (about: About, rank: number) => WithoutTime<BillingChange> | null>> = {
  'checkout.session.completed': (about) => checkout(about, 'complete'),
  'checkout.session.expired': (about) => checkout(about, 'expired'),
  'customer.subscription.created': (about, rank) => subscription(about, about.status ?? 'active', rank),
  'customer.subscription.updated': (about, rank) => subscription(about, about.status ?? 'active', rank),
  'customer.subscription.deleted': (about, rank) => subscription(about, 'canceled', rank),
  'invoice.payment_failed': (about, rank) => invoice(about, 'payment_failed', about.amount_due ?? null, rank),
  'invoice.paid': (about, rank) => invoice(about, 'paid', about.amount_paid ?? null, rank),
};
const types = Object.keys(handled);

/** The form that an event of this type must have, so that we can read what it changes. */
export const formOf = (type: string): z.ZodType => (Object.hasOwn(handled, type) ? eventSchema : z.unknown());

/** What an event changes; null when it is of no type that concerns us. Throws when it is of one and has not its form. */
export function billingChange({ type, body }: { type: string; body: Uint8Array }): BillingChange | null {
  const read = Object.hasOwn(handled, type) ? handled[type] : undefined;
  if (!read) return null;
  const { at, about } = eventSchema.parse(JSON.parse(Buffer.from(body).toString()));
  const change = read(about, types.indexOf(type));
  return change && { ...change, occurred_at: at };
}

/** The checkout session of ours that it came from. */
function sessionOf({ client_reference_id, metadata, parent }: About): string | null {
  const named = metadata?.checkout_session_id ?? parent?.subscription_details?.metadata?.checkout_session_id;
  return named ?? client_reference_id ?? null;
}

function checkout(about: About, status: 'complete' | 'expired') {
  const session_id = sessionOf(about);
  if (session_id === null) return null;
  return {
    kind: 'checkout' as const,
    session_id,
    status,
    payment_status: about.payment_status ?? 'no_payment_required',
  };
}

const subscription = (about: About, status: string, rank: number) => ({
  kind: 'subscription' as const,
  id: about.id,
  session_id: sessionOf(about),
  status,
  amount_cents: null,
  currency: about.currency?.toUpperCase() ?? null,
  rank,
});

const invoice = (about: About, status: string, amount_cents: number | null, rank: number) => ({
  kind: 'invoice' as const,
  id: about.id,
  session_id: sessionOf(about),
  status,
  amount_cents,
  currency: about.currency?.toUpperCase() ?? null,
  rank,
});
