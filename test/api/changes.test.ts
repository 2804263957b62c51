import { expect } from 'chai';
import { changeExample } from '../../src/changes/example.ts';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { gitRepository, type GitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';

const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
let organizations = 0;

describeService('GET /api/changes/{repository}', (service) => {
  let repository: GitRepository;
  const loaded: string[] = [];
  /** An organization that has a repository, with the key of a viewer. */
  const withRepository = async () => {
    const slug = `changing-${organizations++}`;
    const own = await service().createKey(slug, 'viewer');
    const { relational } = service().stores;
    const key = await relational.repositories.claim(own.organization.id, 'shop');
    loaded.push(key);
    const { snapshot, close } = await analyze(repository.path, { name: key });
    await writeSnapshot(service().stores, snapshot);
    close();
    const ask = (path: string, apiKey = own.api_key) =>
      service().send(path, { headers: { authorization: `Bearer ${apiKey}` } });
    const save = (asked: { base: string; head: string }, outcome: Parameters<typeof relational.changes.save>[1]) =>
      relational.changes.save(
        { organizationId: own.organization.id, repository: 'shop', analyzer: 'of-tests', ...asked },
        outcome,
      );
    return { ...own, slug, key, ask, save };
  };
  before(() => {
    repository = gitRepository({ files: { 'a.ts': 'export const one = () => 1;\n' } });
  });
  after(async () => {
    repository.remove();
    for (const key of loaded) await removeRepository(service().stores, key);
  });

  it('answers 202 until it is measured, with where and when to ask again, and puts one job into the queue', async () => {
    const { ask, save, slug } = await withRepository();
    const path = `/api/changes/shop?base=${first}&head=${second}`;
    const { status, headers, json } = await ask(path);
    expect([status, headers['location'], headers['retry-after']]).to.deep.equal([202, path, '2']);
    expect(json).to.include({ status: 'measuring', repository: 'shop', base: first, head: second });
    expect(headers).not.to.have.any.keys('etag');
    expect(headers['cache-control']).to.equal('no-store');
    expect((await ask(path)).status).to.equal(202);
    const jobs = (await (await service().stores.relational.jobs()).list()).filter(
      ({ organization }) => organization === slug,
    );
    expect(jobs.map(({ kind, source, state }) => [kind, source, state])).to.deep.equal([
      ['change', repository.path, 'waiting'],
    ]);

    await save({ base: first, head: second }, { change: { ...changeExample, repository: 'shop' } });
    const measured = await ask(path);
    expect(measured.status).to.equal(200);
    expect(measured.json).to.deep.equal({ ...changeExample, repository: 'shop' });
    const { status: again } = await service().send(path, {
      headers: {
        authorization: `Bearer ${(await service().createKey(slug, 'viewer')).api_key}`,
        'if-none-match': String(measured.headers['etag']),
      },
    });
    expect(again).to.equal(304);
  });

  it('costs nothing until it is answered', async () => {
    const { ask, save } = await withRepository();
    const path = `/api/changes/shop?base=${first}`;
    const head = repository.git('rev-parse', 'HEAD').trim();
    const credits = async () =>
      ((await ask('/v1/billing/usage')).json['totals'] as { calls: number; credits_used: number }).credits_used;
    expect((await ask(path)).json).to.include({ head });
    expect(await credits()).to.equal(0);
    await save({ base: first, head }, { change: changeExample });
    expect((await ask(path)).status).to.equal(200);
    expect(await credits()).to.equal(5);
  });

  it('tells in a sentence why two commits can’t be compared', async () => {
    const { ask, save } = await withRepository();
    const path = '/api/changes/shop?base=v1&head=v2';
    expect((await ask(path)).status).to.equal(202);
    await save({ base: 'v1', head: 'v2' }, { error: 'shop has no branch, tag or commit v1.' });
    const { status, json } = await ask(path);
    expect([status, json['code'], json['detail']]).to.deep.equal([
      422,
      'commits_not_comparable',
      'shop has no branch, tag or commit v1.',
    ]);
  });

  it('is of an organization’s own repositories alone, whoever shares theirs', async () => {
    const [acme, other] = [await withRepository(), await withRepository()];
    const path = `?base=${first}&head=${second}`;
    await acme.ask(`/api/changes/shop${path}`);
    await acme.save({ base: first, head: second }, { change: changeExample });
    expect((await other.ask(`/api/changes/shop${path}`)).status).to.equal(202);
    const named = `/api/changes/${encodeURIComponent(acme.key)}${path}`;
    expect((await other.ask(named)).json['code']).to.equal('repository_not_found');
    await service().stores.relational.repositories.share(acme.key, true);
    expect((await other.ask(named)).json['code']).to.equal('repository_not_own');
  });

  it('leaves out uses in repositories that the key is not for, or that are shared no longer', async () => {
    const acme = await withRepository();
    const use = (of: string) => ({ repository: of, from: 'a', path: 'a.ts', line: 1, to: 'b', broken: true });
    const elsewhere = { total: 2, items: [use('shop'), use('other~secret')] };
    await acme.ask(`/api/changes/shop?base=${first}&head=${second}`);
    await acme.save({ base: first, head: second }, { change: { ...changeExample, elsewhere } });
    const { json, text } = await acme.ask(`/api/changes/shop?base=${first}&head=${second}`);
    expect((json['elsewhere'] as { total: number }).total).to.equal(1);
    expect(text).not.to.contain('other~secret');
  });

  it('refuses what git would take for an option or a range, and what is named nowhere', async () => {
    const { ask } = await withRepository();
    for (const query of [
      '',
      '?base=',
      '?base=--output%3Dx',
      '?base=-x',
      '?base=a..b',
      '?base=a%20b',
      '?base=a&head=-x',
    ])
      expect((await ask(`/api/changes/shop${query}`)).status, query).to.equal(422);
    expect((await ask('/api/changes/nowhere?base=main')).json['code']).to.equal('repository_not_found');
  });

  it('lets no organization have more than twenty measured at once', async () => {
    const { ask } = await withRepository();
    for (let at = 0; at < 20; at += 1) expect((await ask(`/api/changes/shop?base=b${at}`)).status).to.equal(202);
    const { status, json, headers } = await ask('/api/changes/shop?base=one-more');
    expect([status, json['code'], headers['retry-after']]).to.deep.equal([429, 'too_many_changes', '30']);
    expect((await ask('/api/changes/shop?base=b0')).status).to.equal(202);
  });
});
