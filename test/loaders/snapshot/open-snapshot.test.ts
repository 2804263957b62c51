import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { remotesOf } from '../../../loaders/snapshot/full-name.ts';
import { openSnapshot } from '../../../loaders/snapshot/open-snapshot.ts';
import { gitRepository, temporaryFolder, writeFiles } from '../../support/git-repository.ts';
import { readAll } from '../../support/read-all.ts';

describe('loaders/snapshot: what a snapshot holds', () => {
  it('is the commit at HEAD: what is changed, added or removed without a commit is not read', async () => {
    using repository = gitRepository({ files: { 'a.py': 'committed', 'b.py': 'kept' } });
    repository.write({ 'a.py': 'changed', 'b.py': null, 'c.py': 'new' });
    repository.git('add', 'c.py');
    expect(await readAll(await openSnapshot(repository.path))).to.deep.equal({ 'a.py': 'committed', 'b.py': 'kept' });
  });

  it('stays at its commit when the branch moves, or is rewritten, while it is read', async () => {
    using repository = gitRepository({ files: { 'a.py': 'one', 'b.py': 'one' } });
    const snapshot = await openSnapshot(repository.path);
    const seen: string[] = [];
    for await (const { content } of snapshot.read(['a.py', 'b.py'])) {
      seen.push(Buffer.from(content ?? '').toString());
      repository.commit('Move', { files: { 'a.py': 'two', 'b.py': 'two' } });
    }
    expect(seen).to.deep.equal(['one', 'one']);
    expect(await readAll(snapshot)).to.deep.equal({ 'a.py': 'one', 'b.py': 'one' });
    const commits = [];
    for await (const commit of snapshot.history()) commits.push(commit.id);
    expect(commits).to.deep.equal([snapshot.commit]);
  });

  it('says its commit, branch, time and tree as git does', async () => {
    using repository = gitRepository({ files: { 'a.py': 'x' } });
    const snapshot = await openSnapshot(repository.path);
    expect(snapshot).to.include({
      name: 'repository',
      source: repository.path,
      commit: repository.git('rev-parse', 'HEAD').trim(),
      branch: 'main',
      committedAt: '2024-01-01T00:01:00.000Z',
      treeId: repository.git('rev-parse', 'HEAD^{tree}').trim(),
    });
    expect(snapshot.warnings).to.deep.equal([]);
  });

  it('names contents as git does, with git and without', async () => {
    using repository = gitRepository({ files: { 'a.py': 'print("ä")\n', 'src/b.go': 'package b\n', empty: '' } });
    const ids = Object.fromEntries(
      ['a.py', 'empty', 'src/b.go'].map((path) => [path, repository.git('rev-parse', `HEAD:${path}`).trim()]),
    );
    const idsOf = async () =>
      Object.fromEntries((await openSnapshot(repository.path)).files.map(({ path, blobId }) => [path, blobId]));
    expect(await idsOf()).to.deep.equal(ids);
    rmSync(join(repository.path, '.git'), { recursive: true });
    expect(await idsOf()).to.deep.equal(ids);
  });

  it('takes the branch, tag or commit that is asked for', async () => {
    using repository = gitRepository({ files: { 'a.py': 'one' } });
    const first = repository.git('rev-parse', 'HEAD').trim();
    repository.git('tag', 'v1');
    repository.git('branch', 'old');
    repository.commit('Change', { files: { 'a.py': 'two' } });
    for (const ref of ['v1', 'old', first, 'HEAD~1']) {
      const snapshot = await openSnapshot(repository.path, { ref });
      expect(await readAll(snapshot), ref).to.deep.equal({ 'a.py': 'one' });
      expect(snapshot.branch, ref).to.equal(ref === 'old' ? 'old' : null);
    }
  });

  it('reads a bare repository, a linked worktree, a detached HEAD and a symlink to a repository', async () => {
    using repository = gitRepository({ files: { 'a.py': 'one' } });
    const beside = (name: string) => join(repository.path, '..', name);
    repository.git('clone', '--quiet', '--bare', '.', beside('koa.git'));
    repository.git('worktree', 'add', '--quiet', '-b', 'side', beside('worktree'));
    writeFiles(beside(''), { link: { symlink: 'repository' }, 'worktree/a.py': 'not committed' });
    for (const [path, name, branch] of [
      ['koa.git', 'koa', 'main'],
      ['worktree', 'worktree', 'side'],
      ['link', 'link', 'main'],
    ] as const) {
      const snapshot = await openSnapshot(beside(path));
      expect(await readAll(snapshot), path).to.deep.equal({ 'a.py': 'one' });
      expect(snapshot, path).to.include({ name, branch });
    }
    repository.git('checkout', '--quiet', '--detach');
    expect(await openSnapshot(repository.path)).to.include({ branch: null, name: 'repository' });
  });

  it('reads a folder without git as it lies on the disk, also when it is a folder of a repository', async () => {
    using repository = gitRepository({ files: { 'a.py': 'outside', 'sub/b.py': 'committed' } });
    repository.write({ 'sub/b.py': 'on disk', 'sub/.gitattributes': 'gen/* linguist-generated', 'sub/gen/c.py': '' });
    const snapshot = await openSnapshot(join(repository.path, 'sub'));
    expect(await readAll(snapshot)).to.deep.equal({ '.gitattributes': 'gen/* linguist-generated', 'b.py': 'on disk' });
    expect(snapshot).to.include({ commit: null, branch: null, committedAt: null });
    expect(snapshot.skipped).to.deep.equal([{ path: 'gen/c.py', reason: 'generated' }]);
    expect(snapshot.warnings.join()).to.contain('not_a_git_repository');
    for await (const commit of snapshot.history()) expect.fail(`there is no history, but ${commit.id}`);
  });

  it('has another tree id exactly when something that is read changes', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'a.py': 'one', 'b.py': 'two' });
    const first = (await openSnapshot(folder)).treeId;
    expect((await openSnapshot(folder)).treeId).to.equal(first);
    writeFiles(folder, { 'b.py': 'three' });
    const second = (await openSnapshot(folder)).treeId;
    writeFiles(folder, { 'b.py': null, 'c.py': 'three' });
    expect(new Set([first, second, (await openSnapshot(folder)).treeId]).size).to.equal(3);
    rmSync(folder, { recursive: true });
  });

  it('gives a file of a folder that was changed after the opening as unreadable, never under the old content’s id', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { 'a.py': 'one', 'b.py': 'two' });
    const snapshot = await openSnapshot(folder);
    writeFiles(folder, { 'a.py': 'changed' });
    expect(await readAll(snapshot)).to.deep.equal({ 'a.py': null, 'b.py': 'two' });
    rmSync(folder, { recursive: true });
  });

  it('reads every name that a file can have', async () => {
    const names = [
      'with space.py',
      'line\nbreak.py',
      'tab\t.py',
      '"quoted".py',
      "it's.py",
      '-dash.py',
      '--option.py',
      'ünï/çødé 漢字 🎉.py',
      'back\\slash.py',
      '*?[x].py',
      ':colon.py',
      '#hash.py',
      'a/.hidden.py',
    ];
    using repository = gitRepository({ files: Object.fromEntries(names.map((name) => [name, `# ${name}`])) });
    const expected = Object.fromEntries(names.map((name) => [name, `# ${name}`]));
    expect(await readAll(await openSnapshot(repository.path))).to.deep.equal(expected);
    rmSync(join(repository.path, '.git'), { recursive: true });
    expect(await readAll(await openSnapshot(repository.path))).to.deep.equal(expected);
  });

  it('is not led elsewhere by git’s variables in the environment, as a git hook sets them', async () => {
    using other = gitRepository({ files: { 'other.py': '' } });
    using repository = gitRepository({ files: { 'a.py': 'one' } });
    const set = { GIT_DIR: join(other.path, '.git'), GIT_INDEX_FILE: '/nowhere', GIT_WORK_TREE: other.path };
    Object.assign(process.env, set);
    try {
      expect(await readAll(await openSnapshot(repository.path))).to.deep.equal({ 'a.py': 'one' });
    } finally {
      for (const name of Object.keys(set)) delete process.env[name];
    }
  });

  it('opens a repository whose files belong to somebody else', async function () {
    if (process.getuid?.() !== 0) return this.skip();
    using repository = gitRepository({ files: { 'a.py': 'one' } });
    execFileSync('chown', ['-R', '65534', repository.path]);
    expect(() => repository.git('status')).to.throw(/dubious ownership/);
    expect(await readAll(await openSnapshot(repository.path))).to.deep.equal({ 'a.py': 'one' });
  });

  it('runs no program that the repository’s own settings name', async () => {
    using repository = gitRepository({ files: { 'a.py': 'one\n', '.gitattributes': '*.py diff=trap filter=trap' } });
    repository.commit('Change', { files: { 'a.py': 'two\n' } });
    const marker = join(repository.path, '..', 'marker');
    const trap = join(repository.path, '..', 'trap');
    writeFiles(join(repository.path, '..'), {
      trap: { executable: `#!/bin/sh\ntouch ${marker}\ncat "$1" 2>/dev/null\n` },
    });
    for (const key of [
      'core.fsmonitor',
      'core.pager',
      'pager.log',
      'diff.external',
      'diff.trap.textconv',
      'diff.trap.command',
      'filter.trap.smudge',
      'filter.trap.process',
      'gpg.program',
      'core.sshCommand',
      'credential.helper',
      'uploadpack.packObjectsHook',
    ])
      repository.git('config', key, trap);
    repository.git('config', 'log.showSignature', 'true');
    repository.git('config', 'core.hooksPath', join(repository.path, '..'));
    const snapshot = await openSnapshot(repository.path);
    await readAll(snapshot);
    for await (const { changes } of snapshot.history()) expect(changes).to.have.length.greaterThan(0);
    expect(existsSync(marker), 'something ran').to.equal(false);
    expect(() => repository.git('log', '-p', '--textconv', '-1')).to.throw();
    expect(existsSync(marker), 'the trap itself works').to.equal(true);
  });

  it('is partial where git says so, and not where an address is missing', async () => {
    using repository = gitRepository({ files: { 'a.py': 'x' } });
    const settings = join(repository.path, '.git');
    appendFileSync(join(settings, 'config'), '[remote "origin"]\n\turl\n');
    expect(await remotesOf(settings)).to.deep.equal({ origin: '', isPartial: false });
    const url = 'https://example.com/ann/a.git';
    appendFileSync(join(settings, 'config'), `\turl = ${url}\n`);
    expect(await remotesOf(settings)).to.deep.equal({ origin: url, isPartial: false });
    appendFileSync(join(settings, 'config'), '\tpromisor = true\n');
    expect(await remotesOf(settings)).to.deep.equal({ origin: url, isPartial: true });
  });
});
