import { expect } from 'chai';
import { describeService } from '../support/service.ts';

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
