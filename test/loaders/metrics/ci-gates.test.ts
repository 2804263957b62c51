import { expect } from 'chai';
import { ciGateScore } from '../../../loaders/metrics/ci/ci-gate-score-pct.ts';
import type { MetricInput } from '../../../loaders/metrics/metric.ts';
import { dedent } from '../../support/dedent.ts';

const source = { 'a.py': 'x = 1\n' };
const steps = (...runs: string[]) => `on: push
jobs:
  ci:
    runs-on: ubuntu-latest
    steps:
${runs.map((run) => `      - run: |\n${run.replaceAll(/^/gm, '          ')}\n`).join('')}`;

/** The metric alone, as it takes a second to analyse a repository: it is a pure function of the tree. */
function gateScore(files: Record<string, string>, asserting = true, production: readonly string[] = []) {
  const tree: Record<string, string> = { ...source, ...files };
  const test = {
    path: 'test_a.py',
    test: true,
    measures: { tests: { cases: [], helpers: [], asserts: true }, code: 1 },
  };
  const input = {
    paths: Object.keys(tree).sort(),
    fullName: 'acme/shop',
    branch: 'main',
    files: [
      ...(asserting ? [test] : []),
      ...production.map((path) => ({ path, test: false, measures: { code: 1_000 } })),
    ],
    documents: [],
    imports: [],
    text: (path: string) => tree[path] ?? null,
  };
  return ciGateScore.measure(input as unknown as MetricInput);
}

const gates = (files: Record<string, string>) => (gateScore(files).evidence ?? []).map(({ note }) => note ?? '');

const github = (...runs: string[]) => ({ '.github/workflows/ci.yml': steps(...runs) });
const npm = (scripts: Record<string, string>) => ({ 'package.json': JSON.stringify({ scripts }) });

describe('metrics: gates of CI', () => {
  describe('are found behind the repository’s own scripts', () => {
    const found: Record<string, { files: Record<string, string>; note: string }> = {
      'npm, through other scripts and what runs before': {
        files: {
          ...github('npm test'),
          ...npm({ pretest: 'npm run lint', lint: 'eslint .', test: 'npm run unit -- --bail', unit: 'mocha --exit' }),
        },
        note: 'test: npm test → npm run unit -- --bail → mocha --exit --bail',
      },
      'npm in each package of a workspace': {
        files: { ...github('pnpm -r test'), 'packages/a/package.json': '{ "scripts": { "test": "vitest run" } }' },
        note: 'test: pnpm -r test → packages/a/package.json: test → vitest run',
      },
      'make, with variables and what a target needs': {
        files: {
          ...github('make ci'),
          Makefile: dedent`
            PY ?= python
            ci: lint test
            lint:
            \t@$(PY) -m ruff check .
            test: ; $(PY) -m pytest -q

          `,
        },
        note: 'test: make ci → python -m pytest -q',
      },
      'make in another folder, by a loop and a rule for all else': {
        files: {
          ...github('make test'),
          Makefile: dedent`
            DIRS = src
            .DEFAULT:
            \tfor d in $(DIRS); do $(MAKE) -C $$d $@; done

          `,
          'src/Makefile': dedent`
            test: all
            \t@(cd ..; ./runtest)
            all:
            \tcc a.c

          `,
          runtest: dedent`
            #!/bin/sh
            TCL=tclsh8.6
            $TCL tests/all.tcl "\${@}"

          `,
          'tests/all.tcl': 'puts ok\n',
        },
        note: 'test: make test → make -C src test → ./runtest → tclsh8.6 tests/all.tcl ${@}',
      },
      'tox, where a matrix names the environment': {
        files: {
          '.github/workflows/ci.yml': `on: push
jobs:
  ci:
    strategy: { matrix: { env: [py313, lint] } }
    steps: [{ run: 'tox -e \${{ matrix.env }}' }]
`,
          'tox.ini': '[testenv]\ncommands =\n    pytest {posargs:tests}\n\n[testenv:lint]\ncommands = ruff check .\n',
        },
        note: 'lint: tox -e lint → tox.ini [lint] → ruff check .',
      },
      'tox in pyproject.toml': {
        files: {
          ...github('uv run tox run -e py313'),
          'pyproject.toml': dedent`
            [tool.tox.env_run_base]
            commands = [["pytest", "-v", {replace = "posargs"}]]

          `,
        },
        note: 'test: uv run tox run -e py313 → pyproject.toml [testenv] → pytest -v',
      },
      nox: {
        files: {
          ...github('nox -s tests'),
          'noxfile.py':
            'import nox\n\n@nox.session(python=["3.12", "3.13"])\ndef tests(session):\n    session.install(".")\n    session.run("pytest", "tests", env={"A": "b"})\n',
        },
        note: 'test: nox -s tests → noxfile.py tests → pytest tests',
      },
      'rake, down to the command that a library’s task is': {
        files: {
          ...github('bundle exec rake'),
          Rakefile: dedent`
            require 'minitest/test_task'
            task default: :test
            Minitest::TestTask.create

          `,
        },
        note: 'test: bundle exec rake → Rakefile test → ruby -Itest -e minitest',
      },
      just: {
        files: { ...github('just ci'), justfile: 'ci: (unit "all")\n\nunit what:\n    @cargo test --all\n' },
        note: 'test: just ci → cargo test --all',
      },
      composer: {
        files: {
          ...github('composer ci'),
          'composer.json': '{ "scripts": { "ci": ["@stan", "@php vendor/bin/phpunit"], "stan": "phpstan analyse" } }',
        },
        note: 'test: composer ci → php vendor/bin/phpunit',
      },
      'Maven’s own goal': {
        files: {
          ...github('mvn -B'),
          'pom.xml': '<project><build><defaultGoal>clean verify</defaultGoal></build></project>',
        },
        note: 'test: mvn -B → pom.xml defaultGoal → mvn -B clean verify',
      },
      'Gradle’s wrapper, which is no script of the repository': {
        files: {
          ...github('./gradlew check'),
          gradlew: dedent`
            #!/bin/sh
            exec java org.gradle.wrapper.GradleWrapperMain "$@"

          `,
        },
        note: 'test: ./gradlew check',
      },
      'a target of CMake': {
        files: {
          ...github('cmake --build build --target ci'),
          'CMakeLists.txt': dedent`
            add_custom_target(ci
              COMMAND \${CMAKE_CTEST_COMMAND} -j 4
              COMMENT "x")

          `,
        },
        note: 'test: cmake --build build --target ci → CMakeLists.txt ci → ctest -j 4',
      },
      'a script of a script': {
        files: {
          ...github('bash ci/all.sh'),
          'ci/all.sh': dedent`
              #!/usr/bin/env bash
              set -euo pipefail
              cd "$(dirname "$0")/.."
              unit() {
                go test ./... | tee log
              }
              unit

            `,
        },
        note: 'test: bash ci/all.sh → go test ./...',
      },
      'an action and a workflow of the repository': {
        files: {
          '.github/workflows/ci.yml': dedent`
            on: push
            jobs:
              all: { uses: ./.github/workflows/called.yml }

          `,
          '.github/workflows/called.yml': dedent`
              on: workflow_call
              jobs:
                a: { steps: [{ uses: ./.github/actions/check }] }

            `,
          '.github/actions/check/action.yml': dedent`
            runs:
              using: composite
              steps: [{ run: mix test, shell: bash }]

          `,
        },
        note: 'test: mix test',
      },
      GitLab: {
        files: {
          '.gitlab-ci.yml': dedent`
          .base: &base
            script: [pytest -q]
          unit:
            <<: *base
            extends: .base

        `,
        },
        note: 'test: pytest -q',
      },
      CircleCI: {
        files: {
          '.circleci/config.yml': dedent`
              version: 2.1
              jobs:
                unit: { steps: [checkout, { run: { name: Test, command: bundle exec rspec } }] }
              workflows: { all: { jobs: [unit] } }

            `,
        },
        note: 'test: bundle exec rspec',
      },
      Travis: {
        files: {
          '.travis.yml': dedent`
            language: python
            script: nox --session "$S"

          `,
          'noxfile.py': dedent`
            @nox.session
            def unit(session):
                session.run("pytest")

          `,
        },
        note: 'test: nox --session $S → noxfile.py unit → pytest',
      },
      'Azure Pipelines': {
        files: {
          'azure-pipelines.yml': dedent`
          trigger: [main]
          steps:
          - script: dotnet test -c Release

        `,
        },
        note: 'test: dotnet test -c Release',
      },
      'a failure that the script itself looks for': {
        files: github(dedent`
          for d in a b; do
            go test ./$d > log
            if grep -q FAIL log; then exit 1; fi
          done
        `),
        note: 'test: go test ./a',
      },
      'what answers a failure with one': { files: github('pytest || (echo failed; exit 1)'), note: 'test: pytest' },
      'a step that only some of a matrix may fail': {
        files: {
          '.github/workflows/ci.yml': `on: push
jobs:
  ci:
    strategy: { matrix: { include: [{ v: 1 }, { v: 2, lax: true }] } }
    steps: [{ run: pytest, continue-on-error: '\${{ matrix.lax || false }}' }]
`,
        },
        note: 'test: pytest',
      },
    };
    for (const [name, { files, note }] of Object.entries(found))
      it(name, () => {
        expect(gates(files)).to.include(note);
      });
  });

  it('count for nothing where they can’t fail or never run, and it is told why', () => {
    const tricks: Record<string, { text: string; why: string }> = {
      echo: { text: steps('echo npm test'), why: 'only prints' },
      'own-script': { text: steps('npm test'), why: 'only prints' },
      'or-true': { text: steps('pytest || true'), why: '`|| true` hides its failure' },
      'or-echo': { text: steps('pytest || echo "never mind"'), why: '`|| echo never mind` hides its failure' },
      'or-colon': { text: steps('cd a && pytest || :'), why: '`|| :` hides its failure' },
      'then-true': { text: steps('pytest; true'), why: '`; true` hides its failure' },
      'set-plus': { text: steps('set +e\npytest\necho done'), why: 'without `set -e` only the last command decides' },
      pipe: { text: steps('pytest | tee log'), why: 'goes into `tee`, and without pipefail its failure is lost' },
      background: { text: steps('pytest &\nsleep 1'), why: 'runs in the background' },
      not: { text: steps('! pytest'), why: 'its failure is turned into success' },
      'if-only': { text: steps('if pytest; then echo good; else echo bad; fi'), why: 'is asked for its result only' },
      'if-false': { text: steps('if false; then pytest; fi'), why: 'the condition is never true' },
      exit: { text: steps('exit 0\npytest'), why: 'after the script’s `exit`' },
      function: { text: steps('unit() { pytest; }'), why: 'in the function unit, which nothing calls' },
      replaced: { text: steps('false && pytest'), why: 'stands behind `false &&`' },
      make: { text: steps('make dash'), why: 'its recipe begins with `-`, which hides its failure' },
      'no-target': { text: steps('make nothing', 'pytest --collect-only'), why: 'collects tests and runs none' },
      script: { text: steps('./lax.sh'), why: 'without `set -e` only the last command decides' },
      tox: { text: steps('tox -e lax'), why: 'tox is told to ignore its outcome' },
      skip: { text: steps('mvn verify -DskipTests'), why: 'is told to skip the tests' },
      step: {
        text: steps('pytest').replace('- run', '- if: false\n        run'),
        why: '`if: false` is never true on a change',
      },
      expression: {
        text: steps('pytest').replace('- run', "- if: ${{ github.event_name == 'schedule' && always() }}\n        run"),
        why: "`if: ${{ github.event_name == 'schedule' && always() }}` is never true on a change",
      },
      job: {
        text: steps('pytest').replace('runs-on', "if: ${{ 'a' == 'b' }}\n    runs-on"),
        why: "`if: ${{ 'a' == 'b' }}` is never true on a change",
      },
      lax: {
        text: steps('pytest').replace('- run', '- continue-on-error: true\n        run'),
        why: '`continue-on-error: true` hides its failure',
      },
      'lax-job': {
        text: steps('pytest').replace('runs-on', 'continue-on-error: true\n    runs-on'),
        why: '`continue-on-error: true` hides its failure',
      },
      shell: {
        text: steps('pytest').replace('- run', "- shell: 'true {0}'\n        run"),
        why: 'its shell is `true {0}`, which does not run it',
      },
      matrix: {
        text: steps('pytest').replace('runs-on', 'strategy: { matrix: { os: [] } }\n    runs-on'),
        why: 'its matrix is empty',
      },
      needs: {
        text: `${steps('pytest').replace('runs-on', 'needs: gone\n    runs-on')}  gone: { if: false, steps: [] }\n`,
        why: 'needs the job gone, which never runs',
      },
      asked: {
        text: steps('pytest').replace('on: push', 'on: workflow_dispatch'),
        why: 'starts on workflow_dispatch, never on a change',
      },
      night: {
        text: steps('pytest').replace('on: push', 'on: { schedule: [{ cron: "0 0 * * *" }] }'),
        why: 'starts on schedule, never on a change',
      },
      branch: {
        text: steps('pytest').replace('on: push', 'on: { push: { branches: [never-ever] } }'),
        why: 'starts on no branch that is there (never-ever)',
      },
      paths: {
        text: steps('pytest').replace('on: push', 'on: { push: { paths: ["gone/**"] } }'),
        why: 'starts on paths that are not there (gone/**)',
      },
      ignored: {
        text: steps('pytest').replace('on: push', 'on: { pull_request: { paths-ignore: ["**"] } }'),
        why: 'ignores every path',
      },
      another: {
        text: steps('pytest').replace('runs-on', "if: github.repository == 'nobody/nothing'\n    runs-on"),
        why: "`if: github.repository == 'nobody/nothing'` is never true on a change",
      },
      bot: {
        text: steps('pytest').replace('runs-on', "if: github.actor == 'dependabot[bot]'\n    runs-on"),
        why: "`if: github.actor == 'dependabot[bot]'` is never true on a change",
      },
      help: { text: steps('npx jest --ci --help'), why: 'asks for help or a version, and runs nothing' },
      tags: { text: steps('pytest').replace('on: push', 'on: { push: { tags: ["v*"] } }'), why: 'starts on tags only' },
      called: {
        text: steps('pytest').replace('on: push', 'on: workflow_call'),
        why: 'is only called by other workflows',
      },
    };
    const files = Object.fromEntries(
      Object.entries(tricks).map(([name, { text }]) => [`.github/workflows/${name}.yml`, text]),
    );
    const { evidence = [] } = gateScore({
      ...files,
      ...npm({ test: 'npm run unit', unit: 'echo "all tests passed"' }),
      Makefile: 'dash:\n\t-pytest\n',
      'lax.sh': '#!/bin/sh\npytest\necho done\n',
      'tox.ini': dedent`
        [testenv:lax]
        ignore_outcome = true
        commands = pytest

      `,
    });
    expect(evidence.filter(({ note }) => note?.startsWith('test:'))).to.deep.equal([]);
    const told = Object.fromEntries(
      evidence
        .filter(({ note }) => note?.startsWith('not counted as test: '))
        .map(({ path, note }) => [path?.split('/').at(-1)?.replace('.yml', ''), note?.split(': ').slice(2).join(': ')]),
    );
    expect(told).to.deep.equal(Object.fromEntries(Object.entries(tricks).map(([name, { why }]) => [name, why])));
  });

  it('count where a condition lets changes of this repository through, and where help is asked of something else', () => {
    const conditions = [
      "github.repository == 'Acme/shop'",
      "github.repository_owner == 'acme'",
      "github.event_name == 'push' || github.event.pull_request.head.repo.full_name != github.repository",
      "github.actor != 'dependabot[bot]'",
      "!contains(github.event.head_commit.message, '[skip ci]')",
      "github.repository == 'upstream/shop'",
      "vars.SKIP != 'yes'",
    ];
    for (const condition of conditions) {
      const text = steps('pytest').replace('runs-on', `if: ${JSON.stringify(condition)}\n    runs-on`);
      const readme = { 'README.md': '![ci](https://github.com/upstream/shop/actions/workflows/ci.yml/badge.svg)\n' };
      expect(gates({ '.github/workflows/ci.yml': text, ...readme }), condition).to.include('test: pytest');
    }
    const never = [
      "startsWith(github.repository, 'nobody/')",
      "github.repository_owner == 'nobody'",
      "vars.TEST == 'yes'",
      "contains(github.event.pull_request.labels.*.name, 'test')",
    ];
    for (const condition of never) {
      const text = steps('pytest').replace('runs-on', `if: ${JSON.stringify(condition)}\n    runs-on`);
      expect(gates({ '.github/workflows/ci.yml': text }), condition).not.to.include('test: pytest');
    }
    expect(gates(github('python -m pytest --version'))).to.include(
      'not counted as test: python -m pytest --version: asks for help or a version, and runs nothing',
    );
    for (const run of [
      'node --version && pytest',
      'pytest -v',
      'pytest -- --help',
      'cargo install cross --version 1.2',
    ])
      expect(
        gates(github(run)).filter((note) => /^(test|build): /.test(note)),
        run,
      ).to.have.length(1);
  });

  it('of npm ci is none without a lockfile', () => {
    for (const [run, why] of [
      ['npx jest --passWithNoTests no/such/folder', 'looks at files that are not there'],
      ['pytest -q nowhere/tests', 'looks at files that are not there'],
      ['bandit -r . --exclude "*"', 'is told to look at nothing'],
      ['npm audit --audit-level=none', 'is told never to fail'],
    ] as const)
      expect(gates(github(run)).join('\n'), run).to.include(why);
    for (const run of [
      'pytest -q src/tests',
      'pytest -q --cov src/app',
      'npx jest tests',
      'npx mocha dist/test/b.js',
      'bandit -r . --exclude "*_test.py"',
    ])
      expect(gates({ ...github(run), 'packages/a/src/tests/b.py': '' }).join('\n'), run).not.to.include('not counted');
    expect(gates(github('npm ci'))).to.include('not counted as build: npm ci: fails, as no lockfile is there');
    expect(gates({ ...github('npm ci'), 'package-lock.json': '{}' })).to.include('build: npm ci');
  });

  it('of other systems count for nothing where they are told to', () => {
    const notes = gates({
      '.gitlab-ci.yml': `a: { script: [pytest], allow_failure: true }
b: { script: [pytest], when: manual }
c: { script: [pytest], rules: [{ when: never }] }
.d: { script: [pytest] }
e: { script: [true], after_script: [pytest] }
`,
      '.circleci/config.yml': dedent`
        jobs:
          a: { steps: [{ run: pytest }] }
        workflows: { w: { jobs: [b] } }

      `,
      '.travis.yml': dedent`
        after_success: pytest
        script: pytest; true

      `,
      'azure-pipelines.yml': `trigger: [main]
steps:
- { script: pytest, continueOnError: true }
- { script: pytest, enabled: false }
- { script: pytest, condition: false }
- script: |
    pytest
    echo done
`,
    });
    expect(notes).to.include('missing: test');
    expect(notes.filter((note) => note.startsWith('not counted as test'))).to.have.length(12);
  });

  it('are no gate where no test asserts anything', () => {
    const { evidence = [] } = gateScore(github('pytest'), false);
    expect(evidence.map(({ note }) => note)).to.include('not counted as test: pytest: no test asserts anything');
  });

  describe('that run in a folder beside the code', () => {
    /** A project of its own in each folder that CI goes to, so that only the place of the command speaks for it. */
    const beside = {
      ...Object.fromEntries(
        ['docs', 'scripts', 'unix', 'docker', 'build'].flatMap((folder) => [
          [`${folder}/pyproject.toml`, '[project]\nname = "beside"\n'],
          [`${folder}/Makefile`, 'html:\n\tsphinx-build . out\ntest:\n\tprove -r\n'],
        ]),
      ),
      'src/app.py': 'x = 1\n',
      'tests/test_app.py': '',
    };
    const inFolder = (folder: string, run: string) => ({
      '.github/workflows/ci.yml': steps(run).replace('- run', `- working-directory: ${folder}\n        run`),
    });
    const counted = (files: Record<string, string>) =>
      (gateScore({ ...beside, ...files }, true, ['src/app.py']).evidence ?? []).filter(({ note }) =>
        note?.startsWith('test: '),
      ).length;
    const honest: Record<string, Record<string, string>> = {
      'behind a parenthesis and a new line': github('(cd docs && make html)\npytest'),
      'behind a parenthesis and `;`': github('(cd docs && make html); pytest'),
      'behind a parenthesis and `&&`': github('(cd docs && make html) && pytest'),
      'behind a parenthesis over lines': github('(\n  cd docs\n  make html\n)\npytest'),
      'behind popd': github('pushd docs\nmake html\npopd\npytest'),
      'behind `cd -`': github('cd docs; make html; cd -; pytest'),
      'behind `cd ..`': github('cd docs && make html && cd ..\npytest'),
      'behind a variable': github('cd docs\nmake html\ncd $GITHUB_WORKSPACE\npytest'),
      'behind a variable that is known': github('root=docs\ncd $root\npytest'),
      'at home': github('cd docs; make html; cd ~/work; pytest'),
      'behind an absolute path': github('cd docs; make html; cd /src; pytest'),
      'where a folder is entered on a condition': github('if [ -n "$DOCS" ]; then\n  cd docs\nfi\npytest'),
      'where a folder is entered if it is there': github('[ -d docs ] && cd docs\npytest'),
      'in a function': github('docs() {\n  cd docs\n  make html\n}\nif [ -n "$DOCS" ]; then docs; fi\npytest'),
      'behind a script that is read in': github('cd docs\n. ./home.sh\npytest'),
      'behind what runs beside it': github('cd docs && make html &\npytest'),
      'in a script that goes elsewhere': {
        ...github('cd scripts && ./ci.sh'),
        'scripts/ci.sh': '#!/bin/sh -e\ncd "$(dirname "$0")/.."\npytest\n',
      },
      'in a script that goes elsewhere, of a step with a folder': {
        ...inFolder('scripts', './ci.sh'),
        'scripts/ci.sh': '#!/bin/sh -e\ncd "$(dirname "$0")/.."\npytest\n',
      },
      'in a script in quotes that goes elsewhere': github('cd scripts\nbash -ec "cd $ROOT; pytest"'),
      'by make, of sources elsewhere': inFolder('unix', './configure\nmake\nmake test'),
      'where CMake builds': github('cd build && cmake .. && ctest'),
      'where CMake builds, of a step with a folder': inFolder('docker', 'cmake -S /src\nctest'),
      'where the project is built to': inFolder('build', 'pytest'),
      'in a container': github('cd docker && docker compose run app pytest'),
      'in a folder without a project': { ...inFolder('e2e', 'pytest'), 'e2e/run.py': '' },
      'where the settings name what lies above': {
        ...inFolder('docs', 'pytest'),
        'docs/pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = ["../tests"]\n',
      },
      'where settings beside the project name what lies above': {
        ...inFolder('ci', 'npx jest'),
        'ci/package.json': '{}',
        'ci/jest.config.js': "module.exports = { rootDir: '..' };\n",
      },
      'where another runs at the root': {
        '.github/workflows/a.yml': inFolder('docs', 'pytest')['.github/workflows/ci.yml'],
        ...github('pytest'),
      },
    };
    for (const [name, files] of Object.entries(honest))
      it(`count ${name}`, () => {
        expect(counted(files)).to.equal(1);
      });

    const apart: Record<string, Record<string, string>> = {
      'of a step': inFolder('docs', 'pytest'),
      'that the script enters': github('cd docs\npytest'),
      'in parentheses': github('(cd docs && pytest)\nls'),
      'that a package script runs in': {
        ...inFolder('docs', 'npm test'),
        'docs/package.json': JSON.stringify({ scripts: { test: 'jest' } }),
      },
    };
    for (const [name, files] of Object.entries(apart))
      it(`count for nothing in a project of next to no code: ${name}`, () => {
        expect(counted(files)).to.equal(0);
      });
  });

  it('end where scripts call each other, and are not taken from what is not there', () => {
    const notes = gates({
      ...github('make a', 'npm run b', 'rake', 'just gone', './gone/test.sh', 'npm run gone'),
      ...npm({ b: 'make a' }),
      Makefile: 'a: b\n\tnpm run b\nb: a\n\tmake a\n',
      Rakefile: 'task default: :test\ntask test: :default\n',
    });
    expect(notes.filter((note) => note.startsWith('missing'))).to.have.length(5);
  });
});
