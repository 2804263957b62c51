import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { detectRunner } from '../../../loaders/task-instances/detect-runner.ts';
import { scopedCommand } from '../../../loaders/task-instances/scoped-command.ts';
import { temporaryFolder, writeFiles, type FileContent } from '../../support/git-repository.ts';

const manifest = (test: string | undefined, devDependencies: Record<string, string> = {}) =>
  JSON.stringify({ scripts: test === undefined ? {} : { test }, devDependencies });

async function detected(files: Record<string, FileContent>, before?: string) {
  const tree = temporaryFolder();
  try {
    writeFiles(tree, files);
    return await detectRunner(tree, before);
  } finally {
    rmSync(tree, { recursive: true });
  }
}

/** Detects, and gives the command for the whole suite and for one file. */
async function commands(files: Record<string, FileContent>, file: string) {
  const runner = await detected(files);
  if (!runner) return null;
  return {
    framework: runner.framework,
    format: runner.report.format,
    whole: scopedCommand(runner.test_cmd, null),
    one: scopedCommand(runner.test_cmd, [file]),
  };
}

describe('the runner of a tree', () => {
  it('is what package.json starts, before what it merely installs', async () => {
    const installed = { jest: '30', vitest: '3', mocha: '11' };
    for (const [script, framework] of Object.entries({
      'tsc && vitest --run': 'vitest',
      'nyc mocha test': 'mocha',
      'NODE_ENV=test ./node_modules/.bin/jest': 'jest',
      'node --test': 'node:test',
      'npm run lint': 'vitest',
    }))
      expect((await detected({ 'package.json': manifest(script, installed) }))?.framework, script).to.equal(framework);
    expect(await detected({ 'package.json': manifest('echo "no test specified" && exit 1') })).to.equal(null);
    expect(await detected({ 'package.json': '{ broken' })).to.equal(null);
    expect(await detected({ 'package.json': '{ "scripts": { "test": 1 } }' })).to.equal(null);
    expect(await detected({ 'README.md': '' })).to.equal(null);
  });

  it('gets the settings that its script gives', async () => {
    const jest = await commands(
      { 'package.json': manifest('cross-env NODE_OPTIONS=--experimental-vm-modules jest') },
      'a.test.js',
    );
    expect(jest).to.deep.equal({
      framework: 'jest',
      format: 'jest_json',
      whole:
        'NODE_OPTIONS=--experimental-vm-modules node_modules/.bin/jest --ci --json --outputFile=$OUT/r.json --testLocationInResults',
      one: 'NODE_OPTIONS=--experimental-vm-modules node_modules/.bin/jest --ci --json --outputFile=$OUT/r.json --testLocationInResults a.test.js',
    });
    const node = await commands(
      { 'package.json': manifest("node --import tsx --test --test-reporter=spec 'test/**/*.ts'") },
      'test/a b.ts',
    );
    expect(node).to.deep.equal({
      framework: 'node:test',
      format: 'tap',
      whole: "node --import tsx --test --test-reporter=tap --test-reporter-destination=$OUT/r.tap 'test/**/*.ts'",
      one: "node --import tsx --test --test-reporter=tap --test-reporter-destination=$OUT/r.tap 'test/a b.ts'",
    });
  });

  it('is set up by the lockfile, and without one as of a date', async () => {
    const of = async (lockfiles: Record<string, string>, before?: string) =>
      (await detected({ 'package.json': manifest('mocha', { mocha: '11' }), ...lockfiles }, before))?.setup_cmds;
    expect(await of({ 'package-lock.json': '{}' })).to.deep.equal(['npm ci --no-audit --no-fund']);
    expect(await of({ 'yarn.lock': '#' })).to.deep.equal(['npx --yes yarn@1 install --frozen-lockfile']);
    expect(await of({ 'pnpm-lock.yaml': '#' })).to.deep.equal(['npx --yes pnpm install --frozen-lockfile']);
    expect(await of({}, '2024-02-01')).to.deep.equal([
      'npm install --no-audit --no-fund --no-package-lock --before=2024-02-01',
    ]);
    expect((await detected({ 'package.json': manifest('node --test') }))?.setup_cmds).to.deep.equal([]);
  });

  it('is pytest where its settings or its tests are, with the requirements and extras for tests', async () => {
    for (const files of [
      { 'pytest.ini': '' },
      { 'tox.ini': '[pytest]\n' },
      { 'setup.cfg': '[tool:pytest]\n' },
      { 'pyproject.toml': '[tool.pytest.ini_options]\n' },
      { 'tests/test_a.py': '' },
      { 'test_a.py': '' },
      { 'a/tests/test_a.py': '' },
    ])
      expect((await detected(files))?.framework, JSON.stringify(files)).to.equal('pytest');
    expect(await detected({ 'tox.ini': '[tox]\n', 'a.py': '' })).to.equal(null);
    const old = await commands({ 'setup.py': '', 'tests.py': 'import unittest\n' }, 'tests.py');
    expect([old?.whole, old?.one].map((command) => command?.split('junit.xml ')[1])).to.deep.equal([
      "-o python_files='test*.py *_test.py'",
      "-o python_files='test*.py *_test.py' tests.py",
    ]);
    const runner = await detected({
      'pyproject.toml': '[project]\nname = "a"\n[project.optional-dependencies]\ndocs = []\ntest = []\n',
      'requirements-dev.txt': '',
      'tests/conftest.py': '',
    });
    expect(runner?.setup_cmds.at(-1)).to.equal(
      ".venv/bin/python -m pip install --quiet -r requirements-dev.txt -e '.[test]' pytest",
    );
    expect((await detected({ 'pytest.ini': '' }, '2024-02-01'))?.setup_cmds.slice(1)).to.deep.equal([
      '.venv/bin/python -m pip install --quiet --upgrade pip',
      '.venv/bin/python -m pip install --quiet --uploaded-prior-to=2024-02-01 pytest || { .venv/bin/python -m pip install --quiet setuptools wheel && .venv/bin/python -m pip install --quiet --no-build-isolation --uploaded-prior-to=2024-02-01 pytest; }',
    ]);
    expect(scopedCommand(runner?.test_cmd ?? '', ['tests/test_a.py'])).to.match(
      /--continue-on-collection-errors.* tests\/test_a\.py$/,
    );
  });

  const ofPython: Record<string, [files: Record<string, string>, installed: string]> = {
    'dependency groups, and what they include': [
      {
        'pyproject.toml':
          '[dependency-groups]\nbase = ["attrs"]\ntests = [{ include-group = "base" }, "freezegun>=1; python_version > \'3\'"]\ndocs = ["sphinx"]\ndev = ["ruff"]\n',
      },
      "attrs 'freezegun>=1; python_version > '\\''3'\\''' pytest",
    ],
    'the groups of Poetry, whose constraints pip does not know': [
      {
        'pyproject.toml':
          '[build-system]\n[tool.poetry.group.test.dependencies]\nresponses = "^0.23.1"\ntrio = { version = "~0.25", optional = true }\nx = "*"\nlocal = { path = "../y" }\n',
      },
      "-e . 'responses>=0.23.1,<0.24' 'trio>=0.25,<0.26' x pytest",
    ],
    'lists of PDM': [
      { 'pyproject.toml': '[tool.pdm.dev-dependencies]\ntest = ["pytest-mock>=3"]\nlint = ["ruff"]\n' },
      "'pytest-mock>=3' pytest",
    ],
    'environments of Hatch, with features': [
      {
        'pyproject.toml':
          '[project]\nname = "a"\n[tool.hatch.envs.test]\nfeatures = ["all"]\ndependencies = ["hypothesis"]\n[tool.hatch.envs.docs]\ndependencies = ["mkdocs"]\n',
      },
      "-e '.[all]' hypothesis pytest",
    ],
    'a list of uv': [{ 'pyproject.toml': '[tool.uv]\ndev-dependencies = ["anyio"]\n' }, 'anyio pytest'],
    'a Pipfile': [{ Pipfile: '[packages]\nflask = "==2.0"\n[dev-packages]\nmock = "*"\n' }, 'flask==2.0 mock pytest'],
    'of files in a folder those for tests, and none of the oldest versions': [
      { 'requirements/tests.txt': '', 'requirements/tests-pallets-min.txt': '', 'requirements/dev.txt': '' },
      '-r requirements/tests.txt pytest',
    ],
    'files in a folder, as they were pinned': [
      { 'requirements/tests.txt': '', 'requirements/tests.in': '', 'requirements/docs.txt': '', 'setup.py': '' },
      '-r requirements/tests.txt -e . pytest',
    ],
    'tox, but for lines of one factor and what it fills in': [
      {
        'tox.ini':
          '[tox]\nenvlist = py\n[testenv]\nextras = socks\ndeps =\n    -r{toxinidir}/needs.txt\n    pytest-httpbin\n    py27: mock\n    {[base]deps}\n[testenv:docs]\ndeps = sphinx\n',
        'setup.py': '',
      },
      "-r needs.txt -e '.[socks]' pytest-httpbin pytest",
    ],
    'sessions of nox': [
      {
        'noxfile.py':
          'import nox\n@nox.session\ndef tests(session):\n    session.install("-r", "needs.txt")\n    session.install("-e", ".[fast]", "mock")\n@nox.session\ndef docs(session):\n    session.install("sphinx")\n',
        'setup.cfg': '[metadata]\nname = a\n',
      },
      "-r needs.txt -e '.[fast]' mock pytest",
    ],
  };
  for (const [where, [files, installed]] of Object.entries(ofPython))
    it(`of Python gets what ${where} say`, async () => {
      const runner = await detected({ 'tests/test_a.py': '', ...files }, '2024-02-01');
      // What comes behind is tried where this fails.
      expect(runner?.setup_cmds.at(-1)?.split('2024-02-01 ')[1]?.split(' || ')[0]).to.equal(installed);
    });

  it('of Go, Rust, Maven and Gradle narrows to packages, targets and classes', async () => {
    const go = await commands({ 'go.mod': 'module a\n' }, 'inner/deep/a_test.go');
    expect([go?.whole, go?.one]).to.deep.equal([
      '{ go test -json -count=1 ./...; } > $OUT/r.jsonl',
      '{ go test -json -count=1 ./inner/deep; } > $OUT/r.jsonl',
    ]);
    const both = await commands({ 'go.mod': 'module a\n', 'tools/go.mod': 'module b\n' }, 'a_test.go');
    expect(both?.whole).to.include('for module in . tools;').and.equal(both?.one);
    const cargo = { 'Cargo.toml': '' };
    expect((await commands(cargo, 'tests/one.rs'))?.one).to.include(' --offline --test one -- ');
    expect((await commands(cargo, 'src/lib.rs'))?.one).to.equal((await commands(cargo, 'src/lib.rs'))?.whole);
    expect((await commands({ 'pom.xml': '' }, 'src/test/java/a/OneTest.java'))?.one).to.include(' -Dtest=OneTest test');
    const gradle = await commands({ 'build.gradle.kts': '', gradlew: '' }, 'app/src/test/kotlin/a/OneTest.kt');
    expect(gradle?.one).to.match(/^sh gradlew .*--offline --continue test --tests OneTest$/);
  });

  it('is given names of files as they are, whatever is in them', () => {
    const hostile = ["a'b", '$(touch x)', '`x`', 'a b', '-x', '{files}', '$&'];
    const command = scopedCommand('run {files}', hostile);
    expect(command).to.equal("run 'a'\\''b' '$(touch x)' '`x`' 'a b' ./-x '{files}' '$&'");
  });
});
