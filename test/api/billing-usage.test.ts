import { expect } from 'chai';
import { event } from '../contract/usage.ts';
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
  /** What a meter is not told apart by. */
  const untold = { product: null, operation_id: null, member_id: null, day: null, environment: 'live' };
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
          test_calls: 0,
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
        test_calls: 0,
        usage_events: 0,
        credits_used: 7,
      });
      expect(meters).deep.equals([
        {
          ...untold,
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
          ...untold,
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

    it('is told apart by endpoint, by member or by day, and adds up to the same', async () => {
      const { api_key, call } = await newcomer();
      await Promise.all(
        ['/api/graph', '/api/graph/neighbors/ledger', '/api/search', '/api/search'].map((path) => call(path)),
      );
      const [{ member_id = '' } = {}] = (await usageOf(api_key, '?group_by=member')).meters as { member_id?: string }[];
      const counted = {
        meter: 'api_calls',
        unit: 'call',
        not_modified_calls: 0,
        client_error_calls: 0,
        server_error_calls: 0,
      };
      const of = (calls: number, credits_used: number) => ({
        ...untold,
        ...counted,
        calls,
        successful_calls: calls,
        credits_used,
      });
      expect((await usageOf(api_key, '?group_by=endpoint')).meters).deep.equals([
        { ...of(1, 5), product: 'code-graph', operation_id: 'get_graph' },
        { ...of(1, 1), product: 'code-graph', operation_id: 'get_graph_neighbors' },
        { ...of(2, 2), product: 'code-search', operation_id: 'search' },
      ]);
      expect((await usageOf(api_key, '?group_by=member')).meters).deep.equals([{ ...of(4, 8), member_id }]);
      const { meters, period } = await usageOf(api_key, '?group_by=day');
      expect(meters).deep.equals([{ ...of(4, 8), day: new Date().toISOString().slice(0, 10) }]);
      expect(period['status']).equals('open');
    });

    it('of some days has those days, the first and the last', async () => {
      const { api_key, organization, call } = await newcomer();
      await call('/api/search');
      const at = (occurred_at: string) => ({ ...event(organization.id, 0), occurred_at });
      await service().stores.relational.usage.append([
        at('2025-08-31T23:59:59.999Z'),
        at('2025-09-01T00:00:00.000Z'),
        at('2025-10-31T23:59:59.999Z'),
        at('2025-11-01T00:00:00.000Z'),
      ]);
      const { totals, meters, period } = await usageOf(api_key, '?from=2025-09-01&to=2025-10-31&group_by=day');
      expect(totals['calls']).equals(2);
      expect(meters.map(({ day }) => day)).deep.equals(['2025-09-01', '2025-10-31']);
      expect(period).deep.equals({
        id: '2025-09-01/2025-10-31',
        start_at: '2025-09-01T00:00:00.000Z',
        end_at: '2025-11-01T00:00:00.000Z',
        status: 'closed',
      });
      expect((await usageOf(api_key, '?period=2025-10')).totals['calls']).equals(1);
      expect((await usageOf(api_key, '?from=2025-08-01&to=2025-10-31')).totals['calls'], '92 days').equals(3);
    });

    it('has the events that the organization tells, on the day they came, beside the calls', async () => {
      const { api_key, call } = await newcomer();
      await call('/api/search');
      const event = (id: string) => ({
        specversion: '1.0',
        id,
        source: '/laptop',
        type: 'cli.run',
        time: new Date(Date.now() - 30 * 24 * 60 * 60 * 1_000).toISOString(),
      });
      await service().send('/v1/usage/events', {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify([event('1'), event('2')]),
      });
      const { totals, meters } = await usageOf(api_key);
      expect(totals).includes({ calls: 1, usage_events: 2, credits_used: 1 });
      expect(meters).lengthOf(2);
      expect(meters[1]).deep.equals({
        ...untold,
        environment: null,
        meter: 'usage_events',
        unit: 'event',
        calls: 2,
        successful_calls: 2,
        not_modified_calls: 0,
        client_error_calls: 0,
        server_error_calls: 0,
        credits_used: 0,
      });
      const { meters: days } = await usageOf(api_key, '?group_by=day');
      const today = new Date().toISOString().slice(0, 10);
      expect(days.map(({ meter, day }) => [meter, day])).deep.equals([
        ['api_calls', today],
        ['usage_events', today],
      ]);
      await call('/api/graph');
      const { meters: both } = await usageOf(api_key, '?group_by=product_day');
      expect(both.map(({ meter, product, day, calls }) => [meter, product, day, calls])).deep.equals([
        ['api_calls', 'code-graph', today, 1],
        ['api_calls', 'code-search', today, 1],
        ['usage_events', null, today, 2],
      ]);
      expect((await usageOf(api_key, '?product=code-search')).totals).includes({ calls: 1, usage_events: 0 });
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
    for (const query of [
      'period=2026-13',
      'period=november',
      'product=UPPER',
      'organization_id=org_other',
      'group_by=hour',
      'from=2025-09-01',
      'to=2025-09-01',
      'from=2025-09-02&to=2025-09-01',
      'from=2026-02-29&to=2026-03-01',
      'from=2025-08-01&to=2025-11-01',
      'period=2026-09&from=2025-09-01&to=2025-09-02',
    ])
      it(query, async () => expect((await service().get(`/v1/billing/usage?${query}`)).status).equals(422));
  });
});
