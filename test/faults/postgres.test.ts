import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { generateApiKey } from '../../src/auth/api-key.ts';
import { StoreUnavailable } from '../../src/stores/errors.ts';
import { expectNoSlower, expectOnly, probes, underFaults } from '../support/faults.ts';

const products = ['/api/graph', '/api/graph/neighbors/ledger', '/api/search?q=payment'];

underFaults('a PostgreSQL', ['postgres'], (site) => {
  // Longer than a key is taken for good without a look-up.
  before(() => sleep(5_500));

  it('is no error of a product for whoever is known', async () => {
    expectOnly(await site().ask([...products, '/', ...probes], { times: 3 }), [], 'relational');
  });

  it('is a 503 for a key that nobody can look up, and still a 401 for what is no key', async () => {
    const strangers = await Promise.all(
      Array.from({ length: 6 }, () => site().ask(['/api/graph'], { key: generateApiKey('live') })),
    );
    expectOnly(strangers.flat(), ['/api/graph'], 'relational');
    const [nonsense] = await site().ask(['/api/graph'], { key: 'nonsense' });
    expect(nonsense?.status).equals(401);
  });

  it('is a 503 of the usage, whose truth is there', async () => {
    expectOnly(await site().ask(['/v1/billing/usage']), ['/v1/billing/usage'], 'relational');
  });

  it('lets nothing be written', async () => {
    const failure = await site()
      .service.createKey('nobody')
      .catch((error: unknown) => error);
    expect(failure).instanceOf(StoreUnavailable);
  });
});

underFaults(
  'PostgreSQL and Redis together',
  ['postgres', 'redis'],
  (site) => {
    it('cost no time, and no call is lost', async () => {
      await site().recover();
      const { api_key: key } = await site().service.createKey('postgres-and-redis');
      const before = await site().ask(products, { key, times: 4 });
      site().proxies.postgres.cut();
      site().proxies.redis.cut();
      await sleep(5_500);
      await site().ask(products, { key, times: 6 });
      const without = await site().ask(products, { key, times: 4 });
      expectOnly(without, [], 'relational');
      expectNoSlower(without, before);
      await site().recover();
      const { json } = await site().service.get('/v1/billing/usage', { authorization: `Bearer ${key}` });
      expect(json['totals']).includes({ calls: 42, successful_calls: 42 });
    });
  },
  ['is down'],
);
