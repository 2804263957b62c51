import { expect } from 'chai';
import { expectNoSlower, probes, routes, underFaults } from '../support/faults.ts';

const products = ['/api/graph', '/api/graph/neighbors/ledger', '/api/search?q=payment'];

underFaults('a Redis', ['redis'], (site, fault) => {
  const usageOf = async (key: string) => {
    const { json } = await site().service.get('/v1/billing/usage', { authorization: `Bearer ${key}` });
    return json as { totals: { calls: number }; freshness: { source: string; lag_seconds: number } };
  };

  it('is no error of any route and costs no time; no call is lost: usage comes from the ledger, later from the meters', async () => {
    const { api_key: key } = await site().service.createKey(`redis-that-${fault.replaceAll(' ', '-')}`);
    const first = await site().ask([...routes, ...probes], { key, times: 6 });
    for (const { path, status } of first) expect([path, status]).deep.equals([path, 200]);
    const usage = await usageOf(key);
    expect([usage.totals.calls, usage.freshness]).deep.equals([18, { source: 'ledger', lag_seconds: 1 }]);
    const without = await site().ask(products, { key, times: 2 });

    await site().recover();
    const again = await site().ask(products, { key, times: 2 });
    expectNoSlower(without, again);
    const recovered = await usageOf(key);
    expect([recovered.totals.calls, recovered.freshness.source]).deep.equals([30, 'live']);
  });
});
