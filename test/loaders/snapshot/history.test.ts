import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { openSnapshot } from '../../../loaders/snapshot/open-snapshot.ts';
import type { HistoryCommit } from '../../../loaders/snapshot/snapshot.ts';
import { gitRepository, type GitRepository } from '../../support/git-repository.ts';

describe('loaders/snapshot: history', () => {
  it('gives commits newest first, with people, times and changed lines', async () => {
    using repository = gitRepository();
    const bob = { name: 'Bob Ünïcode', email: 'bob@example.com' };
    const first = repository.commit('Begin', { files: { 'a.py': '1\n2\n3\n' } });
    const second = repository.commit('Change\n\nBecause.\n\nAnd so on.\n', {
      files: { 'a.py': '1\nzwei\n3\n4\n', 'b.bin': Buffer.from([0, 1, 2]) },
      author: bob,
      date: '2024-02-03T04:05:06+02:00',
    });
    const idOf = (commit: string | null, path: string) =>
      commit === null
        ? '0'.repeat(40)
        : execFileSync('git', ['rev-parse', `${commit}:${path}`], { cwd: repository.path, encoding: 'utf8' }).trim();
    const blobs = (from: string | null, to: string, path: string) => ({
      before: idOf(from, path),
      after: idOf(to, path),
    });
    expect(await read(repository)).to.deep.equal([
      {
        id: second,
        parents: [first],
        author: bob,
        authoredAt: '2024-02-03T02:05:06.000Z',
        committedAt: '2024-02-03T02:05:06.000Z',
        subject: 'Change',
        body: 'Because.\n\nAnd so on.',
        changes: [
          { path: 'a.py', oldPath: null, status: 'M', added: 2, deleted: 1, blobs: blobs(first, second, 'a.py') },
          {
            path: 'b.bin',
            oldPath: null,
            status: 'A',
            added: null,
            deleted: null,
            blobs: blobs(null, second, 'b.bin'),
          },
        ],
      },
      {
        id: first,
        parents: [],
        author: { name: 'Ann Author', email: 'ann@example.com' },
        authoredAt: '2024-01-01T00:01:00.000Z',
        committedAt: '2024-01-01T00:01:00.000Z',
        subject: 'Begin',
        body: '',
        changes: [
          { path: 'a.py', oldPath: null, status: 'A', added: 3, deleted: 0, blobs: blobs(null, first, 'a.py') },
        ],
      },
    ]);
  });

  it('survives every name and subject, also those that look like its own format', async () => {
    const names = ['line\nbreak', ':100644 100644 abc def M', '1\t2\tx', 'commit 0123', '"q"', 'ü', '-', '\n\n'];
    const subjects = [':100644 100644 a b M', '1\t2\tx', 'commit deadbeef', '\u0001 odd \u001b[31m', '"'];
    using repository = gitRepository();
    repository.commit('An empty one to begin with');
    repository.commit('Names', { files: Object.fromEntries(names.map((name) => [name, `${name}\n`.repeat(30)])) });
    for (const subject of subjects) repository.commit(subject);
    repository.commit('Move', {
      files: Object.fromEntries(
        names.flatMap((name) => [
          [name, null],
          [`to ${name}`, `${name}\n`.repeat(30)],
        ]),
      ),
    });
    repository.commit('');
    const [nothing, move, ...rest] = await read(repository);
    expect(nothing?.subject).to.equal('');
    const renames = move?.changes.map(({ oldPath, path, status, added }) => [status, oldPath, path, added]);
    expect(renames).to.have.deep.members(names.map((name) => ['R', name, `to ${name}`, 0]));
    expect(rest.slice(0, subjects.length).map(({ subject }) => subject)).to.deep.equal(subjects.toReversed());
    const added = rest.at(-2)?.changes.map(({ path, status, added }) => [path, status, added]);
    expect(added).to.have.deep.members(names.map((name) => [name, 'A', name.split('\n').length * 30]));
    expect(rest.at(-1)).to.deep.include({ subject: 'An empty one to begin with', changes: [], parents: [] });
  });

  it('adds up to the lines that git itself counts, with merges, copies of mode and type changes', async () => {
    using repository = gitRepository({ files: { 'a.py': 'a\n'.repeat(50), 'b.py': 'b\n'.repeat(50), run: 'x\n' } });
    repository.git('checkout', '--quiet', '-b', 'side');
    repository.commit('Side', { files: { 'a.py': `${'a\n'.repeat(50)}side\n`, run: { executable: 'x\n' } } });
    repository.git('checkout', '--quiet', 'main');
    repository.commit('Main', { files: { 'b.py': { symlink: 'a.py' }, 'moved/c.py': 'c\n'.repeat(9) } });
    repository.git('merge', '--quiet', '--no-ff', '-m', 'Merge', 'side');
    const commits = await read(repository);
    expect(commits.find(({ parents }) => parents.length === 2)).to.deep.include({ subject: 'Merge', changes: [] });
    expect(commits.flatMap(({ changes }) => changes).find(({ status }) => status === 'T')?.path).to.equal('b.py');
    const counted = repository
      .git('log', '--numstat', '--format=')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t').slice(0, 2).map(Number));
    const sum = (list: (number | null | undefined)[]) => list.reduce<number>((total, each) => total + (each ?? 0), 0);
    const changes = commits.flatMap((commit) => commit.changes);
    expect(sum(changes.map(({ added }) => added))).to.equal(sum(counted.map(([added]) => added)));
    expect(sum(changes.map(({ deleted }) => deleted))).to.equal(sum(counted.map(([, deleted]) => deleted)));
  });

  it('names people by the mailmap of the commit, not by one that lies in the work tree', async () => {
    using repository = gitRepository({ files: { '.mailmap': 'Ann A. <ann@work.example> <ann@example.com>\n' } });
    repository.write({ '.mailmap': 'Wrong <wrong@example.com> <ann@example.com>\n' });
    const [commit] = await read(repository);
    expect(commit?.author).to.deep.equal({ name: 'Ann A.', email: 'ann@work.example' });
  });

  it('keeps going at times that no calendar holds', async () => {
    using repository = gitRepository({ files: { 'a.py': '' } });
    const tree = repository.git('rev-parse', 'HEAD^{tree}').trim();
    const far = `tree ${tree}\nauthor A <a@b.c> 99999999999999 +0000\ncommitter A <a@b.c> 99999999999999 +0000\n\nFar\n`;
    const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], {
      cwd: repository.path,
      input: far,
      encoding: 'utf8',
    }).trim();
    repository.git('update-ref', 'refs/heads/main', id);
    const [commit] = await read(repository);
    expect(commit).to.deep.include({ subject: 'Far', authoredAt: '1970-01-01T00:00:00.000Z' });
  });

  it('waits for its reader: ten thousand commits are read one at a time, in flat memory, and can be left', async () => {
    using repository = gitRepository();
    const commits = 10_000;
    const subject = 'x'.repeat(2_000);
    const input = Array.from(
      { length: commits },
      (_, index) =>
        `commit refs/heads/main\ncommitter A <a@example.com> ${1_700_000_000 + index} +0000\ndata ${subject.length}\n${subject}\n` +
        `M 644 inline file${index % 50}.py\ndata ${String(index).length + 1}\n${index}\n\n`,
    ).join('');
    execFileSync('git', ['fast-import', '--quiet'], { cwd: repository.path, input });
    const snapshot = await openSnapshot(repository.path);
    // Only what is still held counts, and only what is held here.
    setFlagsFromString('--expose_gc');
    const gc = runInNewContext('gc') as () => void;
    gc();
    const before = process.memoryUsage().arrayBuffers;
    let count = 0;
    let peak = 0;
    for await (const commit of snapshot.history()) {
      if (count++ === 0) expect(commit.changes).to.have.length(1);
      if (count % 1_000 === 0) {
        gc();
        peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    expect(count).to.equal(commits);
    // All of it would be more than 20 MB; what is buffered is the pipe's.
    expect(peak / 1e6, 'MB buffered').to.be.below(15);
    for await (const _ of snapshot.history()) break;
    expect(gitProcesses(repository.path)).to.deep.equal([]);
  });
});

async function read(repository: GitRepository): Promise<HistoryCommit[]> {
  const commits: HistoryCommit[] = [];
  for await (const commit of (await openSnapshot(repository.path)).history()) commits.push(commit);
  return commits;
}

/** Git commands that still run in a repository. */
function gitProcesses(path: string): string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith('git ') && line.includes(path));
}
