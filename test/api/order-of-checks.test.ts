import { expect } from 'chai';
import { readQuotas } from '../../src/control-plane/rate-limits.ts';
import type { Role } from '../../src/model/account.ts';
import { unique } from '../contract/relational-store.ts';
import { describeService } from '../support/service.ts';

const quotas = readQuotas('*=1000000/60,report_create=2/3600,usage_events=2/3600');
const report = { type: 'usage_statement', format: 'json', parameters: { period: '2026-11' } };

describeService(
  'what a quota counts',
  (service) => {
    /** Asks for a report, or tells of usage, as a member of this role. */
    const asker = async (slug: string, role: Role) => {
      const { api_key } = await service().createKey(slug, role, null, role);
      return async (path: string, body: unknown, headers: Record<string, string> = {}) => {
        const {
          status,
          json,
          headers: answered,
        } = await service().send(path, {
          method: 'POST',
          headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        });
        return { status, code: json['code'], id: json['id'], headers: answered };
      };
    };

    it('a viewer who is refused thirty times locks nobody out of reports', async () => {
      const slug = unique('quota');
      const [viewer, owner] = [await asker(slug, 'viewer'), await asker(slug, 'owner')];
      const refused = await Promise.all(Array.from({ length: 30 }, () => viewer('/v1/reports', report)));
      for (const { status, code } of refused) expect([status, code]).deep.equals([403, 'insufficient_role']);
      expect((await owner('/v1/reports', report)).status).equals(202);
      expect((await owner('/v1/reports', report)).status).equals(202);
      const { status, code, headers } = await owner('/v1/reports', report);
      expect([status, code]).deep.equals([429, 'rate_limited']);
      expect(Number(headers['retry-after'])).within(1, 3600);
      // Whoever may not, is told so also when nothing is left.
      expect((await viewer('/v1/reports', report)).status).equals(403);
    });

    it('what is refused for its shape, by the schema or by the handler, uses up nothing', async () => {
      const owner = await asker(unique('quota'), 'owner');
      const bad: [string, unknown, number][] = [
        ['/v1/reports', '{', 400],
        ['/v1/reports', { ...report, format: 'pdf' }, 422],
        ['/v1/reports?unknown=1', report, 422],
        [
          '/v1/usage/events',
          { specversion: '1.0', id: 'a', source: 's', type: 't', time: '2020-01-01T00:00:00Z' },
          422,
        ],
      ];
      for (const [path, body, expected] of bad)
        for (let time = 0; time < 3; time += 1)
          expect([path, (await owner(path, body)).status]).deep.equals([path, expected]);
      const good = { specversion: '1.0', id: 'a', source: 's', type: 't' };
      for (let time = 0; time < 2; time += 1) {
        expect((await owner('/v1/reports', report)).status).equals(202);
        expect((await owner('/v1/usage/events', good)).status).equals(200);
      }
      expect((await owner('/v1/usage/events', good)).status).equals(429);
    });

    it('a replay is answered as the first, also when nothing is left, and uses up nothing', async () => {
      const owner = await asker(unique('quota'), 'owner');
      const key = { 'idempotency-key': 'one' };
      const first = await owner('/v1/reports', report, key);
      expect(first.status).equals(202);
      const replay = async () => {
        const again = await owner('/v1/reports', report, key);
        expect([again.status, again.id, again.headers['idempotent-replayed']]).deep.equals([202, first.id, 'true']);
      };
      for (let time = 0; time < 5; time += 1) await replay();
      expect((await owner('/v1/reports', report)).status).equals(202);
      expect((await owner('/v1/reports', report)).status).equals(429);
      await replay();
      // A key that was refused for the quota is not kept as refused.
      const next = { 'idempotency-key': 'two' };
      expect((await owner('/v1/reports', report, next)).status).equals(429);
      expect((await owner('/v1/reports', report, next)).status).equals(429);
    });

    it('many at once get as many as there are', async () => {
      const owner = await asker(unique('quota'), 'owner');
      const asked = await Promise.all(Array.from({ length: 12 }, () => owner('/v1/reports', report)));
      expect(asked.filter(({ status }) => status === 202)).lengthOf(2);
      expect(asked.filter(({ status }) => status === 429)).lengthOf(10);
    });
  },
  undefined,
  () => ({ quotas }),
);
