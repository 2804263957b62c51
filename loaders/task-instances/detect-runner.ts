import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import type { TaskEnvironment } from '../../src/model/task-instance.ts';
import { buildRequirements, pythonRequirements } from './python-requirements.ts';
import { quoted } from './scoped-command.ts';

/** How the tests of a tree are run, as far as it tells. */
export interface DetectedRunner extends Pick<TaskEnvironment, 'setup_cmds' | 'test_cmd' | 'report'> {
  framework: string;
}

/** Reads files of a tree; null for one that it has not. */
type Read = (path: string) => Promise<string | null>;
type Detect = (read: Read, tree: string, before: string | null) => Promise<DetectedRunner | null>;

/**
 * Looks for the usual runners in the root of a tree; null where there is none. What has no lockfile is installed as of `before`, a
 * date, where the package manager can do that.
 */
export async function detectRunner(tree: string, before: string | null = null): Promise<DetectedRunner | null> {
  const read: Read = (path) => readFile(join(tree, path), 'utf8').catch(() => null);
  for (const detect of [detectNode, detectPytest, detectGo, detectCargo, detectMaven, detectGradle]) {
    const found = await detect(read, tree, before);
    if (found) return found;
  }
  return null;
}

/** Nobody writes a longer script into a manifest. */
const maxScriptLength = 2_000;

const nodeRunners = {
  vitest: {
    test_cmd: 'node_modules/.bin/vitest run --reporter=json --outputFile=$OUT/r.json {files}',
    report: { format: 'vitest_json', path: '$OUT/r.json' },
  },
  jest: {
    test_cmd: 'node_modules/.bin/jest --ci --json --outputFile=$OUT/r.json --testLocationInResults {files}',
    report: { format: 'jest_json', path: '$OUT/r.json' },
  },
  mocha: {
    test_cmd: 'node_modules/.bin/mocha --reporter json --reporter-option output=$OUT/r.json {files}',
    report: { format: 'mocha_json', path: '$OUT/r.json' },
  },
} as const;

const detectNode: Detect = async (read, _, before) => {
  const manifest = record(json(await read('package.json')));
  const { test: script = '' } = record(manifest['scripts']);
  if (typeof script !== 'string' || script.length > maxScriptLength) return null;
  const dependencies = { ...record(manifest['dependencies']), ...record(manifest['devDependencies']) };
  const setup_cmds = await npmInstall(read, Object.keys(dependencies).length > 0, before);
  // What the script itself starts counts before what is merely installed.
  const names = ['vitest', 'jest', 'mocha'] as const;
  const isNode = /\bnode\b[^&|;]*\s--test\b/.exec(script);
  // Bounded: by `maxScriptLength`.
  const framework =
    names.find((name) => new RegExp(`(^|[\\s/])${name}\\b`).test(script)) ??
    (isNode ? null : names.find((name) => name in dependencies));
  if (framework) {
    const { test_cmd, report } = nodeRunners[framework];
    // `NODE_OPTIONS=--experimental-vm-modules jest` needs what stands before it.
    // Bounded: likewise.
    const [, variables = ''] =
      new RegExp(`((?:\\b[A-Z_]+=(?:'[^']*'|"[^"]*"|[^\\s'"]*)\\s+)+)(?:npx\\s+)?${framework}\\b`).exec(script) ?? [];
    return { framework, setup_cmds, test_cmd: `${variables}${test_cmd}`, report: { ...report } };
  }
  if (!isNode) return null;
  const [, flags = '', patterns = ''] =
    /\bnode((?:\s+-[\w-]+(?:[= ][^\s-]\S*)?)*?)\s+--test\b([^&|;]*)/.exec(script) ?? [];
  const kept = patterns.replaceAll(/\s--test-reporter(-destination)?[= ]\S+/g, '');
  // Bounded: likewise.
  const [, more = '', whole = ''] = /^((?:\s+--[\w-]+(?:=\S+)?)*)(.*)$/.exec(kept) ?? [];
  const report = '--test-reporter=tap --test-reporter-destination=$OUT/r.tap';
  return {
    framework: 'node:test',
    setup_cmds,
    test_cmd: `node${flags} --test${more} ${report} {files${whole.trim() ? `:${whole.trim()}` : ''}}`,
    report: { format: 'tap', path: '$OUT/r.tap' },
  };
};

async function npmInstall(read: Read, hasDependencies: boolean, before: string | null): Promise<string[]> {
  if ((await read('package-lock.json')) ?? (await read('npm-shrinkwrap.json'))) return ['npm ci --no-audit --no-fund'];
  if (await read('pnpm-lock.yaml')) return ['npx --yes pnpm install --frozen-lockfile'];
  if (await read('yarn.lock'))
    return [
      (await read('.yarnrc.yml'))
        ? 'npx --yes @yarnpkg/cli-dist install --immutable'
        : 'npx --yes yarn@1 install --frozen-lockfile',
    ];
  return hasDependencies
    ? [`npm install --no-audit --no-fund --no-package-lock${before ? ` --before=${before}` : ''}`]
    : [];
}

const pytest =
  '.venv/bin/python -m pytest -p no:cacheprovider --continue-on-collection-errors --color=no -o junit_family=xunit1 --junitxml=$OUT/junit.xml {files}';

const detectPytest: Detect = async (read, tree, before) => {
  const pyproject = record(toml(await read('pyproject.toml')));
  const isConfigured =
    'pytest' in record(pyproject['tool']) ||
    (await read('pytest.ini')) !== null ||
    /^\[pytest\]/m.test((await read('tox.ini')) ?? '') ||
    /^\[tool:pytest\]/m.test((await read('setup.cfg')) ?? '');
  const tests = await Promise.all(['.', 'test', 'tests'].map((folder) => names(join(tree, folder))));
  // Or in a package, as `h11/tests`: of what is no folder there are no names.
  const packages = (tests[0] ?? [])
    .filter((name) => /^\w+$/.test(name))
    .flatMap((name) => [`${name}/test`, `${name}/tests`]);
  const inPackages = await Promise.all(packages.map((folder) => names(join(tree, folder))));
  const hasTests = [...tests, ...inPackages].flat().some((name) => /^(test_.*|.*_test|conftest)\.py$/.test(name));
  const isOneFile = !hasTests && tests.flat().some((name) => /^tests?\.py$/.test(name));
  if (!isConfigured && !hasTests && !isOneFile) return null;
  const wanted = await pythonRequirements(read, (folder) => names(join(tree, folder)), { isLoose: before === null });
  const pipInstall = (options: string, what: readonly string[]) =>
    `.venv/bin/python -m pip install --quiet ${options}${what.map((each) => (each.startsWith('-') ? each : quoted(each))).join(' ')}`;
  // What built packages at the time may not know today's pip or Python: then today's builds them, of what there was at the time.
  const asOf = `--uploaded-prior-to=${before} `;
  const byToday = `{ ${pipInstall('', await buildRequirements(read))} && ${pipInstall(`--no-build-isolation ${asOf}`, wanted)}; }`;
  return {
    framework: 'pytest',
    setup_cmds: [
      'python -m venv .venv || python3 -m venv .venv',
      // An older one does not know what is asked of it.
      ...(before === null ? [] : ['.venv/bin/python -m pip install --quiet --upgrade pip']),
      before === null ? pipInstall('', wanted) : `${pipInstall(asOf, wanted)} || ${byToday}`,
    ],
    test_cmd: isOneFile ? pytest.replace('{files}', "-o python_files='test*.py *_test.py' {files}") : pytest,
    report: { format: 'pytest_junit', path: '$OUT/junit.xml' },
  };
};

const detectGo: Detect = async (read, tree) => {
  const modules = (await read('go.mod')) ? ['.'] : [];
  for (const name of await names(tree)) if (await read(`${name}/go.mod`)) modules.push(name);
  if (modules.length === 0) return null;
  const all = (command: string) =>
    modules.length === 1 && modules[0] === '.'
      ? command
      : `rc=0; for module in ${modules.map(quoted).join(' ')}; do (cd "$module" && ${command}) || rc=$?; done; (exit $rc)`;
  const test = `go test -json -count=1 ${modules.length === 1 && modules[0] === '.' ? '{packages:./...}' : './...'}`;
  return {
    framework: 'go',
    // Everything is compiled once, also where it does not pass.
    setup_cmds: [all('go mod download'), all("(go test -count=1 -run '^$' ./... || true) >/dev/null 2>&1")],
    test_cmd: `{ ${all(test)}; } > $OUT/r.jsonl`,
    report: { format: 'go_json', path: '$OUT/r.jsonl' },
  };
};

const detectCargo: Detect = async (read) =>
  (await read('Cargo.toml')) === null
    ? null
    : {
        framework: 'cargo',
        setup_cmds: ['cargo fetch', 'cargo test --workspace --offline --no-run || true'],
        // The lines that name a target are on the other stream than its tests.
        test_cmd:
          'set -o pipefail; cargo test --workspace --no-fail-fast --offline {targets} -- --color never 2>&1 | tee $OUT/r.txt',
        report: { format: 'cargo_text', path: '$OUT/r.txt' },
      };

const detectMaven: Detect = async (read) =>
  (await read('pom.xml')) === null
    ? null
    : {
        framework: 'maven',
        // Surefire looks for what runs the tests when it runs them. Classes of files that are gone later must not be left.
        setup_cmds: [
          'mvn -B -q -Dmaven.test.failure.ignore=true test',
          'find . -type d -name target -prune -exec rm -rf {} +',
        ],
        test_cmd: 'mvn -B -o -fae -Dsurefire.failIfNoSpecifiedTests=false {maven_tests} test',
        report: { format: 'junit', path: '**/target/surefire-reports/TEST-*.xml' },
      };

const detectGradle: Detect = async (read, tree) => {
  if (!(await names(tree)).some((name) => /^(build|settings)\.gradle(\.kts)?$/.test(name))) return null;
  const gradle = `${(await read('gradlew')) === null ? 'gradle' : 'sh gradlew'} --no-daemon --console=plain`;
  return {
    framework: 'gradle',
    setup_cmds: [`${gradle} --continue test || true`],
    test_cmd: `${gradle} --offline --continue test {gradle_tests}`,
    report: { format: 'junit', path: '**/build/test-results/*/*.xml' },
  };
};

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const names = (folder: string) => readdir(folder).catch((): string[] => []);

function json(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
}

function toml(text: string | null): unknown {
  try {
    return parse(text ?? '');
  } catch {
    return {};
  }
}
