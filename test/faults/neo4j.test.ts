import { expect } from 'chai';
import { expectOnly, probes, routes, underFaults } from '../support/faults.ts';

const broken = ['/api/graph', '/api/graph/neighbors/ledger'];

underFaults('a Neo4j', ['neo4j'], (site) => {
  it('is a 503 with Retry-After of its own routes alone', async () => {
    expectOnly(await site().ask([...routes, ...probes], { times: 6 }), broken, 'graph');
  });

  it('costs no time once the circuit is open', async () => {
    const answers = await site().ask(broken, { times: 5 });
    expectOnly(answers, broken, 'graph');
    // Of several, the one that the machine left alone: far from the two seconds that a wait would take.
    expect(Math.min(...answers.map(({ ms }) => ms))).below(200);
  });
});
