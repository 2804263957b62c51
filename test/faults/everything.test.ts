import { expectOnly, probes, underFaults } from '../support/faults.ts';

underFaults(
  'every server',
  ['neo4j', 'elasticsearch', 'postgres', 'redis'],
  (site) => {
    it('leaves the process alive and ready, and who is known is told what is missing', async () => {
      const answers = await site().ask([...probes, '/', '/openapi.json'], { times: 5 });
      expectOnly(answers, [], 'none');
      expectOnly(await site().ask(['/api/graph'], { times: 5 }), ['/api/graph'], 'graph');
      expectOnly(await site().ask(['/api/search'], { times: 5 }), ['/api/search'], 'search');
      expectOnly(await site().ask(['/healthz'], { times: 5 }), [], 'none');
    });
  },
  ['is down', 'says nothing'],
);
