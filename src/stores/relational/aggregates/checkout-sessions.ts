import { sql } from 'kysely';
import { ulid } from 'ulid';
import type { CheckoutRequest, CheckoutSession } from '../../../model/checkout.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';

/** One organization's checkout sessions. One that is open expires by itself when its time is over. */
export interface CheckoutSessions {
  create(
    session: CheckoutRequest & {
      createdBy: string;
      amountTotalCents: number;
      listAmountCents: number;
      lifetimeMs: number;
    },
  ): Promise<CheckoutSession>;
  /** The newest first. */
  list(page: { offset: number; limit: number }): Promise<{ items: CheckoutSession[]; total: number }>;
  get(id: string): Promise<CheckoutSession | null>;
  /** The session as it is now; null when it was not open. */
  expire(id: string): Promise<CheckoutSession | null>;
  /** Those that a checkout may send back to, in lower case; null: any. */
  hosts(): Promise<string[] | null>;
}

/** The checkout sessions of all organizations: their ids can't be guessed. */
export interface OpenCheckouts {
  find(id: string): Promise<CheckoutSession | null>;
}

/** One organization's checkout sessions over any engine. */
export function checkoutSessions(database: Database, organizationId: string): CheckoutSessions {
  const own = database.selectFrom('checkout_session').where('organization_id', '=', organizationId);
  return {
    create: ({ createdBy, metadata, amountTotalCents, listAmountCents, lifetimeMs, ...request }) =>
      database
        .insertInto('checkout_session')
        .values({
          ...request,
          id: `cs_${ulid()}`,
          organization_id: organizationId,
          currency: 'USD',
          amount_total_cents: amountTotalCents,
          list_amount_cents: listAmountCents,
          metadata: JSON.stringify(metadata),
          created_by: createdBy,
          expires_at: sql<string>`now() + ${lifetimeMs} * interval '1 millisecond'`,
        })
        .returning(columns)
        .executeTakeFirstOrThrow(),

    async list({ offset, limit }) {
      const items = await own
        .select(columns)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute();
      const { total } = await own
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items, total };
    },

    get: async (id) => (await own.select(columns).where('id', '=', id).executeTakeFirst()) ?? null,

    expire: async (id) =>
      (await database
        .updateTable('checkout_session')
        .set({ status: 'expired' })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where(statusNow, '=', 'open')
        .returning(columns)
        .executeTakeFirst()) ?? null,

    async hosts() {
      const { checkout_hosts } = await database
        .selectFrom('organization')
        .select('checkout_hosts')
        .where('id', '=', organizationId)
        .executeTakeFirstOrThrow();
      return checkout_hosts;
    },
  };
}

/** The checkout sessions of all organizations, over any engine. */
export const openCheckouts: Aggregate<OpenCheckouts> = {
  calls: { find: 'read' },
  open: openOpenCheckouts,
};

function openOpenCheckouts(database: Database): OpenCheckouts {
  return {
    find: async (id) =>
      (await database.selectFrom('checkout_session').select(columns).where('id', '=', id).executeTakeFirst()) ?? null,
  };
}

// One that nobody has completed in time expires by itself.
const statusNow = sql<CheckoutSession['status']>`
  CASE WHEN status = 'open' AND expires_at <= now() THEN 'expired' ELSE status END`;

const columns = [
  'id',
  'organization_id',
  statusNow.as('status'),
  'payment_status',
  'plan_id',
  'quantity',
  'interval',
  'currency',
  'amount_total_cents',
  'list_amount_cents',
  'success_url',
  'cancel_url',
  'client_reference_id',
  'metadata',
  'provider',
  'created_by',
  'created_at',
  'expires_at',
  'completed_at',
] as const;
