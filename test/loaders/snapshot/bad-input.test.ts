import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { inspect } from '../../../loaders/snapshot/inspect.ts';
import { openSnapshot } from '../../../loaders/snapshot/open-snapshot.ts';
import { gitRepository, temporaryFolder, writeFiles, type GitRepository } from '../../support/git-repository.ts';
import { failure, readAll } from '../../support/read-all.ts';

describe('loaders/snapshot: bad input', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const rejects = async (path: string, code: string, ...said: string[]) => {
    const error = await failure(openSnapshot(path));
    expect(error).to.include({ name: 'SnapshotError', code });
    for (const each of [path, ...said]) expect(error.message).to.contain(each);
  };

  it('says of a path that is not there that it is not', () =>
    rejects(join(folder, 'nowhere'), 'not_found', 'check the path'));

  it('says of a file that a folder is wanted', async () => {
    writeFiles(folder, { 'a.py': '' });
    await rejects(join(folder, 'a.py'), 'not_a_repository', 'is a file');
    await rejects(join(folder, 'a.py', 'below'), 'not_found');
  });

  it('says of an empty folder, and of one with nothing but links, that there is no file', async () => {
    await rejects(folder, 'empty');
    writeFiles(folder, { link: { symlink: '/etc/passwd' } });
    await rejects(folder, 'empty');
  });

  it('says of a repository without a commit that there is none, whether it holds files or not', async () => {
    using repository = gitRepository();
    await rejects(repository.path, 'no_commits', 'commit something');
    repository.write({ 'a.py': '' });
    await rejects(repository.path, 'no_commits');
  });

  it('says of a commit without files that it is empty', async () => {
    using repository = gitRepository();
    repository.commit('Nothing');
    await rejects(repository.path, 'empty');
  });

  it('says of a branch that is not there which one', async () => {
    using repository = gitRepository({ files: { 'a.py': '' } });
    for (const ref of ['nosuch', '--output=/tmp/x', 'HEAD:a.py']) {
      const error = await failure(openSnapshot(repository.path, { ref }));
      expect(error, ref).to.include({ code: ref === 'HEAD:a.py' ? 'unreadable' : 'not_found' });
    }
    writeFiles(folder, { 'a.py': '' });
    expect(await failure(openSnapshot(folder, { ref: 'main' }))).to.include({ code: 'not_found' });
  });

  it('says of a damaged .git that it is damaged, and does not take the folder for one without git', async () => {
    using repository = gitRepository({ files: { 'a.py': '' } });
    rmSync(join(repository.path, '.git', 'HEAD'));
    await rejects(repository.path, 'not_a_repository', 'fsck');
  });

  it('says of a repository whose tree is gone that it is damaged', async () => {
    using repository = gitRepository({ files: { 'a/b.py': 'x' } });
    rmSync(objectPath(repository, 'HEAD^{tree}'));
    await rejects(repository.path, 'unreadable', 'fsck');
  });

  it('says of a repository whose commit is gone that it is damaged, not that it has none', async () => {
    using repository = gitRepository({ files: { 'a/b.py': 'x' } });
    rmSync(objectPath(repository, 'HEAD'));
    await rejects(repository.path, 'unreadable');
  });

  it('leaves out files whose objects are missing or damaged, and reads all others', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `f${String(index).padStart(2, '0')}.py`);
    using repository = gitRepository({
      files: Object.fromEntries(names.map((name) => [name, `# ${name}\n`.repeat(100)])),
    });
    rmSync(objectPath(repository, 'HEAD:f03.py'));
    const damaged = objectPath(repository, 'HEAD:f07.py');
    execFileSync('chmod', ['u+w', damaged]);
    truncateSync(damaged, 20);
    writeFileSync(objectPath(repository, 'HEAD:f11.py'), 'no zlib at all', { flag: 'r+' });
    const snapshot = await openSnapshot(repository.path);
    const texts = await readAll(snapshot);
    const missing = names.filter((name) => typeof texts[name] !== 'string');
    expect(missing).to.deep.equal(['f03.py', 'f07.py', 'f11.py']);
    expect(snapshot.skipped.map(({ path, reason }) => `${path} ${reason}`)).to.include('f03.py unreadable');
    expect(snapshot.warnings.join()).to.contain('missing or damaged');
  });

  it('reads a merge though a file is gone that one of its parents had', async () => {
    const lines = Array.from({ length: 50 }, (_, line) => `${line}\n`).join('');
    using repository = gitRepository({ files: { 'a.py': 'one\n', 'old.py': lines } });
    repository.git('checkout', '--quiet', '-b', 'side');
    repository.git('rm', '--quiet', 'old.py');
    repository.commit('Theirs', { files: { 'new.py': `${lines}more\n` } });
    repository.git('checkout', '--quiet', 'main');
    repository.commit('Ours', { files: { 'a.py': 'two\n' } });
    const old = objectPath(repository, 'HEAD:old.py');
    repository.git('merge', '--quiet', '--message=Merged', 'side');
    rmSync(old);
    expect(await readAll(await openSnapshot(repository.path))).to.have.keys('a.py', 'new.py');
  });

  it('goes on with the history where old contents are damaged, without their line counts', async () => {
    using repository = gitRepository({ files: { 'a.py': 'one\n' } });
    repository.commit('Second', { files: { 'a.py': 'two\n' } });
    repository.commit('Third', { files: { 'b.py': 'x\n' } });
    rmSync(objectPath(repository, 'HEAD~2:a.py'));
    const history = [];
    for await (const { subject, changes } of (await openSnapshot(repository.path)).history())
      history.push([subject, changes.map(({ path, added }) => `${path} ${added}`)]);
    expect(history).to.deep.equal([
      ['Third', ['b.py 1']],
      ['Second', ['a.py null']],
      ['Begin', ['a.py null']],
    ]);
    rmSync(objectPath(repository, 'HEAD~1'));
    const broken = async () => {
      for await (const _ of (await openSnapshot(repository.path)).history());
    };
    expect(await failure(broken())).to.include({ name: 'SnapshotError', code: 'unreadable' });
  });

  it('says what to install where there is no git, and reads folders without it', async () => {
    using repository = gitRepository({ files: { 'a.py': 'x' } });
    writeFiles(folder, { 'a.py': 'x' });
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    try {
      const error = await failure(openSnapshot(repository.path));
      expect(error).to.include({ code: 'git_missing' });
      expect(error.message).to.contain('install git');
      expect(await readAll(await openSnapshot(folder))).to.deep.equal({ 'a.py': 'x' });
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('loads a shallow clone, warns, and does not count its oldest commit as the author of everything', async () => {
    using repository = gitRepository({ files: { 'a.py': 'a\n', 'b.py': 'b\n' } });
    repository.commit('Second', { files: { 'a.py': 'a\na\n' } });
    repository.commit('Third', { files: { 'a.py': 'a\na\na\n' } });
    const shallow = join(folder, 'shallow');
    repository.git('clone', '--quiet', '--depth=2', `file://${repository.path}`, shallow);
    const snapshot = await openSnapshot(shallow);
    expect(await readAll(snapshot)).to.have.keys('a.py', 'b.py');
    expect(snapshot.warnings.join()).to.contain('shallow_clone').and.contain('--unshallow');
    const changes = [];
    for await (const commit of snapshot.history()) changes.push(commit.changes.map(({ path, added }) => [path, added]));
    expect(changes).to.deep.equal([[['a.py', 1]], []]);
  });

  it('leaves submodules out and warns', async () => {
    using library = gitRepository({ files: { 'lib.py': '' } });
    using repository = gitRepository({ files: { 'a.py': '' } });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'deps/library');
    repository.commit('Add a submodule');
    const snapshot = await openSnapshot(repository.path);
    expect(snapshot.files.map(({ path }) => path)).to.deep.equal(['.gitmodules', 'a.py']);
    expect(snapshot.skipped).to.deep.equal([{ path: 'deps/library', reason: 'submodule' }]);
    expect(snapshot.warnings.join()).to.contain('one submodule is left out (deps/library)');
    // The submodule's own checkout is a repository: its `.git` is a file.
    expect(await readAll(await openSnapshot(join(repository.path, 'deps/library')))).to.deep.equal({ 'lib.py': '' });
  });

  describe('a .git that leads to another repository', () => {
    /** A folder that somebody gave us, beside a repository that is nobody's business. */
    const intruder = (secret: GitRepository) => {
      const given = join(folder, 'given');
      writeFiles(given, { 'a.py': '' });
      return { given, inside: (path: string) => join(given, path), secrets: join(secret.path, '.git') };
    };
    const ways: Record<string, (places: ReturnType<typeof intruder>, secret: GitRepository) => void> = {
      'a file that names it': ({ inside, secrets }) => writeFileSync(inside('.git'), `gitdir: ${secrets}\n`),
      'a file that names it by a relative path': ({ given, inside, secrets }) =>
        writeFileSync(inside('.git'), `gitdir: ${relative(given, secrets)}\n`),
      'a symlink': ({ inside, secrets }) => symlinkSync(secrets, inside('.git')),
      'a file that names its linked worktree': ({ inside, secrets }, secret) => {
        secret.git('worktree', 'add', '--quiet', join(folder, 'linked'));
        writeFileSync(inside('.git'), `gitdir: ${join(secrets, 'worktrees', 'linked')}\n`);
      },
      'a commondir of its own': ({ given, inside, secrets }) => {
        execFileSync('git', ['init', '--quiet', given]);
        writeFileSync(inside('.git/commondir'), `${secrets}\n`);
      },
      'a worktree of its own making': ({ given, inside, secrets }) => {
        writeFiles(given, {
          'git/worktrees/x/HEAD': 'ref: refs/heads/main\n',
          'git/worktrees/x/commondir': `${secrets}\n`,
        });
        writeFileSync(inside('git/worktrees/x/gitdir'), `${inside('.git')}\n`);
        writeFileSync(inside('.git'), 'gitdir: git/worktrees/x\n');
      },
      'objects and refs that are symlinks': ({ given, inside, secrets }) => {
        execFileSync('git', ['init', '--quiet', given]);
        writeFileSync(inside('.git/HEAD'), readFileSync(join(secrets, 'HEAD')));
        for (const name of ['objects', 'refs']) {
          rmSync(inside(`.git/${name}`), { recursive: true });
          symlinkSync(join(secrets, name), inside(`.git/${name}`));
        }
      },
      'branches that are a symlink, and objects that are shared': ({ given, inside, secrets }) => {
        execFileSync('git', ['init', '--quiet', given]);
        rmSync(inside('.git/refs/heads'), { recursive: true });
        symlinkSync(join(secrets, 'refs/heads'), inside('.git/refs/heads'));
        writeFileSync(inside('.git/HEAD'), readFileSync(join(secrets, 'HEAD')));
        writeFileSync(inside('.git/objects/info/alternates'), `${join(secrets, 'objects')}\n`);
      },
      'no .git, but what a bare repository has': ({ given, secrets }) =>
        writeFiles(given, { HEAD: 'ref: refs/heads/main\n', 'objects/x': '', 'refs/x': '', commondir: `${secrets}\n` }),
    };
    for (const [way, make] of Object.entries(ways))
      it(`is refused: ${way}`, async () => {
        using secret = gitRepository({ files: { 'secret.py': '' } });
        const places = intruder(secret);
        make(places, secret);
        await rejects(places.given, 'not_a_repository', 'name th');
      });

    it('is no reason to refuse what git itself made: a linked worktree, also of a bare repository, and one that was moved and repaired', async () => {
      using repository = gitRepository({ files: { 'a.py': '' } });
      const linked = join(folder, 'linked');
      repository.git('worktree', 'add', '--quiet', linked);
      expect(await readAll(await openSnapshot(linked))).to.deep.equal({ 'a.py': '' });
      const bare = join(folder, 'bare.git');
      repository.git('clone', '--quiet', '--bare', '.', bare);
      execFileSync('git', ['-C', bare, 'worktree', 'add', '--quiet', '--detach', join(folder, 'other')]);
      expect(await readAll(await openSnapshot(join(folder, 'other')))).to.deep.equal({ 'a.py': '' });
      const moved = join(folder, 'moved');
      renameSync(linked, moved);
      await rejects(moved, 'not_a_repository', '`git worktree repair`');
      execFileSync('git', ['-C', moved, 'worktree', 'repair'], { stdio: 'ignore' });
      expect(await readAll(await openSnapshot(moved))).to.deep.equal({ 'a.py': '' });
    });
  });

  it('never follows a symlink: loops, links to the outside and broken ones are listed', async () => {
    const files = {
      'a.py': 'x',
      'loop/back': { symlink: '..' },
      self: { symlink: 'self' },
      'secret.py': { symlink: '/etc/passwd' },
      'broken.py': { symlink: 'nowhere' },
    };
    using repository = gitRepository({ files });
    writeFiles(folder, files);
    for (const path of [repository.path, folder]) {
      const snapshot = await openSnapshot(path);
      expect(await readAll(snapshot)).to.deep.equal({ 'a.py': 'x' });
      expect(snapshot.skipped.map((each) => `${each.path} ${each.reason}`)).to.have.members([
        'broken.py symlink',
        'loop/back symlink',
        'secret.py symlink',
        'self symlink',
      ]);
      for await (const { content } of snapshot.read(['secret.py'])) expect(content).to.equal(null);
    }
  });

  it('leaves a 50 MB minified file out without holding it in memory, with git and without', async function () {
    using repository = gitRepository();
    const big = createWriteStream(join(repository.path, 'bundle.js'));
    const part = 'var a=function(b){return b+1};'.repeat(35_000);
    for (let written = 0; written < 50_000_000; written += part.length) if (!big.write(part)) await once(big, 'drain');
    await finished(big.end());
    repository.commit('Bundle', { files: { 'a.js': 'let a;\n', 'small.min.js': 'x' } });
    const copy = join(folder, 'copy');
    execFileSync('cp', ['-r', repository.path, copy]);
    rmSync(join(copy, '.git'), { recursive: true });
    for (const path of [repository.path, copy]) {
      const before = process.resourceUsage().maxRSS;
      const snapshot = await openSnapshot(path);
      expect(await readAll(snapshot)).to.deep.equal({ 'a.js': 'let a;\n' });
      expect(snapshot.skipped.map((each) => `${each.path} ${each.reason}`)).to.deep.equal([
        'bundle.js too_large',
        'small.min.js minified',
      ]);
      for await (const { content } of snapshot.read(['bundle.js'])) expect(content).to.equal(null);
      expect((process.resourceUsage().maxRSS - before) / 1024, 'MB more at the peak').to.be.below(40);
    }
  });

  it('lists names that are not UTF-8 and reads the rest', async () => {
    using repository = gitRepository({ files: { 'a.py': 'x' } });
    writeFileSync(
      Buffer.concat([Buffer.from(`${repository.path}/latin-`), Buffer.from([0xe9]), Buffer.from('.py')]),
      '',
    );
    repository.commit('Latin');
    for (const withGit of [true, false]) {
      if (!withGit) rmSync(join(repository.path, '.git'), { recursive: true });
      const snapshot = await openSnapshot(repository.path);
      expect(await readAll(snapshot)).to.deep.equal({ 'a.py': 'x' });
      expect(snapshot.skipped).to.deep.equal([
        { path: 'latin-\uFFFD.py', reason: 'not_utf8', detail: 'its name is not UTF-8' },
      ]);
    }
  });

  it('reads a text in any encoding as UTF-8: by its mark, by what it declares, or by a guess', async () => {
    const inBytes = (text: string) => Buffer.from(text, 'latin1');
    const utf16 = Buffer.from('\uFEFFx = "é"', 'utf16le');
    // In Shift JIS the second byte of a character may be a backslash.
    const katakana = '\x83\x8f\x83b\x83Z\x81[\x83W\x82\xf0\x95\\\x8e\xa6\x82\xb5\x82\xdc\x82\xb7';
    const noise = Buffer.from(Array.from({ length: 1_000 }, (_, at) => (at % 251) + 1));
    const files = {
      'declared.py': inBytes('# -*- coding: koi8-r -*-\n# \xf0\xd2\xc9\xd7\xc5\xd4'),
      'declared.xml': inBytes('<?xml version="1.0" encoding="iso-8859-15"?><a>\xa4</a>'),
      'guessed.c': inBytes(`char *s = "${katakana}";`),
      'latin.c': inBytes('// \xa9 J\xfcrgen \x93so\x94'),
      'misdeclared.py': inBytes('# coding: no-such-thing\n# caf\xe9'),
      'noise.c': noise,
      'big.c': Buffer.from(utf16).swap16(),
      'little.c': utf16,
      'utf8.c': '// ©\uFEFF',
    };
    const texts = {
      'declared.py': '# -*- coding: koi8-r -*-\n# Привет',
      'declared.xml': '<?xml version="1.0" encoding="iso-8859-15"?><a>€</a>',
      'guessed.c': 'char *s = "ワッセージを表示します";',
      'latin.c': '// © Jürgen “so”',
      'misdeclared.py': '# coding: no-such-thing\n# café',
      'noise.c': noise.toString(),
      'big.c': 'x = "é"',
      'little.c': 'x = "é"',
      'utf8.c': '// ©\uFEFF',
    };
    using repository = gitRepository({ files });
    expect(await readAll(await openSnapshot(repository.path))).to.deep.equal(texts);
    rmSync(join(repository.path, '.git'), { recursive: true });
    expect(await readAll(await openSnapshot(repository.path))).to.deep.equal(texts);
  });

  it('tells by content what is no text to parse', () => {
    const reason = (path: string, content: string | Uint8Array) => inspect(path, Buffer.from(content));
    expect(reason('a.py', 'print("ä")')).to.equal(null);
    expect(reason('a.py', '')).to.equal(null);
    expect(reason('a.py', Buffer.from('# caf\xe9', 'latin1'))).to.equal('not_utf8');
    expect(reason('a.py', Buffer.from('\uFEFFx = 1', 'utf16le'))).to.equal('not_utf8');
    expect(reason('a.py', 'a\0b')).to.equal('binary');
    expect(reason('a.js', 'x();'.repeat(1_000))).to.equal('minified');
    expect(reason('a.js', 'x();\n'.repeat(1_000))).to.equal(null);
    expect(reason('a.py', `x = "${'x'.repeat(5_000)}"`)).to.equal(null);
    expect(reason('index.js', `module.exports = require(${JSON.stringify('./long/'.repeat(30))});`)).to.equal(null);
    expect(reason('a.js', 'var a;\n//# sourceMappingURL=a.js.map\n')).to.equal('generated');
    expect(reason('a.go', '// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n')).to.equal('generated');
    expect(reason('a.go', 'package a\n')).to.equal(null);
    expect(
      reason('a_pb2.py', '# -*- coding: utf-8 -*-\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n'),
    ).to.equal('generated');
    expect(reason('A.java', '/* The following code was generated by JFlex 1.4 */\nclass A {}')).to.equal('generated');
  });

  it('lists what is no regular file and goes on', async function () {
    if (process.platform === 'win32') return this.skip();
    writeFiles(folder, { 'a.py': 'x' });
    const socket = createServer().listen(join(folder, 'pipe.py'));
    await once(socket, 'listening');
    const snapshot = await openSnapshot(folder);
    expect(await readAll(snapshot)).to.deep.equal({ 'a.py': 'x' });
    expect(snapshot.skipped).to.deep.equal([{ path: 'pipe.py', reason: 'unreadable', detail: 'not a regular file' }]);
    socket.close();
  });

  it('lists files and folders that may not be read and goes on', async function () {
    if (process.getuid?.() === 0) {
      // Root may read everything: ask the same of somebody who may not.
      writeFiles(folder, { 'a.py': 'x', 'secret.py': 'y', 'closed/b.py': 'z' });
      execFileSync('chmod', ['700', join(folder, 'secret.py'), join(folder, 'closed')]);
      execFileSync('chmod', ['755', folder]);
      const script = `
        const { walkFolder } = await import(${JSON.stringify(new URL('../../../loaders/snapshot/walk-folder.ts', import.meta.url).href)});
        process.setgid(65534); process.setuid(65534);
        console.log(JSON.stringify(await walkFolder(${JSON.stringify(folder)}, 1000)));`;
      const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
      const entries = JSON.parse(out) as { path: string; kind: string; detail?: string }[];
      expect(entries.map(({ path, kind, detail }) => [path, kind, detail])).to.deep.equal([
        ['a.py', 'file', undefined],
        ['closed/', 'unreadable', 'EACCES'],
        ['secret.py', 'unreadable', 'EACCES'],
      ]);
      return;
    }
    writeFiles(folder, { 'a.py': 'x', 'secret.py': 'y' });
    execFileSync('chmod', ['000', join(folder, 'secret.py')]);
    const snapshot = await openSnapshot(folder);
    expect(snapshot.skipped).to.deep.equal([{ path: 'secret.py', reason: 'unreadable', detail: 'EACCES' }]);
  });

  it('reads a partial clone without fetching: what is not there is listed, history comes without line counts', async () => {
    using repository = gitRepository({ files: { 'a.py': 'one\n', 'b.py': 'two\n' } });
    repository.commit('Second', { files: { 'a.py': 'changed\n' } });
    repository.git('config', 'uploadpack.allowFilter', 'true');
    const partial = join(folder, 'partial');
    repository.git('clone', '--quiet', '--bare', '--filter=blob:none', `file://${repository.path}`, partial);
    const before = objects(partial);
    const snapshot = await openSnapshot(partial);
    expect(snapshot.warnings.join()).to.contain('partial_clone');
    expect(snapshot.skipped.map((each) => `${each.path} ${each.reason}`)).to.deep.equal([
      'a.py unreadable',
      'b.py unreadable',
    ]);
    const history = [];
    for await (const { changes } of snapshot.history()) history.push(changes.map(({ path, added }) => [path, added]));
    expect(history).to.deep.equal([
      [['a.py', null]],
      [
        ['a.py', null],
        ['b.py', null],
      ],
    ]);
    expect(objects(partial), 'nothing was fetched').to.deep.equal(before);
  });
});

function objectPath(repository: GitRepository, revision: string): string {
  const id = repository.git('rev-parse', revision).trim();
  const path = join(repository.path, '.git', 'objects', id.slice(0, 2), id.slice(2));
  execFileSync('chmod', ['u+w', path]);
  return path;
}

function objects(gitDir: string): string[] {
  return readdirSync(join(gitDir, 'objects'), { recursive: true, encoding: 'utf8' }).sort();
}
