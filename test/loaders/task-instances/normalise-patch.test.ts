import { expect } from 'chai';
import { normalisePatch } from '../../../loaders/task-instances/normalise-patch.ts';
import { patchSections } from '../../../loaders/task-instances/patch-sections.ts';
import { gitRepository } from '../../support/git-repository.ts';
import { taskInstance } from '../../support/task-instances.ts';

const added = (path: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;

describe('patch sections', () => {
  it('finds every file and every path that git writes into a diff, whatever its name', () => {
    using repository = gitRepository({
      files: { 'old name': 'a\nb\nc\n', 'gone.txt': 'x\n', 'b.bin': '\0', l: 'x\n' },
    });
    const names = ['ü "q"\\.js', 'a\tb', ' b/b c', 'a b/a b', 'sql'];
    repository.commit('all', {
      files: {
        'old name': null,
        'new name': 'a\nb\nc\nd\n',
        'gone.txt': null,
        'b.bin': Buffer.from([0, 1, 2]),
        l: { symlink: 'x' },
        'run.sh': { executable: 'x\n' },
        ...Object.fromEntries(names.map((name) => [name, '-- a comment\n++ b\ndiff --git a/no b/no\n'])),
      },
    });
    for (const quote of ['true', 'false']) {
      const patch = repository.git('-c', `core.quotePath=${quote}`, 'diff', '--binary', '-M50%', 'HEAD~', 'HEAD');
      const sections = patchSections(patch);
      expect(sections.map(({ text }) => text).join('')).to.equal(patch);
      const paths = ['old name', 'new name', 'gone.txt', 'b.bin', 'l', 'run.sh', ...names];
      expect(new Set(sections.flatMap(({ paths }) => paths))).to.deep.equal(new Set(paths));
      expect(sections.filter(({ modes }) => modes.includes('120000'))).to.have.length(1);
    }
  });

  it('reads patches without git’s headers, and removed lines that look like headers', () => {
    const patch =
      'Some words.\n--- a/x.sql\t2026-01-01\n+++ b/x.sql\n@@ -1,2 +1 @@\n--- a/no\n-+++ b/no\n+y\n--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-z\n';
    expect(patchSections(patch).map(({ paths }) => paths)).to.deep.equal([['x.sql'], ['z']]);
  });
});

describe('a model’s patch', () => {
  const dropped = (path: string, instance = taskInstance()) => {
    const { patch, dropped_paths: paths, problem } = normalisePatch(added('src/kept.js') + added(path), instance);
    expect(problem).to.equal(null);
    expect(patch).to.equal(added('src/kept.js') + (paths.length === 0 ? added(path) : ''));
    return paths;
  };

  it('loses tests and what controls their runner, and keeps its sources', () => {
    for (const path of [
      'test/price.test.js',
      'test/more.test.js',
      'src/__tests__/a.ts',
      'pkg/x_test.go',
      'conftest.py',
      'a/b/conftest.py',
      'pytest.ini',
      'tox.ini',
      'setup.cfg',
      'sitecustomize.py',
      'a.pth',
      'jest.config.ts',
      'vitest.config.mts',
      'vitest.workspace.ts',
      '.mocharc.yml',
      'karma.conf.js',
      '.npmrc',
      '.cargo/config.toml',
      'build.rs',
      '.github/workflows/ci.yml',
      'package.json',
      'pyproject.toml',
      'pytest.py',
      '_pytest/main.py',
      'node_modules/mocha/index.js',
    ])
      expect(dropped(path), path).to.deep.equal([path]);
    for (const path of ['src/latest.go', 'lib/contest.py', 'Makefile', 'src/pytest.py', 'docs/setup.cfg.md', 'go.mod'])
      expect(dropped(path), path).to.deep.equal([]);
  });

  it('may change what the gold patch changes, and loses what the test command names', () => {
    const gold = taskInstance({ patch: added('package.json') });
    expect(dropped('package.json', gold)).to.deep.equal([]);
    const { environment } = taskInstance();
    const by = (test_cmd: string) => taskInstance({ environment: { ...environment, test_cmd } });
    expect(dropped('Makefile', by('make -s check'))).to.deep.equal(['Makefile']);
    expect(dropped('ci/run.sh', by('bash ./ci/run.sh'))).to.deep.equal(['ci/run.sh']);
  });

  it('is dropped by every path that a file’s part of it names', () => {
    const hidden = 'diff --git a/src/a.js b/src/a.js\n--- a/conftest.py\n+++ b/conftest.py\n@@ -0,0 +1 @@\n+x\n';
    const second = `${added('src/a.js')}--- a/conftest.py\n+++ b/conftest.py\n@@ -0,0 +1 @@\n+x\n`;
    const renamed = 'diff --git a/a.js b/b.js\nrename from src/a.js\nrename to conftest.py\n';
    for (const patch of [hidden, second, renamed])
      expect(normalisePatch(patch, taskInstance()).dropped_paths, patch).to.deep.equal(['conftest.py']);
    expect(normalisePatch(second, taskInstance()).patch).to.equal(added('src/a.js'));
  });

  it('is void when it leaves the tree, makes a link, or is no patch', () => {
    const link = 'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n';
    for (const patch of [
      added('../x'),
      added('a/../../x'),
      added('.git/hooks/pre-commit'),
      added('a/.GIT/x'),
      link,
      'I fixed it.',
    ])
      expect(normalisePatch(patch, taskInstance()).problem, patch).to.be.a('string');
    expect(normalisePatch(link, taskInstance({ patch: link })).problem).to.equal(null);
  });
});
