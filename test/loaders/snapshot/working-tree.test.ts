import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { lookAtWorkTree, openWorkingTree } from '../../../loaders/snapshot/working-tree.ts';
import { gitRepository } from '../../support/git-repository.ts';
import type { GitRepository } from '../../support/git-repository.ts';

const files = { 'a.py': 'def a():\n    pass\n', 'deep/b.py': 'def b():\n    pass\n' };

describe('a work tree as a commit', () => {
  let repository: GitRepository;
  beforeEach(() => {
    repository = gitRepository({ files });
  });
  afterEach(() => repository.remove());

  /** What differs from HEAD in this folder, as `git show` says it of the commit. */
  const changes = async (root = repository.path) => {
    const tree = await openWorkingTree(root);
    if (tree === null) return null;
    try {
      const shown = repository.git(
        '--git-dir',
        tree.gitDir,
        'show',
        '--name-status',
        '--no-renames',
        '--format=%P',
        'HEAD',
      );
      const [parent, ...lines] = shown.split('\n').filter(Boolean);
      expect(parent).to.equal(tree.head);
      expect(lines).to.have.length(tree.files);
      return lines.map((line) => line.replace('\t', ' '));
    } finally {
      await tree.close();
      expect(existsSync(tree.gitDir)).to.equal(false);
    }
  };
  const edit = (root = repository.path) => writeFileSync(join(root, 'a.py'), 'def other():\n    pass\n');
  const beside = (name: string) => join(repository.path, '..', name);

  it('is the same commit for the same tree, and none where nothing differs', async () => {
    expect(await changes()).to.equal(null);
    utimesSync(join(repository.path, 'a.py'), 1, 1);
    const touched = (await lookAtWorkTree(repository.path))?.stamp;
    expect(touched, 'files are not read to tell').to.be.a('string');
    expect(await changes()).to.equal(null);
    edit();
    const edited = (await lookAtWorkTree(repository.path))?.stamp;
    expect(edited).to.be.a('string').and.not.to.equal(touched);
    expect((await lookAtWorkTree(repository.path))?.stamp).to.equal(edited);
    const [one, two] = [await openWorkingTree(repository.path), await openWorkingTree(repository.path)];
    await Promise.all([one?.close(), two?.close()]);
    expect(one?.commit)
      .to.equal(two?.commit)
      .and.to.match(/^[0-9a-f]{40}$/);
  });

  it('has what is edited, new, removed, and a file where a folder was', async () => {
    rmSync(join(repository.path, 'deep'), { recursive: true });
    repository.write({ deep: 'now a file', 'a.py': null, 'a.py/c.py': 'new', ':(top)x.py': 'odd', '-f.py': 'odd' });
    expect(await changes()).to.have.members([
      'D a.py',
      'A a.py/c.py',
      'A deep',
      'D deep/b.py',
      'A :(top)x.py',
      'A -f.py',
    ]);
  });

  it('has no file that git ignores, none of a repository within, and none that is very large', async () => {
    repository.write({
      '.gitignore': 'build\n',
      'build/a.py': 'ignored',
      'inner/.git/HEAD': 'ref: refs/heads/main\n',
      'inner/.git/objects/x': '',
      'inner/.git/refs/x': '',
      'inner/d.py': 'of another',
      'large.sql': 'x'.repeat(5_000_001),
    });
    expect(await changes()).to.deep.equal(['A .gitignore']);
  });

  it('is read in a linked work tree, a detached, a sparse, a shallow and a partial clone, and with an index in parts', async () => {
    repository.git('worktree', 'add', '--quiet', beside('linked'));
    repository.git('config', 'uploadpack.allowFilter', 'true');
    const url = `file://${repository.path}`;
    const clones: Record<string, string[]> = {
      detached: [],
      sparse: [],
      parts: [],
      shallow: ['--depth=1'],
      partial: ['--filter=blob:none'],
    };
    for (const [name, flags] of Object.entries(clones)) repository.git('clone', '--quiet', ...flags, url, beside(name));
    repository.git('-C', beside('detached'), 'checkout', '--quiet', '--detach');
    repository.git('-C', beside('sparse'), 'sparse-checkout', 'set', '--no-cone', '/a.py');
    repository.git('-C', beside('parts'), 'update-index', '--split-index');
    for (const name of ['linked', ...Object.keys(clones)]) {
      edit(beside(name));
      expect(await changes(beside(name)), name).to.deep.equal(['M a.py']);
    }
  });

  it('has both sides of a merge with conflicts', async () => {
    repository.git('checkout', '--quiet', '-b', 'side');
    repository.commit('One', { files: { 'a.py': 'one\n' } });
    repository.git('checkout', '--quiet', 'main');
    repository.commit('Two', { files: { 'a.py': 'two\n' } });
    expect(() => repository.git('merge', 'side')).to.throw();
    expect(readFileSync(join(repository.path, 'a.py'), 'utf8')).to.include('<<<<<<<');
    expect(await changes()).to.deep.equal(['M a.py']);
  });

  it('starts nothing that the settings of a submodule name', async () => {
    const inner = gitRepository({ files: { f: '1' } });
    try {
      repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `file://${inner.path}`, 'sub');
      repository.git('commit', '--quiet', '-m', 'Submodule');
      const trap = join(inner.path, 'trap');
      for (const setting of ['core.fsmonitor', 'filter.trap.clean'])
        repository.git('-C', 'sub', 'config', setting, `touch ${trap}; cat`);
      repository.write({ 'sub/.gitattributes': '* filter=trap\n', 'sub/f': '2' });
      edit();
      await lookAtWorkTree(repository.path);
      expect(await changes()).to.deep.equal(['M a.py']);
      expect(existsSync(trap)).to.equal(false);
      repository.git('status');
      expect(existsSync(trap), 'git itself does').to.equal(true);
    } finally {
      inner.remove();
    }
  });
});
