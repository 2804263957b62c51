import { expect } from 'chai';
import { describeService } from '../support/service.ts';

describeService('GET /v1/billing/usage', (service) => {
  const usageOf = async (key: string, query = '') => {
    const { json } = await service().send(`/v1/billing/usage${query}`, { headers: { authorization: `Bearer ${key}` } });
    return json as {
      totals: Record<string, number>;
      meters: Record<string, unknown>[];
      period: Record<string, string>;
    };
  };
  let organizations = 0;
  const newcomer = async () => {
    const { api_key, organization } = await service().createKey(`usage-${organizations++}`);
    const call = (path: string, headers = {}) =>
      service().send(path, { headers: { authorization: `Bearer ${api_key}`, ...headers } });
    return { api_key, organization, call };
  };

  describe('200', () => {
    it('is zero for an organization that has called nothing', async () => {
      const { api_key, organization } = await newcomer();
      const month = new Date().toISOString().slice(0, 7);
      const usage = await usageOf(api_key);
      expect(usage).deep.includes({
        organization_id: organization.id,
        plan_id: 'beta',
        billing_mode: 'shadow',
        totals: {
          calls: 0,
          successful_calls: 0,
          not_modified_calls: 0,
          client_error_calls: 0,
          server_error_calls: 0,
          usage_events: 0,
          credits_used: 0,
        },
        charges: { amount_cents: 0, currency: 'USD', reason: 'shadow_mode' },
        meters: [],
      });
      expect(usage.period).includes({ id: month, start_at: `${month}-01T00:00:00.000Z`, status: 'open' });
    });

    it('counts every answered product call at once, by product and class, and only success costs', async () => {
      const { api_key, call } = await newcomer();
      const { headers } = await call('/api/graph');
      await call('/api/graph', { 'if-none-match': headers.etag });
      await call('/api/graph/neighbors/ledger');
      await call('/api/graph/neighbors/nothing');
      await call('/api/search?q=payment');
      await call('/api/search?page=0');
      await call('/');
      await call('/api/nowhere');
      await service().send('/api/graph');
      const { totals, meters } = await usageOf(api_key);
      expect(totals).deep.equals({
        calls: 6,
        successful_calls: 3,
        not_modified_calls: 1,
        client_error_calls: 2,
        server_error_calls: 0,
        usage_events: 0,
        credits_used: 7,
      });
      expect(meters).deep.equals([
        {
          meter: 'api_calls',
          product: 'code-graph',
          unit: 'call',
          calls: 4,
          successful_calls: 2,
          not_modified_calls: 1,
          client_error_calls: 1,
          server_error_calls: 0,
          credits_used: 6,
        },
        {
          meter: 'api_calls',
          product: 'code-search',
          unit: 'call',
          calls: 2,
          successful_calls: 1,
          not_modified_calls: 0,
          client_error_calls: 1,
          server_error_calls: 0,
          credits_used: 1,
        },
      ]);
      const { totals: search } = await usageOf(api_key, '?product=code-search');
      expect(search).includes({ calls: 2, credits_used: 1 });
    });

    it('counts 1000 calls over 50 connections exactly', async () => {
      const { api_key, call } = await newcomer();
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          for (let i = 0; i < 20; i++) expect((await call('/api/graph/neighbors/ledger')).status).equals(200);
        }),
      );
      expect((await usageOf(api_key)).totals).includes({ calls: 1_000, successful_calls: 1_000, credits_used: 1_000 });
    });

    it('shows no organization the calls of another', async () => {
      const [one, other] = [await newcomer(), await newcomer()];
      await Promise.all([one.call('/api/search'), other.call('/api/graph'), one.call('/api/search')]);
      expect((await usageOf(one.api_key)).totals).includes({ calls: 2, credits_used: 2 });
      expect((await usageOf(other.api_key)).totals).includes({ calls: 1, credits_used: 5 });
    });

    it('a month that is over is closed, and empty before the service was', async () => {
      const { api_key } = await newcomer();
      const { period, totals } = await usageOf(api_key, '?period=2025-12');
      expect(period).deep.equals({
        id: '2025-12',
        start_at: '2025-12-01T00:00:00.000Z',
        end_at: '2026-01-01T00:00:00.000Z',
        status: 'closed',
      });
      expect(totals['calls']).equals(0);
    });

    it('is kept by no cache', async () =>
      expect((await service().get('/v1/billing/usage')).headers['cache-control']).equals('no-store'));
  });

  describe('401', () => {
    it('without a key', async () => expect((await service().send('/v1/billing/usage')).status).equals(401));
  });

  describe('422', () => {
    for (const query of ['period=2026-13', 'period=november', 'product=UPPER', 'organization_id=org_other'])
      it(query, async () => expect((await service().get(`/v1/billing/usage?${query}`)).status).equals(422));
  });
});
