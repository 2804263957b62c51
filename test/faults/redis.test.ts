import { expect } from 'chai';
import { expectFast, probes, routes, underFaults } from '../support/faults.ts';

const products = ['/api/graph', '/api/graph/neighbors/ledger', '/api/search?q=payment'];

underFaults('a Redis', ['redis'], (site) => {
  const usageOf = async (key: string) => {
    const [usage] = await site().ask(['/v1/billing/usage'], { key });
    return usage?.json as { totals: { calls: number }; freshness: { source: string; lag_seconds: number } };
  };

  it('is no error of any route, and no call is lost: usage comes from the ledger, then from the meters again', async () => {
    const { api_key: key } = await site().service.createKey(`redis-${Math.random().toString(36).slice(2)}`);
    const answers = await site().ask([...routes, ...probes], { key, times: 6 });
    for (const { path, status } of answers) expect([path, status]).deep.equals([path, 200]);
    const without = await usageOf(key);
    expect([without.totals.calls, without.freshness]).deep.equals([18, { source: 'ledger', lag_seconds: 1 }]);

    await site().recover();
    await site().ask(products, { key, times: 2 });
    const again = await usageOf(key);
    expect([again.totals.calls, again.freshness.source]).deep.equals([24, 'live']);
  });
});

underFaults('a Redis, for a while,', ['redis'], (site) => {
  it('costs no time once the circuit is open', async () => {
    await site().ask(products, { times: 6 });
    expectFast(await site().ask([...routes, ...probes], { times: 3 }));
  });
});
