import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repoIntel } from '../support/cli.ts';
import { gitRepository, temporaryFolder, writeFiles } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';

interface File {
  digest: string;
  repositories: { name: string; commit: string; as_of: string; metrics: Record<string, { value?: number }> }[];
  left_out: { name: string; reason: string }[];
}

describe('repo-intel population', () => {
  let repository: GitRepository;
  let folder: string;
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as File;

  before(() => {
    folder = temporaryFolder();
    repository = gitRepository({ name: 'ledger' });
    for (let day = 1; day <= 12; day++)
      repository.commit(`Change ${day}`, {
        files: { 'src/book.py': `def price(a):\n    return a * ${day}\n`, 'README.md': 'Secretly named.\n' },
        author: { name: 'Quite Unmistakable', email: 'quite@unmistakable.example' },
      });
    execFileSync('git', ['clone', '-q', '--depth', '3', `file://${repository.path}`, join(folder, 'shallow')]);
    writeFiles(join(folder, 'plain'), { 'a.py': 'A = 1\n' });
  });
  after(() => {
    repository.remove();
    rmSync(folder, { recursive: true });
  });

  it('adds the figures of each repository, and names what is not whole without failing', async () => {
    const file = join(folder, 'own.json');
    const paths = ['nowhere', 'shallow', 'plain'].map((name) => join(folder, name));
    const { code, stderr } = await repoIntel(['population', file, ...paths, repository.path, '--as-of', '2024-03-01']);
    expect(stderr).to.include('1 repositories, 3 left out');
    expect(code).to.equal(0);
    const { repositories, left_out } = read('own.json');
    expect(repositories.map(({ name, as_of }) => [name, as_of])).to.deep.equal([['ledger', '2024-03-01']]);
    expect(repositories[0]?.commit).to.equal(repository.git('rev-parse', 'HEAD').trim());
    expect(repositories[0]?.metrics['loc_code']?.value).to.equal(2);
    expect(left_out.map(({ name }) => name)).to.deep.equal(['nowhere', 'plain', 'shallow']);
    expect(left_out[2]?.reason).to.equal('its history is cut off');

    const text = readFileSync(file, 'utf8');
    for (const word of ['Unmistakable', 'book.py', 'price', 'Secretly']) expect(text, word).not.to.include(word);
  });

  it('measures a repository that is there anew, and refuses a file that was changed by hand', async () => {
    const file = join(folder, 'again.json');
    for (const day of ['2024-03-01', '2024-04-01'])
      expect(await repoIntel(['population', file, repository.path, '--as-of', day])).to.include({ code: 0 });
    const known = read('again.json');
    expect(known.repositories.map(({ as_of }) => as_of)).to.deep.equal(['2024-04-01']);

    known.repositories[0]!.metrics['loc_code'] = { value: 3 };
    writeFileSync(file, JSON.stringify(known));
    const { code, stderr } = await repoIntel(['population', file, repository.path]);
    expect(code).to.equal(1);
    expect(stderr).to.include('its digest is not of its repositories');
  });

  it('is made of a drawn list by one command, which goes on where it was and leaves one out that is not to be had', () => {
    const drawn = join(folder, 'drawn.json');
    const out = join(folder, 'drawn-population.json');
    writeFileSync(drawn, JSON.stringify({ lists: [{ listed: ['ledger', 'missing'], removed: ['ledger'] }] }));
    const from = `file://${join(repository.path, '..')}/`;
    const run = () =>
      execFileSync(
        process.execPath,
        [
          join(import.meta.dirname, '../../bench/population.ts'),
          join(folder, 'clones'),
          '--drawn',
          drawn,
          '--out',
          out,
          '--from',
          from,
        ],
        { encoding: 'utf8' },
      );
    expect(run()).to.equal('1/2 ledger\n2/2 missing: left out, it could not be cloned\n');
    const first = read('drawn-population.json');
    expect(first.repositories.map(({ name }) => name)).to.deep.equal(['ledger']);
    expect(first.left_out).to.deep.equal([{ name: 'missing', reason: 'it could not be cloned' }]);
    expect(run()).to.equal('');
    expect(read('drawn-population.json')).to.deep.equal(first);
  });
});
