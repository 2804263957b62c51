import { join } from 'node:path';
import { expect } from 'chai';
import { loadOne } from '../../loaders/load.ts';
import { recordFailure, removeRepository, repairRepository, writeSnapshot } from '../../loaders/write.ts';
import { unique } from '../contract/relational-store.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';

describe('a load', () => {
  /** What it writes, where the owner's repository has this key. */
  const load = async (key: string) => {
    using repository = gitRepository({ name: 'quay', files: { 'a.js': 'export function land() {}\n' } });
    const folder = temporaryFolder();
    const written: string[] = [];
    const outcome = await loadOne(repository.path, {
      held: () => Promise.resolve([]),
      claim: () => Promise.resolve(key),
      write({ repository: { name }, nodes, edges }) {
        written.push(name, ...[...nodes].map(({ id }) => id), ...[...edges].map(({ from }) => from));
        return Promise.resolve('written');
      },
      fail: () => Promise.resolve(),
      repair: () => Promise.resolve(),
      cacheFile: join(folder, 'facts.sqlite'),
      clonesFolder: join(folder, 'clones'),
      onProgress: ({ repository: name }) => expect(name).to.equal('quay'),
    });
    return { outcome, written };
  };

  it('keeps a repository under its key, and calls it by its name', async () => {
    const { outcome, written } = await load('acme~quay');
    expect(outcome).to.include({ status: 'loaded', repository: 'quay' });
    expect(written).to.include.members(['acme~quay', 'acme~quay/a.js#land']);
    expect(written.filter((id) => !id.startsWith('acme~quay') && !id.startsWith('contributor:'))).to.deep.equal([]);
  });
});

describeService('a load of what is removed while it is read', (service) => {
  const name = unique('quay');
  let repository: GitRepository;
  before(() => (repository = gitRepository({ name, files: { 'a.js': 'export function land() {}\n' } })));
  const own = async () => {
    const { relational } = service().stores;
    const [organization] = await relational.accounts.organizations();
    return { relational, organization: organization?.id ?? '' };
  };
  const load = async (whileItIsRead: () => Promise<unknown> = () => Promise.resolve()) => {
    const { stores } = service();
    const { relational, organization } = await own();
    const folder = temporaryFolder();
    return loadOne(repository.path, {
      name,
      held: async () => (await relational.snapshots.list()).map(({ repository: key, info }) => ({ name: key, info })),
      claim: (called) => relational.repositories.claim(organization, called),
      async write(snapshot, conditions) {
        await whileItIsRead();
        return writeSnapshot(stores, snapshot, conditions);
      },
      fail: (run, error) => recordFailure(stores, run, error),
      repair: async (key) => void (await repairRepository(stores, key)),
      cacheFile: join(folder, 'facts.sqlite'),
      clonesFolder: join(folder, 'clones'),
      onProgress() {},
    });
  };
  const isThere = async () => (await (await own()).relational.snapshots.get(name)) !== null;
  const removed = { status: 'failed', error: 'It was removed meanwhile: load it again.', retry: false };
  const remove = () => removeRepository(service().stores, name);
  after(async () => {
    await remove();
    repository.remove();
  });

  it('writes nothing, whether it is the first', async () => {
    expect(await load(remove)).to.include(removed);
    expect(await isThere()).to.equal(false);
    expect(await load()).to.include({ status: 'loaded' });
  });

  it('or one was loaded before, and its tasks still are', async () => {
    repository.commit('Change', { files: { 'a.js': 'export function moor() {}\n' } });
    const { relational, organization } = await own();
    const claimAgain = async () => {
      await remove();
      await relational.repositories.claim(organization, name);
    };
    expect(await load(claimAgain)).to.include(removed);
    expect(await isThere()).to.equal(false);
    expect(await load()).to.include({ status: 'loaded' });
  });
});
