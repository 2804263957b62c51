import { z } from 'zod';
import { isSignedBy } from '../auth/webhook-signature.ts';
import type { WebhookSigner } from '../auth/webhook-signature.ts';
import { HttpError } from '../http/errors.ts';
import { problems } from '../http/problems.ts';
import type { Problem } from '../http/problems.ts';
import { route } from '../http/route.ts';
import { parseBody } from '../http/validate.ts';
import type { WebhookInbox } from '../stores/relational/port.ts';
import { billingChange, formOf, providerEventSchema } from './billing-change.ts';

const signatureInvalid: Problem = {
  status: 401,
  code: 'webhook_signature_invalid',
  title: 'The signature of the webhook is not valid',
  meaning:
    'The signature headers are missing, old, from the future, or do not fit the bytes of the body under any secret that is in force.',
};

const providerNotFound: Problem = {
  status: 404,
  code: 'webhook_provider_not_found',
  title: 'There is no such provider of webhooks',
  meaning: 'No payment provider of this name is set up; names are case-sensitive.',
};

/** `POST /v1/billing/webhooks/{provider}`: signed events of payment providers, each kept once and worked off later. */
export function webhookRoute({
  inbox,
  wake,
  providers,
}: {
  inbox: Pick<WebhookInbox, 'keep'>;
  /** Called when there is something new in the inbox. */
  wake: () => void;
  /** By the last segment of the path. */
  providers: Readonly<Record<string, WebhookSigner>>;
}) {
  return route({
    method: 'POST',
    path: '/v1/billing/webhooks/{provider}',
    operation_id: 'receive_billing_webhook',
    summary: 'An event of a payment provider',
    description:
      'Signed as Standard Webhooks asks, or as Stripe signs. A bearer token is no signature. An event is kept before it is answered, and counts once; one that can’t be read is refused with 422 and not kept, and one that has failed counts when it comes again.',
    access: 'public',
    product: null,
    credits: 0,
    probe: true,
    cache: 'none',
    raw: true,
    bodyLimit: 256 * 1024,
    errors: [signatureInvalid, providerNotFound, problems.dependency_unavailable],
    params: { provider: z.string().meta({ examples: ['provider'] }) },
    body: z.instanceof(Uint8Array),
    response: z.object({
      received: z.literal(true),
      id: z.string(),
      duplicate: z.boolean().meta({ description: 'The event was received before, and has not failed.' }),
    }),
    example: { received: true, id: 'evt_1', duplicate: false },
    handle: async ({ params: { provider }, body, request: { headers } }) => {
      const signer = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
      if (!signer) throw new HttpError(providerNotFound);
      if (!isSignedBy(signer, { headers, body }))
        throw new HttpError(signatureInvalid, {
          headers: { 'WWW-Authenticate': 'Webhook-Signature realm="billing-webhooks"' },
        });
      const { id, type } = eventOf(signer, body);
      const event_id = signer.scheme === 'standard' ? String(headers['webhook-id']) : id;
      const isNew = await inbox.keep({ provider, event_id, type, body }, billingChange({ type, body }));
      if (isNew) wake();
      return { received: true as const, id: event_id, duplicate: !isNew };
    },
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function eventOf({ scheme }: WebhookSigner, body: Uint8Array): { id: string; type: string } {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch (cause) {
    throw new HttpError(problems.malformed_json, { cause });
  }
  // Standard Webhooks have their id in a header.
  const schema = scheme === 'stripe' ? providerEventSchema.required({ id: true }) : providerEventSchema;
  const { id = '', type } = parseBody(schema, value);
  // What could never be worked off is refused, so that its sender sees it and sends it again once either side is mended.
  parseBody(formOf(type), value);
  return { id, type };
}
