import { expect } from 'chai';
import { analyze } from '../../../loaders/analyze.ts';
import type { Commit } from '../../../src/model/commit.ts';
import { changeKept } from '../../support/change-kept.ts';
import { gitRepository, type GitRepository } from '../../support/git-repository.ts';

async function commitsOf({ path }: GitRepository, options: { keepSource?: boolean; cacheFile?: string } = {}) {
  const { snapshot, close } = await analyze(path, { name: 'repository', keepSource: true, ...options });
  try {
    return { commits: snapshot.commits && [...snapshot.commits], total: snapshot.repository.commits_total };
  } finally {
    close();
  }
}

const wordsOf = (commit: Commit | undefined) => commit?.changed.split(' ').toSorted();

describe('commits that are kept', () => {
  it('are the whole history, the newest first, with what they say and changed', async () => {
    using repository = gitRepository();
    repository.commit('Begin', {
      files: { 'src/a.js': 'function first() {\n  return keep;\n}\n', 'README.md': 'Read me.\n' },
    });
    repository.commit(
      'Rename\n\nFor ann@example.com it was hard to read.\n\nSigned-off-by: Ann <ann@example.com>\nFixes: #12\n',
      { files: { 'src/a.js': 'function second() {\n  return keep;\n}\n', 'README.md': 'Read me twice.\n' } },
    );
    repository.git('mv', 'src/a.js', 'src/b.js');
    const moved = repository.commit('Move');
    const { commits = [], total } = await commitsOf(repository);
    expect(total).to.equal(3);
    expect(commits.map(({ subject, body }) => [subject, body])).to.deep.equal([
      ['Move', ''],
      ['Rename', 'For  it was hard to read.\n\nFixes: #12'],
      ['Begin', ''],
    ]);
    expect(commits[0]).to.include({ id: moved, total_files: 1, changed: '', changed_kept: 'whole' });
    expect(commits[1]?.files).to.deep.equal([
      { path: 'README.md', status: 'M', added: 1, deleted: 1 },
      { path: 'src/a.js', now: 'src/b.js', status: 'M', added: 1, deleted: 1 },
    ]);
    // Of source alone, and of lines that were changed alone.
    expect(wordsOf(commits[1])).to.deep.equal(['first', 'function', 'second']);
    expect(wordsOf(commits[2])).to.deep.equal(['first', 'function', 'keep', 'return']);
    expect(JSON.stringify(commits)).to.not.include('@');
  });

  it('leave out what their messages fold', async () => {
    using repository = gitRepository();
    repository.commit(
      'Bump\n\nBumps it.\n<details>\n<summary>Release notes</summary>\nOthers fix sockets.\n</details>\nAnd <DETAILS open>folds</details> more.\n\n<details>\nWithout an end',
      { files: { 'a.js': 'a();\n' } },
    );
    const { commits = [] } = await commitsOf(repository);
    expect(commits[0]?.body).to.equal('Bumps it.\n\nAnd  more.');
  });

  it('know a line that was only moved, and what was taken away', async () => {
    using repository = gitRepository();
    const lines = ['alpha();', 'beta();', 'gamma();', 'delta();'];
    repository.commit('Begin', { files: { 'a.js': lines.join('\n'), 'b.md': 'Stays.' } });
    repository.commit('Turn round', { files: { 'a.js': lines.toReversed().join('\n') } });
    repository.git('rm', '--quiet', 'a.js');
    repository.commit('Remove');
    const { commits = [] } = await commitsOf(repository);
    expect(commits.map(wordsOf)).to.deep.equal([
      ['alpha', 'beta', 'delta', 'gamma'],
      [''],
      ['alpha', 'beta', 'delta', 'gamma'],
    ]);
  });

  it('say where not all that they changed is kept', async () => {
    using repository = gitRepository();
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => `name_${from + i}();`).join('\n');
    repository.commit('Fits', { files: { 'a.js': many(0, 200), 'b.js': many(200, 200) } });
    repository.commit('Too many in a file', { files: { 'c.js': many(0, 201) } });
    repository.commit('Too many in all', {
      files: { 'd.js': many(0, 150), 'e.js': many(150, 150), 'f.js': many(300, 101) },
    });
    repository.commit('Too large', { files: { 'g.js': `f("${'x'.repeat(400_001)}");` } });
    const { commits = [] } = await commitsOf(repository);
    expect(commits.map((each) => [each.changed_kept, each.changed.split(' ').length])).to.deep.equal([
      ['part', 1],
      ['part', 400],
      ['part', 200],
      ['whole', 400],
    ]);
  });

  it('are the same with what an earlier load kept, also where that kept no changes', async () => {
    using repository = gitRepository();
    using other = gitRepository();
    const cacheFile = `${other.path}/cache.sqlite`;
    repository.commit('Begin', { files: { 'a.js': 'first();\n' } });
    repository.commit('Go on', { files: { 'a.js': 'second();\n' } });
    expect((await commitsOf(repository, { cacheFile, keepSource: false })).commits).to.equal(undefined);
    const from = await commitsOf(repository);
    expect(from.commits?.map(wordsOf)).to.deep.equal([['first', 'second'], ['first']]);
    expect(await commitsOf(repository, { cacheFile })).to.deep.equal(from);
    expect(await commitsOf(repository, { cacheFile })).to.deep.equal(from);
    // What was found before is believed, and what is new is looked at.
    changeKept(cacheFile, 'changed', (text) => text.replace('"changed":"first"', '"changed":"kept"'));
    repository.commit('Go further', { files: { 'a.js': 'third();\n' } });
    for (const _ of ['once', 'again']) {
      const { commits } = await commitsOf(repository, { cacheFile });
      expect(commits?.map(wordsOf)).to.deep.equal([['second', 'third'], ['first', 'second'], ['kept']]);
    }
  });

  it('take nothing over from a clone that was cut off, whose first commit seems to have added everything', async () => {
    using repository = gitRepository();
    using other = gitRepository();
    const cacheFile = `${other.path}/cache.sqlite`;
    repository.commit('Begin', { files: { 'a.js': 'first();\n' } });
    repository.commit('Go on', { files: { 'a.js': 'first();\nsecond();\n' } });
    repository.git('clone', '-q', '--depth', '1', `file://${repository.path}`, `${other.path}/clone`);
    expect((await commitsOf({ ...other, path: `${other.path}/clone` }, { cacheFile })).commits).to.have.length(1);
    const whole = await commitsOf(repository, { cacheFile });
    expect(whole.commits?.map(wordsOf)).to.deep.equal([['second'], ['first']]);
  });
});
