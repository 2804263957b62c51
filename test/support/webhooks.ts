import { Webhook } from 'standardwebhooks';
import { Stripe } from 'stripe';
import type { WebhookSigner } from '../../src/auth/webhook-signature.ts';

const whsec = (byte: number, length = 32) => `whsec_${Buffer.alloc(length, byte).toString('base64')}`;

/** Who signs events in tests: each with a secret and the one before it. */
export const webhookSigners = {
  provider: { scheme: 'standard', secrets: [whsec(1), whsec(2, 24)] },
  stripe: { scheme: 'stripe', secrets: [`whsec_${'s'.repeat(32)}`, `whsec_${'t'.repeat(32)}`] },
} as const satisfies Record<string, WebhookSigner>;

interface Signing {
  /** By the clock of who signs. */
  at?: Date;
  secret?: string;
}

/** What the library of Standard Webhooks puts into the headers. */
export function signStandard(
  id: string,
  body: string,
  { at = new Date(), secret = webhookSigners.provider.secrets[0] }: Signing = {},
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

/** What Stripe's library puts into the headers. */
export function signStripe(
  body: string,
  { at = new Date(), secret = webhookSigners.stripe.secrets[0] }: Signing = {},
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1_000);
  return { 'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) };
}
