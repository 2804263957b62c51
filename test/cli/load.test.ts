import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repoIntel } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { gitRepository, temporaryFolder, writeFiles } from '../support/git-repository.ts';

interface LoadLine {
  status: 'loaded' | 'unchanged' | 'failed';
  source: string;
  repository: string | null;
  error?: string;
  warnings: string[];
  counts?: { files: number; functions: number; skipped: number };
}

const one = { 'a.py': 'def a():\n    return b()\n\ndef b():\n    return 1\n' };

describe('repo-intel load', () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    await dataFolder(join(folder, 'data'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const load = async (...args: string[]) => {
    const { code, stdout, stderr } = await repoIntel(['load', '--json', ...args], { DATA_DIR: join(folder, 'data') });
    const lines =
      stdout.trim() === ''
        ? []
        : stdout
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as LoadLine);
    return { code, lines, stderr };
  };

  it('says a clear word about each source that is no repository, loads the others and exits 1', async () => {
    const good = gitRepository({ name: 'good', files: one });
    const bare = gitRepository({ name: 'nothing-committed' });
    mkdirSync(join(folder, 'empty'));
    writeFileSync(join(folder, 'file.txt'), 'x');
    writeFileSync(join(folder, 'broken.jsonl'), '{"format": "something-else"}\n');
    const bad: [string, RegExp][] = [
      ['', /path is empty/],
      [join(folder, 'missing'), /does not exist/],
      [join(folder, 'file.txt'), /is a file/],
      [join(folder, 'empty'), /no file|empty|nothing/i],
      [bare.path, /commit/],
      [join(folder, 'broken.jsonl'), /format something-else/],
      [join(folder, 'missing.jsonl'), /There is no file/],
    ];
    const { code, lines, stderr } = await load(...bad.map(([source]) => source), good.path);
    expect(code).to.equal(1);
    expect(lines.map(({ status }) => status)).to.deep.equal([...bad.map(() => 'failed'), 'loaded']);
    for (const [index, [source, says]] of bad.entries()) {
      expect(lines[index]?.error).to.match(says);
      expect(stderr).to.include(source);
    }
    good.remove();
    bare.remove();
  });

  it('loads the rest of a repository with files that nobody can read, and says why they are left out', async () => {
    const minified = `var a=${'function(){return 1},'.repeat(2_500_000)}0;`;
    const repository = gitRepository({ name: 'rough' });
    repository.commit('Begin', {
      files: {
        ...one,
        'big.min.js': minified,
        'latin1.py': Buffer.from('# caf\xe9\ndef latin():\n    return 1\n', 'latin1'),
        'noise.py': Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at % 251) + 1)),
        'broken.py': 'x = = 1\n\ndef after():\n    return 1\n',
        'new\nline "quoted".py': 'def quoted():\n    return 1\n',
        'dir/ünïcode.py': 'def unicode():\n    return 1\n',
        loop: { symlink: 'loop' },
        'binary.py': Buffer.from([0, 1, 2, 3, 0, 255]),
      },
    });
    const { code, lines, stderr } = await load(repository.path);
    expect(code).to.equal(0);
    expect(stderr)
      .to.include('left out: "noise.py" (not_utf8)')
      .and.to.match(/left out: "big.min.js" \(\w+\)/);
    expect(stderr).to.include('left out: "binary.py" (binary)').and.to.not.include('"loop"');
    const { stdout } = await repoIntel(['list', '--json'], { DATA_DIR: join(folder, 'data') });
    const [held] = JSON.parse(stdout) as { info: { skipped: { path: string; reason: string }[] } }[];
    const reasons = Object.fromEntries((held?.info.skipped ?? []).map(({ path, reason }) => [path, reason]));
    expect(reasons).to.include({ loop: 'symlink', 'binary.py': 'binary', 'noise.py': 'not_utf8' });
    expect(reasons).to.not.have.property('latin1.py');
    expect(reasons['big.min.js']).to.be.oneOf(['minified', 'too_large', 'generated']);
    // a, b, latin, quoted, unicode and what could be read of the broken file
    expect(lines[0]?.counts?.functions).to.be.greaterThanOrEqual(6);
    repository.remove();
  });

  it('reads a folder without .git, and says that it has no history', async () => {
    writeFiles(join(folder, 'plain'), one);
    const { code, lines } = await load(join(folder, 'plain'));
    expect(code).to.equal(0);
    expect(lines[0]?.warnings.join()).to.include('not_a_git_repository');
    expect(lines[0]?.counts?.functions).to.equal(2);
  });

  it('tells two repositories of one name apart by their parent folders', async () => {
    for (const owner of ['acme', 'other']) writeFiles(join(folder, owner, 'api'), one);
    const { lines } = await load(join(folder, 'acme/api'), join(folder, 'other/api'));
    expect(lines.map(({ repository }) => repository)).to.deep.equal(['api', 'other-api']);
    const again = await load(join(folder, 'other/api'));
    expect(again.lines[0]).to.include({ status: 'unchanged', repository: 'other-api' });
  });

  it('loads elsewhere what analyze wrote, with the same edges', async () => {
    const repository = gitRepository({ name: 'carried', files: one });
    const file = join(folder, 'carried.jsonl.zst');
    const analyzed = await repoIntel(['analyze', repository.path, '-o', file, '--edges', '-']);
    expect(analyzed.code, analyzed.stderr).to.equal(0);
    expect(JSON.parse(analyzed.stdout)).to.include({ type: 'CALLS', from: 'a.py:1', to: 'a.py:4' });
    await load(file);
    const there = await repoIntel(['export'], { DATA_DIR: join(folder, 'data') });
    await repoIntel(['load', repository.path], { DATA_DIR: await dataFolder(join(folder, 'here')) });
    const here = await repoIntel(['export'], { DATA_DIR: join(folder, 'here') });
    expect(there.stdout).to.equal(here.stdout);
    expect(here.stdout.trim().split('\n')).to.have.length.greaterThan(3);
    const nothing = await repoIntel(['export', '--repo', 'no-such'], { DATA_DIR: join(folder, 'here') });
    expect(nothing).to.include({
      code: 1,
      stdout: '',
      stderr: 'repo-intel: no-such: not loaded; see repo-intel list.\n',
    });
    const renamed = await load(file, '--name', 'other');
    expect(renamed).to.include({ code: 1 });
    expect(renamed.lines[0]?.error).to.include(
      'leave --name, --ref, --coverage, --scip, --trend, --source and --no-source out',
    );
    repository.remove();
  });

  it('refuses a snapshot file that was cut short or changed, and loses nothing', async () => {
    const repository = gitRepository({ name: 'carried', files: one });
    const file = join(folder, 'carried.jsonl');
    await repoIntel(['analyze', repository.path, '-o', file]);
    execFileSync('sed', ['-i', 's/"name":"b"/"name":"c"/', file]);
    expect((await load(file)).lines[0]?.error).to.include('checksum');
    execFileSync('sed', ['-i', '$d', file]);
    expect((await load(file)).lines[0]?.error).to.include('cut short');
    repository.remove();
  });

  it('says that the disk is full, and keeps what was loaded before', async function () {
    const mount = join(folder, 'small');
    mkdirSync(mount);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', mount], { stdio: 'pipe' });
    } catch {
      this.skip();
    }
    try {
      // What is kept free, so that it comes to this only where others write to the disk, is more than this disk has.
      const environment = { DATA_DIR: await dataFolder(join(mount, 'data')), MIN_FREE_MB: '0' };
      const first = gitRepository({ name: 'first', files: one });
      const files = Object.fromEntries(
        Array.from({ length: 200 }, (_, n) => [`m${n}.py`, `def f${n}():\n    return 1\n`.repeat(40)]),
      );
      const second = gitRepository({ name: 'second', files });
      expect((await repoIntel(['load', first.path], environment)).code).to.equal(0);
      const before = await repoIntel(['export'], environment);
      const { bavail, bsize } = statfsSync(mount);
      writeFileSync(join(mount, 'filler'), Buffer.alloc(bavail * bsize - 600_000));
      const full = await repoIntel(['load', second.path], environment);
      expect(full.code, full.stderr).to.equal(1);
      expect(full.stderr).to.match(/disk is full/i);
      rmSync(join(mount, 'filler'));
      const after = await repoIntel(['export'], environment);
      expect(after.stdout).to.equal(before.stdout);
      expect((await repoIntel(['load', second.path], environment)).code).to.equal(0);
      first.remove();
      second.remove();
    } finally {
      execFileSync('umount', ['-l', mount]);
    }
  });

  it('does not follow a symlink that leads back into the folder', async () => {
    writeFiles(join(folder, 'plain'), one);
    symlinkSync('..', join(folder, 'plain', 'up'));
    const { code, lines } = await load(join(folder, 'plain'));
    expect(code).to.equal(0);
    expect(lines[0]?.counts?.files).to.equal(1);
  });
});
