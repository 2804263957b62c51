import { join } from 'node:path';
import { expect } from 'chai';
import { loadOne } from '../../loaders/load.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';

describe('a load', () => {
  /** What it writes, where the owner's repository has these keys one after the other. */
  const load = async (...keys: string[]) => {
    using repository = gitRepository({ name: 'quay', files: { 'a.js': 'export function land() {}\n' } });
    const folder = temporaryFolder();
    const written: string[] = [];
    const outcome = await loadOne(repository.path, {
      held: () => Promise.resolve([]),
      claim: () => Promise.resolve(keys.shift() ?? ''),
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
    const { outcome, written } = await load('acme~quay', 'acme~quay');
    expect(outcome).to.include({ status: 'loaded', repository: 'quay' });
    expect(written).to.include.members(['acme~quay', 'acme~quay/a.js#land']);
    expect(written.filter((id) => !id.startsWith('acme~quay') && !id.startsWith('contributor:'))).to.deep.equal([]);
  });

  it('writes nothing where the repository was removed meanwhile and has another key now', async () => {
    const { outcome, written } = await load('quay', 'acme~quay');
    expect(outcome).to.include({ status: 'failed', error: 'quay was removed meanwhile: load it again.', retry: true });
    expect(written).to.deep.equal([]);
  });
});
