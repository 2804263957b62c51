/** What an owner wants to buy, and where to go afterwards. */
export interface CheckoutRequest {
  plan_id: string;
  quantity: number;
  interval: 'month';
  success_url: string;
  cancel_url: string;
  /** The caller's own name for it. */
  client_reference_id: string | null;
  metadata: Record<string, string>;
}

/** A checkout under way or ended; never more than one of complete and expired, and never open again. */
export interface CheckoutSession extends CheckoutRequest {
  id: string;
  organization_id: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  currency: 'USD';
  /** What is charged. */
  amount_total_cents: number;
  /** What it would cost. */
  list_amount_cents: number;
  /** Who takes the payment; null when nobody does. */
  provider: string | null;
  /** The member. */
  created_by: string;
  created_at: string;
  expires_at: string;
  completed_at: string | null;
}
