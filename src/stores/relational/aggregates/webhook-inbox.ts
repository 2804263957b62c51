import { sql } from 'kysely';
import type { BillingChange, BillingRecord } from '../../../model/billing.ts';
import { StoreUnavailable } from '../../errors.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';
import { auditLog } from './audit-log.ts';
import { tellingPlan } from './plans.ts';

/** An event of a provider, as it was signed. */
export interface InboxEvent {
  provider: string;
  event_id: string;
  type: string;
  body: Uint8Array;
}

/**
 * Signed events of payment providers, for any number of services. Promises: an event is kept once and counts once, whatever
 * crashes; the result is the same in whichever order they come.
 */
export interface WebhookInbox {
  /**
   * Keeps an event, as one of the organization whose checkout the change is about. False when one of this id was kept before; that
   * one stays, but for one that has failed: it is as new.
   */
  keep(event: InboxEvent, change?: BillingChange | null): Promise<boolean>;
  /**
   * Takes the event that waits longest and does what `changeOf` says, null nothing, in one transaction; null when none waits. With
   * an error nothing was done. Where `changeOf` threw it, the event has failed; else it is tried again for some hours, later each
   * time.
   */
  workOff(
    changeOf: (event: InboxEvent) => BillingChange | null,
  ): Promise<{ event: InboxEvent; error?: unknown } | null>;
}

/** What became of an event. */
export type BillingEventStatus = 'waiting' | 'applied' | 'ignored' | 'failed';

/** An event of a provider that is about a checkout of the organization. */
export interface BillingEvent {
  provider: string;
  event_id: string;
  type: string;
  status: BillingEventStatus;
  /** Tries that went wrong. */
  attempts: number;
  received_at: string;
  processed_at: string | null;
}

/** One organization's events of providers. */
export interface BillingEvents {
  /** The newest first. */
  list(query: {
    status?: BillingEventStatus;
    offset: number;
    limit: number;
  }): Promise<{ items: BillingEvent[]; total: number }>;
  get(provider: string, eventId: string): Promise<BillingEvent | null>;
  /** Has one that has failed wait again; false when there is none. */
  retry(provider: string, eventId: string): Promise<boolean>;
}

/** After so many tries, which take some hours, an event has failed. */
const maxAttempts = 15;

/** The signed events of providers over any engine. */
export const webhookInbox: Aggregate<WebhookInbox> = {
  calls: { keep: 'write', workOff: 'write' },
  open: openWebhookInbox,
};

function openWebhookInbox(database: Database): WebhookInbox {
  return {
    async keep({ provider, event_id, type, body }, change = null) {
      const sent = { type, body: Buffer.from(body), organization_id: organizationOf(provider, change) };
      const { numInsertedOrUpdatedRows = 0n } = await database
        .insertInto('webhook_inbox')
        .values({ provider, event_id, ...sent })
        .onConflict((conflict) =>
          conflict
            .columns(['provider', 'event_id'])
            .doUpdateSet({ ...sent, ...anew })
            .where('webhook_inbox.outcome', '=', 'failed'),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },

    async workOff(changeOf) {
      let taken: InboxEvent | undefined;
      let isRead = false;
      try {
        await database.transaction().execute(async (transaction) => {
          taken = await transaction
            .selectFrom('webhook_inbox')
            .select(['provider', 'event_id', 'type', 'body'])
            .where('processed_at', 'is', null)
            .where('due_at', '<=', now)
            .orderBy('due_at')
            .limit(1)
            .forUpdate()
            .skipLocked()
            .executeTakeFirst();
          if (!taken) return;
          const change = changeOf(taken);
          isRead = true;
          if (change !== null) await applyTo(transaction, taken, change);
          await ofEvent(transaction, taken)
            .set({ processed_at: now, outcome: change === null ? 'ignored' : 'applied' })
            .execute();
        });
      } catch (error) {
        if (!taken || error instanceof StoreUnavailable) throw error;
        // Undone; the next events go first. Another service may have taken it since, and done it.
        await ofEvent(database, taken)
          .where('processed_at', 'is', null)
          .set({
            attempts: sql<number>`attempts + 1`,
            due_at: sql<string>`now() + least(10 * power(2, attempts), 3600) * interval '1 second'`,
            // What can't be read will not be by itself.
            processed_at: sql<string | null>`CASE WHEN attempts + 1 >= ${isRead ? maxAttempts : 1} THEN now() END`,
            outcome: sql<'failed' | null>`CASE WHEN attempts + 1 >= ${isRead ? maxAttempts : 1} THEN 'failed' END`,
          })
          .execute();
        return { event: taken, error };
      }
      return taken ? { event: taken } : null;
    },
  };
}

/** What providers say of one organization, over any engine: subscriptions and invoices, those that changed last at the end. */
export function billingRecords(database: Database, organizationId: string): () => Promise<BillingRecord[]> {
  return () =>
    database
      .selectFrom('billing_record')
      .select(['provider', 'kind', 'id', 'checkout_session_id', 'status', 'amount_cents', 'currency', 'event_at'])
      .where('organization_id', '=', organizationId)
      .orderBy('event_at')
      .orderBy('kind')
      .orderBy('id')
      .execute();
}

/** The events of providers of one organization, over any engine. */
export function billingEvents(database: Database, organizationId: string): BillingEvents {
  const own = database.selectFrom('webhook_inbox').where('organization_id', '=', organizationId);
  const one = (provider: string, eventId: string) =>
    own.where('provider', '=', provider).where('event_id', '=', eventId).select(columns).executeTakeFirst();
  return {
    async list({ status, offset, limit }) {
      const wanted = status === undefined ? own : own.where(statusNow, '=', status);
      const { total } = await wanted
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const items = await wanted
        .select(columns)
        .orderBy('received_at', 'desc')
        .orderBy('provider')
        .orderBy('event_id')
        .offset(offset)
        .limit(limit)
        .execute();
      return { items, total };
    },

    get: async (provider, eventId) => (await one(provider, eventId)) ?? null,

    async retry(provider, eventId) {
      const { numUpdatedRows } = await ofEvent(database, { provider, event_id: eventId })
        .where('organization_id', '=', organizationId)
        .where('outcome', '=', 'failed')
        .set(anew)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

const now = sql<string>`now()`;

/** As one that was never tried. */
const anew = { due_at: now, attempts: 0, processed_at: null, outcome: null };

const statusNow = sql<BillingEventStatus>`coalesce(outcome, 'waiting')`;
const columns = [
  'provider',
  'event_id',
  'type',
  statusNow.as('status'),
  'attempts',
  'received_at',
  'processed_at',
] as const;

/** Whose checkout a change is about, by what it says or what is known of its subscription or invoice; null where nothing tells. */
function organizationOf(provider: string, change: BillingChange | null) {
  if (change === null) return null;
  const record = change.kind === 'checkout' ? null : change;
  return sql<string | null>`coalesce(
    (SELECT organization_id FROM checkout_session WHERE id = ${change.session_id}),
    (SELECT organization_id FROM billing_record
      WHERE provider = ${provider} AND kind = ${record?.kind ?? null} AND id = ${record?.id ?? null}))`;
}

const ofEvent = (database: Database, { provider, event_id }: Pick<InboxEvent, 'provider' | 'event_id'>) =>
  database.updateTable('webhook_inbox').where('provider', '=', provider).where('event_id', '=', event_id);

/** Changes what the event is about, and tells the organization of another plan. */
async function applyTo(transaction: Database, event: InboxEvent, change: BillingChange): Promise<void> {
  const {
    rows: [{ id } = { id: null }],
  } = await sql<{ id: string | null }>`SELECT ${organizationOf(event.provider, change)} AS id`.execute(transaction);
  if (id === null) return apply(transaction, event, change);
  return tellingPlan(transaction, id, () => apply(transaction, event, change));
}

/** Changes what the event is about; in whichever order events come, the result is the same. */
async function apply(transaction: Database, event: InboxEvent, change: BillingChange): Promise<void> {
  if (change.kind !== 'checkout') return applyRecord(transaction, event, change);
  const { session_id, status, payment_status, occurred_at } = change;
  const complete = { status, payment_status, provider: event.provider, completed_at: occurred_at } as const;
  // Paid is paid: complete counts more than expired, whichever came first.
  const changed = await transaction
    .updateTable('checkout_session')
    .set(status === 'complete' ? complete : { status })
    .where('id', '=', session_id)
    .where('status', 'in', status === 'complete' ? ['open', 'expired'] : ['open'])
    .returning('organization_id')
    .executeTakeFirst();
  if (!changed) return;
  await auditLog(transaction, changed.organization_id).append({
    origin: { via: 'provider', address: null, userAgent: null },
    memberId: null,
    keyId: null,
    action: status === 'complete' ? 'checkout_session.completed' : 'checkout_session.expired',
    subject: session_id,
    details: { provider: event.provider, event_id: event.event_id },
  });
}

async function applyRecord(
  transaction: Database,
  { provider, event_id }: InboxEvent,
  {
    kind,
    id,
    session_id,
    status,
    amount_cents,
    currency,
    rank,
    occurred_at,
  }: Exclude<BillingChange, { kind: 'checkout' }>,
): Promise<void> {
  const latest = { status, amount_cents, currency, event_at: occurred_at, event_rank: rank, event_id };
  await transaction
    .insertInto('billing_record')
    .values({ provider, kind, id, ...latest })
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'kind', 'id'])
        .doUpdateSet(latest)
        .where(
          sql<boolean>`(billing_record.event_at, billing_record.event_rank, billing_record.event_id)
            < (excluded.event_at, excluded.event_rank, excluded.event_id)`,
        ),
    )
    .execute();
  if (session_id === null) return;
  // Any event may say it, the latest need not.
  await transaction
    .updateTable('billing_record')
    .from('checkout_session')
    .set((columns) => ({
      organization_id: columns.ref('checkout_session.organization_id'),
      checkout_session_id: columns.ref('checkout_session.id'),
    }))
    .where('checkout_session.id', '=', session_id)
    .where('billing_record.provider', '=', provider)
    .where('billing_record.kind', '=', kind)
    .where('billing_record.id', '=', id)
    .execute();
}
