import { expect } from 'chai';
import { openSnapshot } from '../../../loaders/snapshot/open-snapshot.ts';
import { gitRepository, type FileContent } from '../../support/git-repository.ts';

describe('loaders/snapshot: files worth reading', () => {
  const open = async (files: Record<string, FileContent>) => {
    using repository = gitRepository({ files });
    return await openSnapshot(repository.path);
  };
  const skipped = async (files: Record<string, FileContent>) =>
    Object.fromEntries((await open(files)).skipped.map(({ path, reason }) => [path, reason]));
  const languages = async (files: Record<string, FileContent>) =>
    Object.fromEntries((await open(files)).files.map(({ path, language }) => [path, language]));

  it('have their language by extension, name or first line; data and prose have none', async () => {
    const expected = {
      'a.py': 'Python',
      'a.pyi': 'Python',
      'a.ts': 'TypeScript',
      'a.tsx': 'TSX',
      'a.mts': 'TypeScript',
      'a.js': 'JavaScript',
      'a.mjs': 'JavaScript',
      'a.cjs': 'JavaScript',
      'a.jsx': 'JavaScript',
      'a.go': 'Go',
      'A.java': 'Java',
      'a.rs': 'Rust',
      'a.h': 'C',
      'a.cs': 'C#',
      'a.rb': 'Ruby',
      'a.php': 'PHP',
      'a.kt': 'Kotlin',
      'a.test.ts': 'TypeScript',
      'A.PY': 'Python',
      Rakefile: 'Ruby',
      'README.md': null,
      'data.json': null,
      'a.yaml': null,
      'a.unknown': null,
      LICENSE: null,
    };
    expect(await languages(Object.fromEntries(Object.keys(expected).map((path) => [path, 'x = 1\n'])))).to.deep.equal(
      expected,
    );
    expect(
      await languages({
        'bin/one': '#!/usr/bin/env python3.11\n',
        'bin/two': { executable: '#!/bin/sh -e\n' },
        'bin/three': '#!/usr/bin/env -S node --harmony\n',
        'bin/four': 'no script\n',
        'bin/five': '#!\n',
      }),
    ).to.deep.equal({
      'bin/one': 'Python',
      'bin/two': 'Shell',
      'bin/three': 'JavaScript',
      'bin/four': null,
      'bin/five': null,
    });
  });

  it('are not what somebody else wrote, a tool made, or no text', async () => {
    const expected = {
      'node_modules/x/index.js': 'vendored',
      'vendor/github.com/x/y.go': 'vendored',
      'third_party/x.py': 'vendored',
      'src/pip/_vendor/x.py': 'vendored',
      'static/jquery-3.6.0.js': 'vendored',
      'types/index.d.ts': 'vendored',
      'env1/lib/x.py': 'vendored',
      'env1/pyvenv.cfg': 'vendored',
      'package-lock.json': 'generated',
      'go/Gopkg.lock': 'generated',
      'app/__generated__/x.ts': 'generated',
      'a.min.js': 'minified',
      'logo.PNG': 'binary',
      'lib/x.jar': 'binary',
    } as const;
    const own = [
      'a.js',
      '.github/workflows/ci.yml',
      'src/cache/index.js',
      'src/env/index.ts',
      'src/effects.js',
      'Jenkinsfile',
    ];
    const files = Object.fromEntries([...Object.keys(expected), ...own].map((path) => [path, 'x\n']));
    expect(await skipped(files)).to.deep.equal(expected);
  });

  it('are in dist/ only where there is no other source', async () => {
    expect(await skipped({ 'src/a.ts': '', 'dist/a.js': '', 'dist/b.json': '' })).to.deep.equal({
      'dist/a.js': 'vendored',
      'dist/b.json': 'vendored',
    });
    const published = {
      'package.json': '{}',
      'rollup.config.js': '',
      'test/a.test.js': '',
      'dist/a.js': '',
      'dist/a.min.js': '',
    };
    expect(await skipped(published)).to.deep.equal({ 'dist/a.min.js': 'minified' });
  });

  it('are chosen by the repository’s own .gitattributes before any rule', async () => {
    const files = {
      '.gitattributes': [
        'vendor/ours/** -linguist-vendored',
        'copied/** linguist-vendored',
        'made.py linguist-generated=true',
        'dist/** -linguist-vendored',
        'a.inc linguist-language=Python',
        'b.py linguist-detectable=false',
        'guide/** linguist-documentation',
      ].join('\n'),
      'vendor/ours/a.go': '',
      'vendor/theirs/a.go': '',
      'copied/a.py': '',
      'made.py': '',
      'dist/a.js': '',
      'a.inc': '',
      'b.py': '',
      'guide/c.py': '',
      'docs/d.py': '',
      'src/.gitattributes': 'made.py -linguist-generated',
      'src/made.py': '',
    };
    const { files: selected, skipped } = await open(files);
    expect(skipped.map(({ path, reason }) => `${path} ${reason}`)).to.deep.equal([
      'copied/a.py vendored',
      'made.py generated',
      'vendor/theirs/a.go vendored',
    ]);
    const of = (path: string) => selected.find((file) => file.path === path);
    expect(of('a.inc')?.language).to.equal('Python');
    expect(of('b.py')?.language).to.equal(null);
    expect([of('guide/c.py')?.documentation, of('docs/d.py')?.documentation, of('a.inc')?.documentation]).to.deep.equal(
      [true, true, false],
    );
  });

  it('are marked as tests by the conventions of their languages', async () => {
    const tests = [
      'tests/a.py',
      'src/test_a.py',
      'src/a_test.py',
      'conftest.py',
      'a_test.go',
      'src/a.test.ts',
      'src/a.spec.tsx',
      'src/__tests__/a.js',
      'src/test/java/A.java',
      'src/main/java/ATest.java',
      'spec/a_spec.rb',
      'src/integrationTest/A.kt',
      'src/main/java/OrderIT.java',
    ];
    const others = [
      'src/a.py',
      'src/testing.py',
      'src/latest.ts',
      'src/contest.py',
      'src/Attest.java',
      'a.go',
      'src/inspect/a.ts',
      'src/latest/a.ts',
      'src/main/java/GIT.java',
    ];
    const { files } = await open(Object.fromEntries([...tests, ...others].map((path) => [path, ''])));
    expect(files.filter(({ test }) => test).map(({ path }) => path)).to.have.members(tests);
  });

  it('are no larger than the bound', async () => {
    using repository = gitRepository({ files: { 'a.py': 'x'.repeat(100), 'b.py': 'x'.repeat(101) } });
    const snapshot = await openSnapshot(repository.path, { maxFileBytes: 100 });
    expect(snapshot.skipped).to.deep.equal([{ path: 'b.py', reason: 'too_large', detail: '101 bytes' }]);
  });
});
