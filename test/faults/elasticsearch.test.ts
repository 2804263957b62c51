import { expect } from 'chai';
import { expectOnly, probes, routes, underFaults } from '../support/faults.ts';

const broken = ['/api/search?q=payment'];

underFaults('an Elasticsearch', ['elasticsearch'], (site) => {
  it('is a 503 with Retry-After of its own routes alone', async () => {
    expectOnly(await site().ask([...routes, ...probes], { times: 6 }), broken, 'search');
  });

  it('is not asked, nor waited for, once the circuit is open', async () => {
    const proxy = site().proxies.elasticsearch;
    const before = proxy.heard();
    const answers = await site().ask(broken, { times: 20 });
    expectOnly(answers, broken, 'search');
    // One may try whether it is back; the others do not ask.
    expect(proxy.heard() - before).below(answers.length / 2);
  });
});
