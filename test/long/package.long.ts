import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { get, keyIn, runProgram, startRepoIntel } from '../support/cli.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import { machineAt, packInto } from '../support/package.ts';
import { skipOrFail } from '../support/required.ts';

const paths = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
const sizeOf = (folder: string) =>
  paths(folder).reduce((sum, path) => {
    const found = lstatSync(join(folder, path));
    return sum + (found.isFile() ? found.size : 0);
  }, 0);

describe('the package, installed by npm into an empty prefix', () => {
  let folder: string;
  let prefix: string;
  let machine: Record<string, string>;
  before(function () {
    this.timeout(600_000);
    folder = temporaryFolder();
    prefix = join(folder, 'prefix');
    for (const each of [prefix, join(folder, 'packed'), join(folder, 'elsewhere')]) mkdirSync(each);
    const tarball = packInto(join(folder, 'packed'));
    try {
      const install = ['install', '--global', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', prefix];
      execFileSync('npm', [...install, tarball], { cwd: folder, stdio: 'pipe' });
    } catch (error) {
      skipOrFail(this, `npm can't install what the package depends on: ${String(error).split('\n')[0]}`, error);
    }
    machine = machineAt(folder, [join(prefix, 'bin')]);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('takes at most 250 MB with all that it depends on, none of which has an install script', () => {
    expect(sizeOf(prefix)).to.be.lessThan(250e6);
    const scripts = paths(prefix)
      .filter((path) => /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path))
      .filter((path) => /"(?:pre|post)?install"\s*:/.test(readFileSync(join(prefix, path), 'utf8')));
    expect(scripts).to.deep.equal([]);
  });

  it('is a command that says its version and what it can do, and that serves a repository; it writes nothing elsewhere', async () => {
    using repository = gitRepository({
      name: 'shop',
      files: { 'cart.py': 'def total():\n    return price()\n\ndef price():\n    return 1\n' },
    });
    const installed = paths(prefix);
    const program = { launcher: join(prefix, 'bin/repo-intel'), cwd: join(folder, 'elsewhere') };
    const version = await runProgram(program, ['--version'], machine);
    expect(version).to.deep.include({ code: 0, stderr: '' });
    const help = await runProgram(program, ['--help'], machine);
    expect(help.code).to.equal(0);
    expect(help.stdout).to.include('repo-intel up');

    const service = await startRepoIntel(['up', repository.path], machine, program);
    try {
      const key = keyIn(service.stdout());
      const { body } = await get<{ items: { name: string; path: string | null }[] }>(
        service.address,
        '/api/search?q=price',
        key,
      );
      expect(body.items.map(({ name, path }) => `${path} ${name}`)).to.include('cart.py price');
      for (const page of ['/explorer', '/docs'])
        expect((await fetch(service.address + page)).status, page).to.equal(200);
    } finally {
      await service.stop();
    }
    const here = { ...program, cwd: repository.path };
    const asked = await runProgram(here, ['callers', 'price'], machine);
    await runProgram(here, ['stop'], machine);
    expect(asked.stdout, asked.stderr).to.include('1 of 1').and.to.include('cart.py:1');
    expect(repository.git('status', '--porcelain', '--ignored')).to.equal('');
    expect(paths(prefix)).to.deep.equal(installed);
    expect([paths(join(folder, 'elsewhere')), paths(join(folder, 'tmp'))]).to.deep.equal([[], []]);
    expect(paths(join(folder, 'home')).filter((path) => !path.startsWith('.local/share/repo-intel/'))).to.deep.equal([
      '.local',
      '.local/share',
      '.local/share/repo-intel',
    ]);
    expect(paths(join(folder, 'home/.local/share/repo-intel/data'))).to.include.members(['graph.sqlite', 'pepper']);
  });
});
