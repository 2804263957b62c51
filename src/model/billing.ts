/** What a provider's event says of a checkout that we began. */
interface CheckoutOutcome {
  kind: 'checkout';
  session_id: string;
  status: 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
}

/** What a provider's event says of a subscription or an invoice there. */
interface RecordChange {
  kind: 'subscription' | 'invoice';
  id: string;
  /** The checkout session that it came from, as far as the event says. */
  session_id: string | null;
  status: string;
  amount_cents: number | null;
  currency: string | null;
  /** Which of two events of one second is the later. */
  rank: number;
}

/** What one event changes, whichever others came before or come after it. */
export type BillingChange = (CheckoutOutcome | RecordChange) & {
  /** RFC 3339: when it happened at the provider. */
  occurred_at: string;
};

/** A subscription or an invoice at a provider, as its latest event says. */
export interface BillingRecord {
  provider: string;
  kind: 'subscription' | 'invoice';
  id: string;
  checkout_session_id: string | null;
  status: string;
  amount_cents: number | null;
  currency: string | null;
  event_at: string;
}
