import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { readQuotas } from '../../src/control-plane/rate-limits.ts';
import { eventually } from '../support/eventually.ts';
import { describeService } from '../support/service.ts';
import { signStandard, signStripe } from '../support/webhooks.ts';

interface Plan {
  id: string;
  status: string;
  self_serve: boolean;
  price: { amount_cents: number; per: string } | null;
  limits: Record<string, number> | null;
  [field: string]: unknown;
}

describeService('GET /v1/billing/plans', (service) => {
  const plans = async () => (await service().send('/v1/billing/plans')).json['items'] as Plan[];

  describe('200', () => {
    it('lists four plans to everybody, and charges nothing', async () => {
      const { status, headers, json } = await service().send('/v1/billing/plans');
      expect(status).equals(200);
      expect(headers).includes({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' });
      expect(json).includes({ total: 4, billing_mode: 'shadow', charges_enabled: false, currency: 'USD' });
      const summary = (await plans()).map(({ id, status, self_serve, price }) => [
        id,
        status,
        self_serve,
        price && `${price.amount_cents} a ${price.per}`,
      ]);
      expect(summary).deep.equals([
        ['beta', 'current', true, '0 a organization'],
        ['team', 'announced', true, '4900 a seat'],
        ['business', 'announced', true, '14900 a seat'],
        ['enterprise', 'announced', false, null],
      ]);
    });

    it('the plan that is in force has the quotas that are in force', async () => {
      const [beta] = await plans();
      const quotas = readQuotas('');
      expect(quotas.default).deep.includes({ requests: beta?.limits?.['requests_per_minute'], window_seconds: 60 });
      expect(quotas.search).deep.includes({
        requests: beta?.limits?.['search_requests_per_minute'],
        window_seconds: 60,
      });
    });
  });

  describe('304', () => {
    it('to who has it already', async () => {
      const { headers } = await service().send('/v1/billing/plans');
      const again = await service().send('/v1/billing/plans', { headers: { 'if-none-match': headers.etag ?? '' } });
      expect(again.status).equals(304);
    });
  });
});

/** Of an organization that is new, and checks out. */
function quotasOfPlans(title: string, rateLimits: string, wanted: (plan: 'beta' | 'team') => [number, number]): void {
  describeService(
    title,
    (service) => {
      it('follows the checkout of a plan, and the end of its subscription', async () => {
        const { api_key } = await service().createKey(`quotas-${randomUUID()}`, 'owner');
        const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
        const policies = async () => {
          const answer = await service().send('/api/search?q=parse', { headers });
          const ofAll = /"default";q=(\d+);w=60/.exec(String(answer.headers['ratelimit-policy']));
          const ofSearch = /"search";q=(\d+);w=60/.exec(String(answer.headers['ratelimit-policy']));
          expect(String(answer.headers['ratelimit'])).matches(/"default";r=\d+.*"search";r=\d+/);
          return [Number(ofAll?.[1]), Number(ofSearch?.[1])];
        };
        const deliver = async (event: string, path: string, signed: Record<string, string>) => {
          const { status } = await service().send(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...signed },
            body: event,
          });
          expect(status).equals(200);
        };
        expect(await policies()).deep.equals(wanted('beta'));
        const urls = { success_url: 'https://acme.example/done', cancel_url: 'https://acme.example/' };
        const body = JSON.stringify({ plan_id: 'team', ...urls });
        const made = await service().send('/v1/checkout/sessions', { method: 'POST', headers, body });
        const session = String(made.json['id']);
        expect(await policies(), 'before it is completed').deep.equals(wanted('beta'));
        const data = { id: 'x', metadata: { checkout_session_id: session } };
        const done = JSON.stringify({ type: 'checkout.session.completed', timestamp: new Date().toISOString(), data });
        await deliver(done, '/v1/billing/webhooks/provider', signStandard(`msg_${randomUUID()}`, done));
        await eventually(async () => expect(await policies()).deep.equals(wanted('team')));
        const plan = (await service().send('/v1/organization', { headers })).json['plan_id'];
        expect(plan).equals('team');
        const ended = JSON.stringify({
          id: `evt_${randomUUID()}`,
          object: 'event',
          type: 'customer.subscription.deleted',
          created: Math.floor(Date.now() / 1_000) + 1,
          data: { object: { id: 'sub_x', status: 'canceled', metadata: { checkout_session_id: session } } },
        });
        await deliver(ended, '/v1/billing/webhooks/stripe', signStripe(ended));
        await eventually(async () => expect(await policies()).deep.equals(wanted('beta')));
      });
    },
    () => ({}),
    () => ({ quotas: readQuotas(rateLimits) }),
  );
}

quotasOfPlans('the quotas of a plan', '', (plan) => (plan === 'beta' ? [600, 120] : [1_200, 240]));
quotasOfPlans('a quota that whoever runs the service has set', 'default=5000/60', (plan) =>
  plan === 'beta' ? [5_000, 120] : [5_000, 240],
);
