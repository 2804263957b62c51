import { expectFast, expectOnly, probes, routes, underFaults } from '../support/faults.ts';

const broken = ['/api/search?q=payment'];

underFaults('an Elasticsearch', ['elasticsearch'], (site) => {
  it('is a 503 with Retry-After of its own routes alone', async () => {
    expectOnly(await site().ask([...routes, ...probes], { times: 6 }), broken, 'search');
  });

  it('costs no time once the circuit is open', async () => {
    const answers = await site().ask([...routes, ...probes], { times: 3 });
    expectOnly(answers, broken, 'search');
    expectFast(answers);
  });
});
