import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkout } from '../../../loaders/snapshot/checkout.ts';
import { missingSubmodules } from '../../../loaders/snapshot/submodules.ts';
import { gitRepository, temporaryFolder } from '../../support/git-repository.ts';

describe('a checkout of a commit with submodules', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A repository with the submodule `name` at `path`, and what is checked out of it. */
  async function checkedOut(options: { gitmodules?: string; before?: (gitDir: string) => void }) {
    using inner = gitRepository({ files: { 'a.json': '1' } });
    const first = inner.git('rev-parse', 'HEAD').trim();
    inner.commit('Of later', { files: { 'a.json': '2' } });
    using outer = gitRepository({ files: { 'read.js': '' } });
    outer.git(
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      '--name',
      'cases',
      inner.path,
      'test/cases',
    );
    outer.git('-C', 'test/cases', 'checkout', '--quiet', first);
    if (options.gitmodules !== undefined) outer.write({ '.gitmodules': options.gitmodules });
    const commit = outer.commit('Cases lie elsewhere');
    const gitDir = join(outer.path, '.git');
    options.before?.(gitDir);
    const to = join(folder, 'tree');
    const missing = await checkout({ gitDir, commit, folder: to });
    expect(await missingSubmodules(gitDir, commit)).to.deep.equal(missing);
    return { to, first, missing };
  }

  it('names what is not at hand of the submodules of a submodule', async () => {
    using deepest = gitRepository({ files: { 'b.json': '1' } });
    using outer = gitRepository({ files: { 'read.js': '' } });
    using inner = gitRepository({ files: { 'a.json': '1' } });
    for (const [where, what, at] of [
      [inner, deepest, 'b'],
      [outer, inner, 'a'],
    ] as const) {
      where.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', what.path, at);
      where.commit('More lies elsewhere');
    }
    const commit = outer.git('rev-parse', 'HEAD').trim();
    const gitDir = join(outer.path, '.git');
    expect(await missingSubmodules(gitDir, commit)).to.deep.equal(['a/b']);
    expect(await checkout({ gitDir, commit, folder: join(folder, 'tree') })).to.deep.equal(['a/b']);
    outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init', '--recursive');
    expect(await missingSubmodules(gitDir, commit)).to.deep.equal([]);
  });

  it('has those that are at hand, at the commit that it names, without their history or where they are from', async () => {
    const { to, missing } = await checkedOut({});
    expect(readFileSync(join(to, 'test/cases/a.json'), 'utf8')).to.equal('1');
    expect(missing).to.deep.equal([]);
    expect(readFileSync(join(to, 'test/cases/.git/config'), 'utf8')).to.not.include('remote');
  });

  it('has empty folders for others, and tells which', async () => {
    const { to, missing } = await checkedOut({
      before: (gitDir) => renameSync(join(gitDir, 'modules/cases'), join(gitDir, 'gone')),
    });
    expect(readdirSync(join(to, 'test/cases'))).to.deep.equal([]);
    expect(missing).to.deep.equal(['test/cases']);
  });

  it('follows no name or path that leads elsewhere', async () => {
    for (const [name, path] of [
      ['../../elsewhere', 'test/cases'],
      ['cases', '../tree/test/cases'],
      ['cases', '.git/cases'],
      ['cases', '/test/cases'],
    ]) {
      const gitmodules = `[submodule "${name}"]\n\tpath = ${path}\n\turl = ../inner\n`;
      const before = (gitDir: string) => renameSync(join(gitDir, 'modules/cases'), join(gitDir, '../elsewhere'));
      const { to } = await checkedOut({ gitmodules, ...(name === 'cases' ? {} : { before }) });
      expect(readdirSync(join(to, 'test/cases')), gitmodules).to.deep.equal([]);
      expect(existsSync(join(to, '.git/cases'))).to.equal(false);
      rmSync(to, { recursive: true });
    }
  });
});
