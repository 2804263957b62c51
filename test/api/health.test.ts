import { expect } from 'chai';
import type { Healing } from '../../src/stores/healing.ts';
import { describeService } from '../support/service.ts';

const beingMadeAnew: Healing = {
  rebuilding: {
    file: 'graph.sqlite',
    reason: 'database disk image is malformed',
    since: new Date(),
    setAside: null,
    progress: { done: 1, of: 3 },
  },
  onRebuilding: () => {},
  startAnew: () => Promise.resolve(),
  fill: () => Promise.resolve(),
  advance: () => {},
  complete: () => Promise.resolve(),
};

describeService('GET /healthz and /readyz', (service) => {
  afterEach(() => service().setReady(true));

  describe('200', () => {
    it('to everybody, and nothing but the word', async () => {
      const answers = await Promise.all(['/healthz', '/readyz'].map((path) => service().send(path)));
      expect(answers.map(({ status, text }) => [status, text])).deep.equals([
        [200, '{"status":"ok"}'],
        [200, '{"status":"ready"}'],
      ]);
      expect(answers.map(({ headers }) => headers['cache-control'])).deep.equals(['no-store', 'no-store']);
    });
  });

  describe('503', () => {
    it('/readyz while the service starts or stops; /healthz goes on', async () => {
      service().setReady(false);
      const { status, headers, json } = await service().send('/readyz');
      expect([status, headers['retry-after'], json['code']]).deep.equals([503, '1', 'shutting_down']);
      expect((await service().send('/healthz')).status).equals(200);
    });
  });
});

describeService(
  'GET /readyz while the graph is made anew',
  (service) => {
    it('is ready, and says which part is not, and how far it is', async () => {
      const { status, json } = await service().send('/readyz');
      const rebuilding = { graph: { done: 1, of: 3 } };
      expect([status, json]).deep.equals([200, { status: 'ready', degraded: ['graph'], rebuilding }]);
    });
  },
  ({ graph }) => ({ graph: { ...graph, healing: beingMadeAnew } }),
);
