import { expect } from 'chai';
import fc from 'fast-check';
import { linksByWorld, usageByWorld, type Placed } from '../../loaders/worlds.ts';
import type { RepositoryInfo } from '../../src/model/snapshot.ts';
import { repository } from '../contract/relational-store.ts';

const npm = (name: string) => ({ ecosystem: 'npm' as const, name });
const need = (name: string): RepositoryInfo['requires'][number] => ({
  ...npm(name),
  range: null,
  scope: 'runtime',
  path: 'package.json',
  line: 1,
  imports: 1,
});

/** One that publishes a package and needs others. */
const place = (owner: string, key: string, publishes: string, needs: string[], shared = false): Placed => ({
  owner,
  shared,
  info: { ...repository(key), fingerprint: key, publishes: [npm(publishes)], requires: needs.map(need) },
});

const edgesOf = async (repositories: readonly Placed[]) => {
  const found = linksByWorld(repositories).map(({ edges }) => edges(() => Promise.resolve(null)));
  return (await Promise.all(found)).flat();
};
const links = async (repositories: readonly Placed[]) =>
  (await edgesOf(repositories))
    .filter(({ type }) => type === 'DEPENDS_ON')
    .map(({ from, to }) => `${from} → ${to}`)
    .toSorted();

describe('links and usage by organization', () => {
  const lib = place('acme', 'acme~lib', 'lib', []);
  const app = place('acme', 'acme~app', 'app', ['lib']);
  const theirLib = place('bolt', 'bolt~lib', 'lib', []);
  const theirApp = place('bolt', 'bolt~app', 'app', ['lib']);

  it('links what an organization owns to its own, and not to what others own', async () => {
    const all = [lib, app, theirLib, theirApp];
    expect(await links(all)).to.deep.equal(['acme~app → acme~lib', 'bolt~app → bolt~lib']);
    expect(Object.fromEntries(usageByWorld(all))).to.deep.equal({ 'acme~lib': 1, 'bolt~lib': 1 });
  });

  it('links to what is shared; whom it serves is counted of shared ones alone', async () => {
    const open = { ...lib, shared: true };
    expect(await links([open, app, theirApp])).to.deep.equal(['acme~app → acme~lib', 'bolt~app → acme~lib']);
    expect(Object.fromEntries(usageByWorld([open, theirApp]))).to.deep.equal({});
    expect(Object.fromEntries(usageByWorld([open, { ...theirApp, shared: true }, app]))).to.deep.equal({
      'acme~lib': 1,
    });
    // A private one does not serve others, shared or not.
    expect(Object.fromEntries(usageByWorld([lib, { ...theirApp, shared: true }]))).to.deep.equal({});
  });

  it('tells of another organization’s private repositories nothing, whatever there is', async () => {
    const packages = fc.constantFrom('a', 'b', 'c', 'd');
    const some = fc.uniqueArray(
      fc.record({
        owner: fc.constantFrom('acme', 'bolt', 'core'),
        name: fc.constantFrom('one', 'two', 'three', 'four'),
        publishes: packages,
        needs: fc.uniqueArray(packages),
        answers: fc.uniqueArray(packages),
        asks: fc.uniqueArray(packages),
        shared: fc.boolean(),
      }),
      { selector: ({ owner, name }) => `${owner}~${name}`, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(some, async (made) => {
        const all = made.map(({ answers, asks, ...each }) => {
          const { info, ...of } = place(
            each.owner,
            `${each.owner}~${each.name}`,
            each.publishes,
            each.needs,
            each.shared,
          );
          const endpoints = answers.map((path) => ({ method: 'GET', path: `/${path}` }));
          const requests = asks.map((path) => ({
            method: 'GET',
            path: `/${path}`,
            host: null,
            file: 'src/main.js',
            line: 1,
            count: 1,
          }));
          return { ...of, info: { ...info, endpoints, requests } };
        });
        const visible = all.filter(({ owner, shared }) => owner === 'acme' || shared);
        const seen = new Set(visible.map(({ info }) => info.name));
        const amongSeen = async (of: readonly Placed[]) =>
          (await edgesOf(of))
            .filter(({ from, to }) => seen.has(from) && seen.has(to))
            .map((edge) => JSON.stringify(edge))
            .toSorted();
        expect(await amongSeen(all)).to.deep.equal(await amongSeen(visible));
        const [usage, alone] = [usageByWorld(all), usageByWorld(visible)];
        for (const name of seen) expect([name, usage.get(name)]).to.deep.equal([name, alone.get(name)]);
      }),
    );
  });
});
