import { expect } from 'chai';
import type { RelationalStore, Tenant } from '../../src/stores/relational/port.ts';
import { evaluationRun, mintRun, taskInstance } from '../support/task-instances.ts';
import { repository, unique } from './relational-store.ts';

/** What every relational store promises of who owns a repository, and of what others may read of it. */
export function repositoriesContract(store: () => RelationalStore): void {
  const page = { offset: 0, limit: 10_000 };
  const organization = async (slug = unique('org')) =>
    (await store().accounts.ensureOrganization({ slug, name: slug })).id;
  const tenant = <T>(id: string, work: (tenant: Tenant) => Promise<T>) => store().tenant(id, work);
  const claim = (id: string, name: string) => store().repositories.claim(id, name);

  /** One with a row in every table; gives its key. */
  async function filled(organizationId: string, name: string, instanceId = `${unique('acme')}__shop-1`) {
    const key = await claim(organizationId, name);
    const info = repository(key);
    const run = await store().runs.begin(info);
    const measurements = { metrics: [], people: [], authorship: [] };
    await store().snapshots.save(info, 'g', [Buffer.from('x')], { run, measurements });
    await store().taskInstances.save([taskInstance({ instance_id: instanceId, repo: key })]);
    await store().mintRuns.save(mintRun({ run_id: unique('mint'), repo: key }));
    return { key, run, instanceId };
  }

  /** The keys that an organization reads somewhere of these. */
  const read = (organizationId: string, { key, run, instanceId }: Awaited<ReturnType<typeof filled>>) =>
    tenant(organizationId, async ({ repositories, snapshots, runs, taskInstances, mintRuns }) => ({
      repository: (await repositories.visible()).some((each) => each.key === key),
      snapshot: (await snapshots.get(key)) !== null,
      snapshots: (await snapshots.list()).some((each) => each.repository === key),
      latest: (await runs.latest()).some((each) => each.repository === key),
      latestOne: (await runs.latest({ repository: key })).length > 0,
      succeeded: (await runs.succeeded({ last: 2 })).some((each) => each.repository === key),
      runs: (await runs.list(key)).length > 0,
      metrics: (await runs.metrics([run])).size > 0,
      measurements: (await runs.measurements(run)) !== null,
      task: (await taskInstances.get(instanceId)) !== null,
      tasks: (await taskInstances.list({ repo: key, ...page })).total > 0,
      counts: (await taskInstances.counts({}, 'repo')).some(({ value }) => value === key),
      mintRun: (await mintRuns.latest(key)) !== null,
      mintRuns: (await mintRuns.list(page)).items.some(({ repo }) => repo === key),
    }));
  const seen = async (organizationId: string, made: Awaited<ReturnType<typeof filled>>) => [
    ...new Set(Object.values(await read(organizationId, made))),
  ];

  describe('repositories', () => {
    it('gives the organization default the bare name, any other its slug before it, and always the same', async () => {
      const [usual, slug, name] = [await organization('default'), unique('org'), unique('repo')];
      const other = await organization(slug);
      expect(await claim(usual, name)).to.equal(name);
      expect(await claim(other, name)).to.equal(`${slug}~${name}`);
      expect(await claim(usual, name)).to.equal(name);
      expect(await store().repositories.claim(other, name, 'acme/full')).to.equal(`${slug}~${name}`);
      expect(await claim(other, name)).to.equal(`${slug}~${name}`);
      const claims = await Promise.all(Array.from({ length: 5 }, () => claim(other, `${name}-2`)));
      expect(new Set(claims)).to.deep.equal(new Set([`${slug}~${name}-2`]));
      expect(await store().repositories.get(`${slug}~${name}`)).to.deep.include({
        organization_id: other,
        organization_slug: slug,
        name,
        full_name: 'acme/full',
        shared: false,
      });
      expect(await store().repositories.get(`${slug}~nothing`)).to.equal(null);
      const keys = (await store().repositories.list()).map(({ key }) => key);
      expect(keys).to.include.members([name, `${slug}~${name}`, `${slug}~${name}-2`]);
      expect(new Set(keys)).to.have.property('size', keys.length);
    });

    it('shows all that is kept of one to its owner; to another nothing, until it is shared', async () => {
      const [mine, theirs] = [await organization(), await organization()];
      const made = await filled(mine, unique('repo'));
      expect(await seen(mine, made)).to.deep.equal([true]);
      expect(await seen(theirs, made)).to.deep.equal([false]);
      expect(await store().repositories.share(made.key, true)).to.equal(true);
      expect(await seen(theirs, made)).to.deep.equal([true]);
      const visible = (id: string) =>
        tenant(id, async ({ repositories }) => (await repositories.visible()).find(({ key }) => key === made.key));
      const name = made.key.slice(made.key.indexOf('~') + 1);
      expect(await visible(mine)).to.deep.equal({ key: made.key, name, full_name: null, own: true, shared: true });
      expect(await visible(theirs)).to.deep.equal({ key: made.key, name, full_name: null, own: false, shared: true });
      await store().repositories.share(made.key, false);
      expect(await seen(theirs, made)).to.deep.equal([false]);
      expect(await store().repositories.share(unique('none'), true)).to.equal(false);
    });

    it('shares with a repository what was minted from it, where the forge says that it is the same', async () => {
      const [mine, full, other] = [await organization(unique('org')), unique('acme/shop'), unique('acme/till')];
      const { repositories } = store();
      const claimed = (name: string, fullName: string) => repositories.claim(mine, name, fullName);
      const keys = [await claimed('shop', full), await claimed(full, full)];
      const others = [
        await claimed('my-shop', full),
        await claimed(other, other),
        await claimed('toy', 'local/toy'),
        await claimed('local/toy', 'local/toy'),
      ];
      const shared = async () =>
        (await repositories.list()).flatMap(({ key, shared: is }) =>
          is && [...keys, ...others].includes(key) ? [key] : [],
        );
      await repositories.share(keys[0] ?? '', true);
      expect(await shared()).to.have.members(keys);
      await repositories.share(keys[0] ?? '', false);
      await repositories.share(others[2] ?? '', true);
      expect(await shared()).to.have.members([others[2]]);
      await repositories.share(others[2] ?? '', false);
    });

    it('shows nobody what is kept under a key that nobody has claimed', async () => {
      const mine = await organization();
      const { snapshots } = store();
      const name = unique('repo');
      await snapshots.save(repository(name), 'g', [Buffer.from('x')]);
      expect(await tenant(mine, (own) => own.snapshots.get(name))).to.equal(null);
    });

    it('keeps task instances of one id apart by repository, and gives an organization its own', async () => {
      const [mine, theirs] = [await organization(), await organization()];
      const name = unique('acme/shop');
      const instanceId = `${name.replace('/', '__')}-1`;
      const first = await filled(theirs, name, instanceId);
      await store().repositories.share(first.key, true);
      const repoOf = (id: string) =>
        tenant(id, async ({ taskInstances }) => (await taskInstances.get(instanceId))?.repo);
      expect(await repoOf(mine)).to.equal(first.key);
      const second = await filled(mine, name, instanceId);
      expect([await repoOf(mine), await repoOf(theirs)]).to.deep.equal([second.key, first.key]);
      await store().repositories.share(first.key, false);
      expect([await repoOf(mine), await repoOf(theirs)]).to.deep.equal([second.key, first.key]);
      const both = (await Array.fromAsync(store().taskInstances.each())).filter(
        ({ instance_id: id }) => id === instanceId,
      );
      expect(both.map(({ repo }) => repo)).to.deep.equal([first.key, second.key].toSorted());
    });

    it('keeps evaluation runs of one name apart by organization', async () => {
      const [mine, theirs] = [await organization(), await organization()];
      const run = evaluationRun({ run_id: unique('run'), solved: 1 });
      await tenant(mine, ({ evaluationRuns }) => evaluationRuns.save(run));
      await tenant(theirs, ({ evaluationRuns }) => evaluationRuns.save({ ...run, solved: 2 }));
      const solved = (id: string) =>
        tenant(id, async ({ evaluationRuns }) =>
          (await evaluationRuns.list(page)).items
            .filter(({ run_id }) => run_id === run.run_id)
            .map((each) => each.solved),
        );
      expect([await solved(mine), await solved(theirs)]).to.deep.equal([[1], [2]]);
    });

    it('is forgotten when nothing is kept under its key any more', async () => {
      const mine = await organization();
      const { repositories, snapshots } = store();
      const made = await filled(mine, unique('repo'));
      expect(await repositories.remove(made.key)).to.equal(false);
      await snapshots.remove(made.key);
      // Its task instances are still there.
      expect(await repositories.remove(made.key)).to.equal(false);
      const key = await claim(mine, unique('repo'));
      expect(await repositories.remove(key)).to.equal(true);
      expect(await repositories.remove(key)).to.equal(false);
      expect(await repositories.get(key)).to.equal(null);
    });
  });
}
