import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { StoreUnavailable } from '../../src/stores/errors.ts';
import { eventually } from '../support/eventually.ts';
import { describeService } from '../support/service.ts';
import { signStandard, signStripe, webhookSigners } from '../support/webhooks.ts';

const path = '/v1/billing/webhooks/provider';
const fromStripe = '/v1/billing/webhooks/stripe';

/** An id that no other test uses. */
const someId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`;
/** Events are worked off beside the requests. */
const nowInSeconds = () => Math.floor(Date.now() / 1_000);

describeService('POST /v1/billing/webhooks/{provider}', (service) => {
  const post = (to: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    service().send(to, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  const codeOf = ({ status, json }: { status: number; json: Record<string, unknown> }) => [status, json['code']];

  const owner = async () => {
    const { api_key, organization } = await service().createKey(`webhooks-${randomUUID()}`, 'owner');
    const authorization = `Bearer ${api_key}`;
    const created = await service().send('/v1/checkout/sessions', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        plan_id: 'team',
        success_url: 'https://acme.example/done',
        cancel_url: 'https://acme.example/',
      }),
    });
    const id = String(created.json['id']);
    return {
      id,
      session: async () => (await service().send(`/v1/checkout/sessions/${id}`, { headers: { authorization } })).json,
      records: () => service().stores.relational.tenant(organization.id, ({ billingRecords }) => billingRecords()),
    };
  };
  const stripeEvent = (type: string, object: object, created = nowInSeconds()) =>
    JSON.stringify({ id: someId('evt'), object: 'event', type, created, data: { object } }, null, 2);
  const deliver = (event: string) => post(fromStripe, event, signStripe(event));

  describe('200', () => {
    it('an event that Standard Webhooks’ library has signed is received once', async () => {
      const id = someId('msg');
      const body = '{"type": "customer.created", "timestamp": "2026-11-21T12:00:00Z", "data": {}}';
      const first = await post(path, body, signStandard(id, body));
      expect([first.status, first.json]).deep.equals([200, { received: true, id, duplicate: false }]);
      expect(first.headers['cache-control']).equals('no-store');
      const again = await Promise.all([1, 2, 3].map(() => post(path, body, signStandard(id, body))));
      for (const { status, json } of again)
        expect([status, json]).deep.equals([200, { received: true, id, duplicate: true }]);
      // The id is what counts, even for something else that was signed.
      const other = '{"type": "other"}';
      expect((await post(path, other, signStandard(id, other))).json).includes({ duplicate: true });
    });

    it('an event that Stripe’s library has signed is received once', async () => {
      const body = stripeEvent('customer.created', { id: 'cus_1' });
      const { id } = JSON.parse(body) as { id: string };
      expect((await deliver(body)).json).deep.equals({ received: true, id, duplicate: false });
      // Sent again, it is signed again.
      const later = signStripe(body, { at: new Date(Date.now() + 2_000) });
      expect((await post(fromStripe, body, later)).json).deep.equals({ received: true, id, duplicate: true });
    });

    it('while secrets are changed, both count', async () => {
      for (const secret of webhookSigners.provider.secrets) {
        const headers = signStandard(someId('msg'), '{"type":"x"}', { secret });
        expect((await post(path, '{"type":"x"}', headers)).status).equals(200);
      }
      for (const secret of webhookSigners.stripe.secrets) {
        const body = stripeEvent('x', {});
        expect((await post(fromStripe, body, signStripe(body, { secret }))).status).equals(200);
      }
    });

    it('whatever the media type: the signature is over the bytes', async () => {
      const headers = { ...signStandard(someId('msg'), ' {"type" : "x"}\n'), 'content-type': 'text/plain' };
      expect((await post(path, ' {"type" : "x"}\n', headers)).status).equals(200);
    });

    it('a checkout that was paid is complete, and charges are still nothing', async () => {
      const { id, session } = await owner();
      const object = { id: 'cs_test_1', client_reference_id: id, payment_status: 'paid', subscription: 'sub_1' };
      await deliver(stripeEvent('checkout.session.completed', object, 1_700_000_000));
      await eventually(async () =>
        expect(await session()).deep.includes({
          status: 'complete',
          payment_status: 'paid',
          provider: 'stripe',
          completed_at: '2023-11-14T22:13:20.000Z',
          amount_total_cents: 0,
        }),
      );
    });

    it('a checkout that has ended at the provider has ended here; what was paid after all is complete', async () => {
      const { id, session } = await owner();
      const body = JSON.stringify({
        type: 'checkout.session.expired',
        timestamp: new Date().toISOString(),
        data: { id: 'x', metadata: { checkout_session_id: id } },
      });
      await post(path, body, signStandard(someId('msg'), body));
      await eventually(async () => expect((await session())['status']).equals('expired'));
      await deliver(stripeEvent('checkout.session.completed', { id: 'x', client_reference_id: id }));
      await eventually(async () => expect((await session())['status']).equals('complete'));
    });

    it('keeps subscription and invoices as their latest events say, in whichever order they come', async () => {
      const { id, records } = await owner();
      const [subscription, invoice] = [someId('sub'), someId('in')];
      const metadata = { checkout_session_id: id };
      const at = nowInSeconds();
      const events = [
        stripeEvent('customer.subscription.created', { id: subscription, status: 'incomplete', metadata }, at),
        stripeEvent('customer.subscription.updated', { id: subscription, status: 'active', metadata }, at),
        stripeEvent('customer.subscription.deleted', { id: subscription, status: 'active', metadata }, at + 1),
        stripeEvent(
          'invoice.payment_failed',
          { id: invoice, amount_due: 4_900, currency: 'usd', parent: { subscription_details: { metadata } } },
          at,
        ),
        stripeEvent('invoice.paid', { id: invoice, amount_paid: 4_900, currency: 'usd' }, at + 5),
      ];
      for (const event of events.toReversed()) expect((await deliver(event)).status).equals(200);
      const time = (seconds: number) => new Date(seconds * 1_000).toISOString();
      const shared = { provider: 'stripe', checkout_session_id: id };
      await eventually(async () =>
        expect(await records()).deep.equals([
          {
            ...shared,
            kind: 'subscription',
            id: subscription,
            status: 'canceled',
            amount_cents: null,
            currency: null,
            event_at: time(at + 1),
          },
          {
            ...shared,
            kind: 'invoice',
            id: invoice,
            status: 'paid',
            amount_cents: 4_900,
            currency: 'USD',
            event_at: time(at + 5),
          },
        ]),
      );
    });

    it('one that was refused for its form is no duplicate when it comes again as it should', async () => {
      const { id, session } = await owner();
      const again = someId('evt');
      const event = (object: object) =>
        JSON.stringify({ id: again, type: 'checkout.session.completed', created: nowInSeconds(), data: { object } });
      expect((await deliver(event({ id: 7 }))).status).equals(422);
      const { status, json } = await deliver(event({ id: 'x', client_reference_id: id }));
      expect([status, json['duplicate']]).deep.equals([200, false]);
      await eventually(async () => expect((await session())['status']).equals('complete'));
    });
  });

  describe('400', () => {
    it('what is signed and no JSON', async () => {
      for (const body of ['', '{', '{"type":"x"', "{'type':'x'}", '\uFEFF', 'NaN', '{"type":"x"}}'])
        expect(codeOf(await post(path, body, signStandard(someId('msg'), body)))).deep.equals([400, 'malformed_json']);
    });
  });

  describe('401', () => {
    const body = '{"type":"x"}';
    const refused = async (headers: Record<string, string>, to = path, sent: string | Buffer = body) => {
      const answer = await post(to, sent, headers);
      expect(codeOf(answer)).deep.equals([401, 'webhook_signature_invalid']);
      expect(answer.headers['www-authenticate']).equals('Webhook-Signature realm="billing-webhooks"');
      expect(answer.json['docs_url']).equals('https://ris.example/docs/authentication');
    };
    const signed = (options = {}) => signStandard(someId('msg'), body, options);

    it('without a signature, and with a bearer only', async () => {
      await refused({});
      const { api_key } = await service().createKey('webhooks', 'owner');
      await refused({ authorization: `Bearer ${api_key}` });
      await refused({ authorization: `Bearer ${api_key}` }, fromStripe);
    });

    it('with a stale signature, and with one from the future', async () => {
      for (const seconds of [-310, 310, 86_400]) {
        const at = new Date(Date.now() + seconds * 1_000);
        await refused(signed({ at }));
        await refused(signStripe(body, { at }), fromStripe);
      }
    });

    it('of a body with other space or another order', async () => {
      const sent = '{"type":"x","id":"evt_1"}';
      for (const other of ['{"type":"x", "id":"evt_1"}', '{"id":"evt_1","type":"x"}', `${sent}\n`]) {
        await refused(signStandard(someId('msg'), sent), path, other);
        await refused(signStripe(sent), fromStripe, other);
      }
    });

    it('of another secret, another id, another version, another provider', async () => {
      await refused(signed({ secret: `whsec_${Buffer.alloc(32, 9).toString('base64')}` }));
      await refused({ ...signed(), 'webhook-id': someId('msg') });
      const { 'webhook-signature': signature = '', ...rest } = signed();
      await refused({ ...rest, 'webhook-signature': signature.replace('v1,', 'v2,') });
      await refused(signStripe(body), path);
      await refused(signed(), fromStripe);
    });

    it('whatever the body: it is not read before the signature', async () => refused({}, path, '{'));
  });

  describe('404', () => {
    for (const name of ['paypal', 'constructor', '__proto__', 'Stripe'])
      it(name, async () => {
        const { status, json } = await post(`/v1/billing/webhooks/${name}`, '{}');
        expect([status, json['code']]).deep.equals([404, 'webhook_provider_not_found']);
      });
  });

  describe('405', () => {
    it('to anything but POST', async () => {
      const { status, headers } = await service().send(path);
      expect([status, headers['allow']]).deep.equals([405, 'POST, OPTIONS']);
    });
  });

  describe('413', () => {
    it('of more than 256 KiB, signed or not', async () => {
      const body = JSON.stringify({ type: 'x', text: 'x'.repeat(256 * 1024) });
      expect(codeOf(await post(path, body, signStandard(someId('msg'), body)))).deep.equals([413, 'payload_too_large']);
      const most = body.slice(0, 200_000) + '"}';
      expect((await post(path, most, signStandard(someId('msg'), most))).status).equals(200);
    });
  });

  describe('422', () => {
    it('what has not the form of its type', async () => {
      for (const object of [{ id: 7 }, {}, { id: 'x', currency: 'money' }])
        expect(codeOf(await deliver(stripeEvent('invoice.paid', object)))).deep.equals([422, 'validation_error']);
    });

    it('what is signed JSON and no event', async () => {
      for (const body of ['[]', 'null', '{}', '{"type":1}', '{"type":""}', '{"type":"\\u0000"}'])
        expect((await post(path, body, signStandard(someId('msg'), body))).status).equals(422);
      for (const body of ['{"type":"x"}', '{"type":"x","id":"\\ud800"}', '{"type":"x","id":""}'])
        expect((await post(fromStripe, body, signStripe(body))).status).equals(422);
    });
  });
});

const unreadable = new Set<string>();
describeService(
  '/v1/billing/events',
  (service) => {
    const organization = async () => {
      const { api_key, organization } = await service().createKey(`events-${randomUUID()}`, 'owner');
      const ask = async (target: string, body?: unknown, by = api_key) => {
        const [method = '', at = ''] = target.split(' ');
        return service().send(at, {
          method,
          headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      };
      const urls = { success_url: 'https://acme.example/done', cancel_url: 'https://acme.example/' };
      const session = String((await ask('POST /v1/checkout/sessions', { plan_id: 'team', ...urls })).json['id']);
      const events = async (query = '') => (await ask(`GET /v1/billing/events${query}`)).json;
      return { slug: organization.slug, ask, session, events };
    };
    const deliver = async (id: string, session: string) => {
      const timestamp = new Date().toISOString();
      const data = { id: 'x', metadata: { checkout_session_id: session } };
      const body = JSON.stringify({ type: 'checkout.session.completed', timestamp, data });
      return (await service().send(path, { method: 'POST', headers: signStandard(id, body), body })).json;
    };

    it('an event that failed is seen by its organization alone and tried again', async () => {
      const [own, other] = [await organization(), await organization()];
      const id = `${someId('msg')}/%2F`;
      const retry = `POST /v1/billing/events/${encodeURIComponent(`provider:${id}`)}/retry`;
      unreadable.add(id);
      await deliver(id, own.session);
      await eventually(async () => {
        const { items } = await own.events('?status=failed');
        expect(items).lengthOf(1);
      });
      const { items, total } = await own.events();
      expect(total).equals(1);
      const [event] = items as Record<string, unknown>[];
      expect(event).includes({
        provider: 'provider',
        id: `provider:${id}`,
        object: 'billing_event',
        status: 'failed',
        attempts: 1,
      });
      expect(event).includes({ type: 'checkout.session.completed' }).and.not.property('body');
      expect(await other.events()).includes({ total: 0 });
      const [stranger, unknown] = [await other.ask(retry), await own.ask(retry.replace('msg_', 'mgs_'))];
      for (const { status, json } of [stranger, unknown])
        expect([status, json['code']]).deep.equals([404, 'billing_event_not_found']);
      const admin = await service().createKey(own.slug, 'admin', null, 'ada');
      expect((await own.ask(retry, undefined, admin.api_key)).json).includes({ code: 'insufficient_role' });
      expect((await own.ask('GET /v1/billing/events', undefined, admin.api_key)).status).equals(200);

      unreadable.delete(id);
      const retried = await own.ask(retry);
      expect([retried.status, retried.json['status']]).deep.equals([202, 'waiting']);
      await eventually(async () => expect((await own.events('?status=applied'))['total']).equals(1));
      expect((await own.ask(`GET /v1/checkout/sessions/${own.session}`)).json).includes({ status: 'complete' });
      const again = await own.ask(retry);
      expect([again.status, again.json['code']]).deep.equals([409, 'billing_event_not_failed']);
      const log = (await own.ask('GET /v1/audit-log?action=billing_event.retried')).json['items'];
      expect((log as unknown[])[0]).deep.includes({ subject: `provider:${id}`, via: 'api' });
    });

    it('one that failed is no duplicate when its provider sends it again', async () => {
      const own = await organization();
      const id = someId('msg');
      unreadable.add(id);
      await deliver(id, own.session);
      await eventually(async () => expect((await own.events('?status=failed'))['total']).equals(1));
      unreadable.delete(id);
      expect(await deliver(id, own.session)).includes({ duplicate: false });
      await eventually(async () => expect((await own.events('?status=applied'))['total']).equals(1));
      expect(await deliver(id, own.session)).includes({ duplicate: true });
    });
  },
  ({ relational }) => ({
    relational: {
      ...relational,
      webhooks: {
        ...relational.webhooks,
        workOff: (changeOf) =>
          relational.webhooks.workOff((event) => {
            if (unreadable.has(event.event_id)) throw new Error('It has a form that nobody knows.');
            return changeOf(event);
          }),
      },
    },
  }),
);

describeService(
  'POST /v1/billing/webhooks/{provider}, when the relational store does not answer',
  (service) => {
    describe('503', () => {
      it('tells the provider to come again', async () => {
        const body = '{"type":"x"}';
        const { status, headers, json } = await service().send(path, {
          method: 'POST',
          headers: signStandard(someId('msg'), body),
          body,
        });
        expect([status, headers['retry-after'], json['code']]).deep.equals([503, '5', 'dependency_unavailable']);
      });
    });
  },
  ({ relational }) => ({
    relational: {
      ...relational,
      webhooks: { ...relational.webhooks, keep: () => Promise.reject(new StoreUnavailable('relational')) },
    },
  }),
);

describeService(
  'POST /v1/billing/webhooks/{provider}, when no secret is set',
  (service) => {
    it('401 of provider, where no signature can be valid; 404 of the others', async () => {
      const body = '{"type":"x"}';
      for (const [to, status] of [
        [path, 401],
        [fromStripe, 404],
      ] as const) {
        const headers = { ...signStandard(someId('msg'), body), ...signStripe(body) };
        expect((await service().send(to, { method: 'POST', headers, body })).status).equals(status);
      }
    });
  },
  () => ({}),
  () => ({ webhooks: { provider: { scheme: 'standard', secrets: [] } } }),
);
