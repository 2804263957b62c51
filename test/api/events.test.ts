import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { writeSnapshot } from '../../loaders/write.ts';
import { loaderStores } from '../../src/cli/loader-stores.ts';
import { repository, unique } from '../contract/relational-store.ts';
import { eventually } from '../support/eventually.ts';
import { gitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';

interface Event {
  sequence: number;
  type: string;
  subject: string;
  data: Record<string, unknown>;
}

describeService('GET /v1/events', (service) => {
  const names = { one: unique('told'), other: unique('told') };
  before(async () => {
    const { stores, organizationId } = service();
    for (const name of Object.values(names)) {
      const info = repository(await stores.relational.repositories.claim(organizationId, name));
      await stores.relational.runs.fail(await stores.relational.runs.begin(info), 'The remote hung up.');
    }
  });
  const events = async (query = '') =>
    (await service().get(`/v1/events${query}`)).json as unknown as { items: Event[]; has_more: boolean };

  describe('200', () => {
    it('has what happened, the oldest first, and goes on behind what one has', async () => {
      const first = await events('?limit=1');
      expect(first).includes({ has_more: true });
      expect(first.items[0]).includes({ sequence: 1, type: 'repository.failed', subject: names.one });
      expect(first.items[0]?.data).includes({ repository: names.one, error: 'The remote hung up.' });
      const second = await events(`?limit=1&after=${first.items[0]?.sequence}`);
      expect(second.items[0]).includes({ sequence: 2, subject: names.other });
      expect((await events('?type=repository.loaded,grade.changed')).items).deep.equals([]);
      expect(await events('?after=1000')).deep.equals({ items: [], has_more: false });
    });

    it('tells the grade that due diligence gives on the day, not one that knows no age', async () => {
      const { stores, organizationId } = service();
      // Its commits are of 2024.
      using old = gitRepository({ files: { 'a.js': 'export function first() {}\n' } });
      const name = unique('old');
      const { snapshot, close } = await analyze(old.path, {
        name: await stores.relational.repositories.claim(organizationId, name),
      });
      await writeSnapshot(loaderStores(stores), snapshot);
      close();
      const [loaded] = (await events(`?type=repository.loaded`)).items;
      const { json } = await service().get(`/api/dd/executive/${name}`);
      expect(loaded?.data).includes({ repository: name, grade: json['grade'] });
      expect(json['grade']).oneOf(['D', 'E']);
    });

    it('tells of a report that is made', async () => {
      const { organization, api_key } = await service().createKey(unique('reporting'));
      expect(organization.id).matches(/^org_/);
      const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
      const { json } = await service().send('/v1/reports', {
        method: 'POST',
        headers,
        body: JSON.stringify({ type: 'usage_statement', format: 'json', parameters: { period: '2026-11' } }),
      });
      await eventually(async () => {
        const answer = (await service().send('/v1/events', { headers: { authorization: `Bearer ${api_key}` } })).json;
        expect((answer['items'] as Event[]).map(({ type, subject }) => [type, subject])).deep.equals([
          ['report.succeeded', json['id']],
        ]);
      });
    });

    it('shows another organization nothing, and a key that is restricted to a repository what tells of it', async () => {
      const ask = async (key: string, query = '') =>
        (await service().send(`/v1/events${query}`, { headers: { authorization: `Bearer ${key}` } })).json;
      const { api_key: stranger } = await service().createKey(unique('stranger'));
      expect(await ask(stranger)).deep.equals({ items: [], has_more: false });
      const { stores, organizationId } = service();
      const slug = (await stores.relational.tenant(organizationId, ({ settings }) => settings.get())).slug;
      const limits = { products: null, rate_limit_per_minute: null };
      const { api_key: restricted } = await service().createKey(slug, 'member', null, 'anna', {
        limits: { ...limits, scopes: ['events:read'], repositories: [names.other] },
      });
      expect(((await ask(restricted))['items'] as Event[]).map(({ subject }) => subject)).deep.equals([names.other]);
      const { api_key: reader } = await service().createKey(slug, 'member', null, 'anna', {
        limits: { ...limits, scopes: ['read'], repositories: null },
      });
      expect(await ask(reader)).includes({ code: 'insufficient_scope' });
    });
  });

  describe('422', () => {
    it('of what is no number and no type', async () => {
      for (const wrong of ['after=-1', 'after=x', 'limit=0', 'limit=1001', 'type=sunrise', 'page=1'])
        expect((await service().get(`/v1/events?${wrong}`)).status, wrong).equals(422);
    });
  });
});
