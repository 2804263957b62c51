import { posix } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Draft } from './draft.ts';

/** What somebody does to a repository so that its grade gets better than it is. */
export interface Trick {
  name: string;
  /** So many points of the whole it may be worth: next to nothing, where nothing is better than before. */
  worth: number;
  /** What it is worth for now, until it is mended: the bound that holds; `worth` is what it becomes. */
  untilMended?: number;
  /** It takes the bad files out of sight. */
  hides?: true;
  /** It takes away what the verdict rests on: no grade is none that is better. */
  removes?: true;
  apply(draft: Draft): void;
}

const range = (length: number) => Array.from({ length }, (_, index) => index);
const files = (count: number, path: (n: number) => string, text: (n: number) => string) =>
  Object.fromEntries(range(count).map((n) => [path(n), text(n)]));

const workflow = (draft: Draft, name: string, text: string) =>
  draft.commit(`ci: ${name}`, { [`.github/workflows/${name}.yml`]: text });
const checkout = 'actions/checkout@b4ffde65f46336ab88eb53be808477a3936bae11';
/** Every gate, without one that does anything. */
const commands = ['npm ci', 'npm test', 'npm run lint', 'semgrep ci', 'npm audit'];
const job = (steps: readonly string[], extra = '') =>
  `name: ci\non: [push, pull_request]\npermissions:\n  contents: read\njobs:\n  all:\n    runs-on: ubuntu-latest\n${extra}    steps:\n      - uses: ${checkout}\n${steps
    .map((step) => `      - run: ${step}\n`)
    .join('')}`;

/** A step of several lines. */
const inScript = (...lines: readonly string[]) => ['|', ...lines.map((line) => `          ${line}`)].join('\n');

const isJavaScript = ({ language }: Draft) => language === 'javascript';
const byLanguage = <T>(draft: Draft, javascript: T, python: T) => (isJavaScript(draft) ? javascript : python);

const continuousIntegration: readonly Trick[] = [
  {
    name: 'CI that prints the commands',
    worth: 0,
    apply: (draft) => workflow(draft, 'echo', job(commands.map((command) => `echo ${command}`))),
  },
  {
    name: 'CI whose failures are ignored',
    worth: 0,
    apply: (draft) => workflow(draft, 'or-true', job(commands.map((command) => `${command} || true`))),
  },
  {
    name: 'a job that never runs',
    worth: 0,
    apply: (draft) => workflow(draft, 'if-false', job(commands, '    if: false\n')),
  },
  {
    name: 'a job that may fail',
    worth: 0,
    apply: (draft) => workflow(draft, 'may-fail', job(commands, '    continue-on-error: true\n')),
  },
  {
    name: 'a workflow that nothing starts',
    worth: 0,
    apply: (draft) =>
      workflow(
        draft,
        'never',
        job(commands).replace('on: [push, pull_request]', 'on:\n  push:\n    branches: [no-such-branch]'),
      ),
  },
  {
    name: 'a workflow that no path starts',
    worth: 0,
    apply: (draft) =>
      workflow(
        draft,
        'no-path',
        job(commands).replace('on: [push, pull_request]', "on:\n  push:\n    paths-ignore: ['**']"),
      ),
  },
  {
    name: 'CI that leaves before the commands',
    worth: 0,
    apply: (draft) => workflow(draft, 'leaves', job(commands.map((command) => inScript('exit 0', command)))),
  },
  {
    name: 'CI whose commands are a text',
    worth: 0,
    apply: (draft) => workflow(draft, 'text', job(commands.map((command) => inScript('cat <<END', command, 'END')))),
  },
  {
    name: 'CI whose shell only shows the commands',
    worth: 0,
    apply: (draft) => workflow(draft, 'shows', job(commands.map((command) => `${command}\n        shell: cat {0}`))),
  },
  {
    name: 'CI that asks tools for help',
    worth: 0,
    apply: (draft) =>
      workflow(draft, 'help', job(['npm ci', 'npx jest --help', 'npx eslint --version', 'npm audit --help'])),
  },
  {
    name: 'CI of another repository',
    worth: 0,
    apply: (draft) => workflow(draft, 'another', job(commands, "    if: github.repository == 'nobody/nothing'\n")),
  },
  {
    name: 'CI that nobody’s changes start',
    worth: 0,
    apply: (draft) => {
      for (const [n, condition] of [
        "github.actor == 'nobody'",
        "vars.TEST == 'yes'",
        "contains(github.event.head_commit.message, 'please test')",
      ].entries())
        workflow(draft, `nobody-${n}`, job(commands, `    if: ${condition}\n`));
    },
  },
  {
    // A Makefile is a file more of which an author is known.
    name: 'CI that only shows what it would do',
    worth: 1,
    apply: (draft) => {
      draft.commit('make', { Makefile: 'all:\n\tnpm ci\n\tnpx jest\n\tnpx eslint .\n\tnpm audit\n' });
      workflow(draft, 'shows-only', job(['make -n all', 'npm ci --dry-run', 'npx jest --listTests', 'npm audit -h']));
    },
  },
  {
    name: 'CI whose tools look at nothing',
    worth: 0,
    apply: (draft) =>
      workflow(
        draft,
        'nothing',
        job([
          'npm ci --ignore-scripts',
          'npx jest --passWithNoTests no/such/folder',
          'npx eslint --no-eslintrc --no-error-on-unmatched-pattern no/such/folder',
          'semgrep scan --config empty.yml --exclude "*" .',
          'npm audit --audit-level=none',
        ]),
      ),
  },
  {
    name: 'CI whose tools may find what they like',
    worth: 0,
    apply: (draft) =>
      workflow(
        draft,
        'zero',
        job([
          'ruff check --exit-zero .',
          'pytest --collect-only',
          'npx eslint . ; true',
          'npx jest & echo started',
          'bandit -r . --exit-zero',
        ]),
      ),
  },
  {
    name: 'CI of a sandbox beside the code',
    worth: 1,
    apply(draft) {
      draft.commit('sandbox', {
        'sandbox/package.json': JSON.stringify({
          name: 'sandbox',
          private: true,
          scripts: { test: 'jest', lint: 'eslint .', build: 'tsc' },
          devDependencies: { jest: '29.0.0' },
        }),
        'sandbox/eslint.config.js': "module.exports = [{ ignores: ['**'] }];\n",
      });
      workflow(
        draft,
        'sandbox',
        job(
          ['npm install', 'npm test', 'npm run lint', 'npm run build', 'npm audit'],
          '    defaults:\n      run:\n        working-directory: sandbox\n',
        ),
      );
    },
  },
  {
    name: 'reports of scanners that found nothing',
    worth: 0.5,
    apply: (draft) =>
      draft.commit('reports', {
        'reports/semgrep.sarif': JSON.stringify({
          version: '2.1.0',
          runs: [{ tool: { driver: { name: 'semgrep' } }, results: [] }],
        }),
        'reports/bom.json': JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', components: [] }),
      }),
  },
];

const tests: readonly Trick[] = [
  {
    name: '3,000 empty tests',
    worth: 1,
    apply: (draft) =>
      draft.commit(
        'test: everything',
        files(
          3,
          byLanguage(
            draft,
            (n) => `test/all-${n}.test.js`,
            (n) => `tests/test_all_${n}.py`,
          ),
          byLanguage(
            draft,
            (n) =>
              range(1_000)
                .map((test) => `it('works ${n} ${test}', () => {});\n`)
                .join(''),
            (n) =>
              range(1_000)
                .map((test) => `def test_${n}_${test}(): pass\n`)
                .join(''),
          ),
        ),
      ),
  },
  {
    name: 'tests that assert only literals',
    worth: 1,
    apply: (draft) =>
      draft.commit(
        'test: more of everything',
        files(
          2,
          byLanguage(
            draft,
            (n) => `test/true-${n}.test.js`,
            (n) => `tests/test_true_${n}.py`,
          ),
          byLanguage(
            draft,
            (n) =>
              `const assert = require('assert');\n${range(600)
                .map((test) => `it('is true ${n} ${test}', () => { assert.equal(${test}, ${test}); });\n`)
                .join('')}`,
            (n) =>
              range(600)
                .map((test) => `def test_true_${n}_${test}(): assert ${test} == ${test}\n`)
                .join(''),
          ),
        ),
      ),
  },
  {
    name: 'tests that compare a thing with itself',
    worth: 1,
    apply: (draft) =>
      draft.commit(
        'test: itself',
        files(
          2,
          byLanguage(
            draft,
            (n) => `test/self-${n}.test.js`,
            (n) => `tests/test_self_${n}.py`,
          ),
          byLanguage(
            draft,
            (n) =>
              range(300)
                .map(
                  (t) => `it('is ${n} ${t}', () => {\n  const shop = { id: ${t} };\n  expect(shop).toBe(shop);\n});\n`,
                )
                .join(''),
            (n) =>
              range(300)
                .map((t) => `def test_self_${n}_${t}():\n    shop = {"id": ${t}}\n    assert shop is shop\n`)
                .join(''),
          ),
        ),
      ),
  },
  {
    name: 'tests that say only that a thing is there',
    worth: 1,
    apply: (draft) =>
      draft.commit(
        'test: there',
        files(
          2,
          byLanguage(
            draft,
            (n) => `test/there-${n}.test.js`,
            (n) => `tests/test_there_${n}.py`,
          ),
          byLanguage(
            draft,
            (n) =>
              `const shop = require('../src/users');\n${range(150)
                .map(
                  (t) =>
                    `it('is there ${n} ${t}', () => {\n  expect(shop).toBeDefined();\n});\nit('is something ${n} ${t}', () => {\n  expect(shop).toBeTruthy();\n  expect(typeof shop).toBe('function');\n});\n`,
                )
                .join('')}`,
            (n) =>
              `from shop import users\n\n${range(150)
                .map(
                  (t) =>
                    `def test_there_${n}_${t}():\n    assert users is not None\n\ndef test_some_${n}_${t}():\n    assert users\n`,
                )
                .join('')}`,
          ),
        ),
      ),
  },
  {
    name: 'tests that are skipped, left before they assert, or never fail',
    worth: 1,
    untilMended: 1.25,
    apply: (draft) =>
      draft.commit(
        'test: none',
        files(
          2,
          byLanguage(
            draft,
            (n) => `test/none-${n}.test.js`,
            (n) => `tests/test_none_${n}.py`,
          ),
          byLanguage(
            draft,
            (n) =>
              `const shop = require('../src/users');\n${range(150)
                .map(
                  (t) =>
                    `it.skip('skips ${n} ${t}', () => {\n  expect(shop(${t})).toBe(${t});\n});\nit('leaves ${n} ${t}', () => {\n  return;\n  expect(shop(${t})).toBe(${t});\n});\nit('swallows ${n} ${t}', () => {\n  try {\n    expect(shop(${t})).toBe(${t});\n  } catch {}\n});\nit('is either ${n} ${t}', () => {\n  expect(shop === ${t} || true).toBe(true);\n});\n`,
                )
                .join('')}`,
            (n) =>
              `import pytest\nfrom shop import users\n\n${range(150)
                .map(
                  (t) =>
                    `@pytest.mark.skip\ndef test_skips_${n}_${t}():\n    assert users.handle(${t}) == ${t}\n\ndef test_leaves_${n}_${t}():\n    return\n    assert users.handle(${t}) == ${t}\n\ndef test_swallows_${n}_${t}():\n    try:\n        assert users.handle(${t}) == ${t}\n    except Exception:\n        pass\n\ndef test_either_${n}_${t}():\n    assert users.handle == ${t} or True\n`,
                )
                .join('')}`,
          ),
        ),
      ),
  },
  {
    name: 'tests of what they made themselves',
    worth: 1,
    apply: (draft) =>
      draft.commit(
        'test: own',
        files(
          2,
          byLanguage(
            draft,
            (n) => `test/own-${n}.test.js`,
            (n) => `tests/test_own_${n}.py`,
          ),
          byLanguage(
            draft,
            (n) =>
              `const prices = [1, 2, 3];\n${range(200)
                .map(
                  (t) =>
                    `it('is own ${n} ${t}', () => {\n  const shop = {\n    id: ${t},\n    tags: ['a'],\n  };\n  expect(shop.id).toBe(${t});\n  expect(prices[1]).toBe(2);\n});\n`,
                )
                .join('')}`,
            (n) =>
              `PRICES = [1, 2, 3]\n\n${range(200)
                .map(
                  (t) =>
                    `def test_own_${n}_${t}():\n    shop = {\n        "id": ${t},\n        "tags": ["a"],\n    }\n    assert shop["id"] == ${t}\n    assert PRICES[1] == 2\n`,
                )
                .join('')}`,
          ),
        ),
      ),
  },
  {
    name: 'tests of a function that does nothing',
    worth: 1,
    apply(draft) {
      draft.commit(
        'a helper',
        byLanguage<Record<string, string>>(
          draft,
          { 'src/same.js': 'exports.same = function (value) {\n  return value;\n};\n' },
          { 'shop/same.py': 'def same(value):\n    return value\n' },
        ),
      );
      draft.commit(
        'test: same',
        files(
          2,
          byLanguage(
            draft,
            (n) => `test/same-${n}.test.js`,
            (n) => `tests/test_same_${n}.py`,
          ),
          byLanguage(
            draft,
            (n) =>
              `const { same } = require('../src/same');\n${range(400)
                .map((t) => `it('keeps ${n} ${t}', () => {\n  expect(same(${t})).toBe(${t});\n});\n`)
                .join('')}`,
            (n) =>
              `from shop.same import same\n\n${range(400)
                .map((t) => `def test_keeps_${n}_${t}():\n    assert same(${t}) == ${t}\n`)
                .join('')}`,
          ),
        ),
      );
    },
  },
  {
    name: 'tests of what the language brings',
    worth: 1,
    apply: (draft) =>
      draft.commit(
        'test: the language',
        files(
          2,
          byLanguage(
            draft,
            (n) => `test/language-${n}.test.js`,
            (n) => `tests/test_language_${n}.py`,
          ),
          byLanguage(
            draft,
            (n) =>
              `const path = require('path');\n${range(300)
                .map(
                  (t) =>
                    `it('joins ${n} ${t}', () => {\n  expect(path.join('a', '${t}')).toBe('a/${t}');\n  expect(Math.max(${t}, 0)).toBe(${t});\n});\n`,
                )
                .join('')}`,
            (n) =>
              `import math\nimport os.path\n\n${range(300)
                .map(
                  (t) =>
                    `def test_joins_${n}_${t}():\n    assert os.path.join("a", "${t}") == "a/${t}"\n    assert math.floor(${t}.5) == ${t}\n`,
                )
                .join('')}`,
          ),
        ),
      ),
  },
  {
    name: 'tests of mocks',
    worth: 1,
    apply: (draft) =>
      draft.commit(
        'test: mocks',
        files(
          2,
          byLanguage(
            draft,
            (n) => `test/mocks-${n}.test.js`,
            (n) => `tests/test_mocks_${n}.py`,
          ),
          byLanguage(
            draft,
            (n) =>
              range(300)
                .map(
                  (t) =>
                    `it('answers ${n} ${t}', () => {\n  const ask = jest.fn().mockReturnValue(${t});\n  expect(ask()).toBe(${t});\n  expect(ask).toHaveBeenCalledTimes(1);\n});\n`,
                )
                .join(''),
            (n) =>
              `from unittest.mock import Mock\n\n${range(300)
                .map(
                  (t) =>
                    `def test_answers_${n}_${t}():\n    ask = Mock(return_value=${t})\n    assert ask() == ${t}\n    ask.assert_called_once()\n`,
                )
                .join('')}`,
          ),
        ),
      ),
  },
  {
    name: 'a test that asserts, and a coverage report that is invented in full',
    worth: 2,
    apply(draft) {
      const report = draft.bad.map((path) => {
        const lines = draft.text(path).split('\n');
        return `SF:${path}\n${lines.map((_, line) => `DA:${line + 1},3\n`).join('')}end_of_record\n`;
      });
      draft.commit('coverage in full', {
        'coverage/lcov.info': `TN:\n${report.join('')}`,
        ...byLanguage<Record<string, string>>(
          draft,
          {
            'test/one.test.js':
              "const shop = require('../src/users');\nit('adds a route', () => {\n  const app = { post: jest.fn(), get: jest.fn() };\n  shop(app);\n  expect(app.post).toHaveBeenCalled();\n});\n",
          },
          {
            'tests/test_one.py': 'from shop import users\n\n\ndef test_name():\n    assert users.show(1) == "users"\n',
          },
        ),
      });
    },
  },
  {
    name: 'a coverage report of three invented lines',
    worth: 1,
    apply: (draft) =>
      draft.commit('coverage', {
        'coverage/lcov.info': `TN:\nSF:${draft.bad[0]}\nDA:1,9\nDA:2,9\nDA:3,9\nend_of_record\n`,
      }),
  },
];

const history: readonly Trick[] = [
  {
    name: 'eleven files of one line, by as many people',
    worth: 2,
    apply(draft) {
      const extension = byLanguage(draft, 'js', 'py');
      for (const n of range(11))
        draft.commit(
          `add constant ${n}`,
          { [`constants/c${n}.${extension}`]: byLanguage(draft, `exports.c${n} = ${n};\n`, `C${n} = ${n}\n`) },
          { author: `Invented Person ${n}` },
        );
    },
  },
  {
    name: 'comments under invented names',
    worth: 0,
    apply(draft) {
      const sign = byLanguage(draft, '//', '#');
      const at = draft.commits.at(-1)?.at ?? 0;
      for (const n of range(40)) {
        const path = draft.bad[n % draft.bad.length] ?? '';
        const date = new Date(at * 1_000 - (39 - n) * 7 * 86_400_000).toISOString();
        draft.commit(
          `review ${path}`,
          { [path]: `${sign} reviewed ${n}\n${draft.text(path)}` },
          { author: `Imagined Person ${n % 8}`, date },
        );
      }
    },
  },
  {
    name: 'white space and notes under invented names',
    worth: 0.5,
    apply(draft) {
      const at = draft.commits.at(-1)?.at ?? 0;
      for (const n of range(40)) {
        const path = draft.bad[n % draft.bad.length] ?? '';
        const date = new Date(at * 1_000 - (39 - n) * 7 * 86_400_000).toISOString();
        draft.commit(
          `tidy ${path}`,
          n % 2 === 0 ? { [path]: `${draft.text(path)}\n` } : { 'NOTES.md': `${draft.text('NOTES.md')}Noted ${n}.\n` },
          { author: `Fancied Person ${n % 8}`, date },
        );
      }
    },
  },
  {
    name: 'more small changes, with co-authors that nobody knows',
    worth: 0.5,
    untilMended: 2,
    apply(draft) {
      for (const n of range(24)) {
        const path = draft.bad[n % draft.bad.length] ?? '';
        const line = byLanguage(draft, `exports.n${n} = ${n};\n`, `N${n} = ${n}\n`);
        draft.commit(
          `add ${n}\n\nCo-authored-by: Third Person ${n % 8} <third.${n % 8}@example.org>\nReviewed-by: Fourth Person <fourth@example.org>\n`,
          { [path]: `${draft.text(path)}${line}` },
        );
      }
    },
  },
  {
    // That the code was changed in each week can't be told from its having been; who changed it is as before.
    name: 'the history spread over all weeks',
    worth: 3,
    apply(draft) {
      const last = draft.commits.at(-1)?.at ?? 0;
      const spread = draft.commits.flatMap((commit, index) => [
        { ...commit, at: last - (draft.commits.length - 1 - index) * 7 * 86_400 },
      ]);
      draft.commits.splice(0, draft.commits.length, ...spread);
    },
  },
  {
    name: 'a function a week under invented names',
    worth: 4,
    apply(draft) {
      const at = draft.commits.at(-1)?.at ?? 0;
      for (const n of range(48)) {
        const path = draft.bad[n % draft.bad.length] ?? '';
        const line = byLanguage(
          draft,
          `exports.week${n} = (value) => value + ${n};\n`,
          `def week_${n}(value): return value + ${n}\n`,
        );
        draft.commit(
          `week ${n}`,
          { [path]: `${draft.text(path)}${line}` },
          { author: `Made Person ${n % 8}`, date: new Date((at - (47 - n) * 7 * 86_400) * 1_000).toISOString() },
        );
      }
    },
  },
  {
    name: 'merges of branches that change nothing',
    worth: 1,
    apply(draft) {
      const at = draft.commits.at(-1)?.at ?? 0;
      const hours = (count: number) => new Date((at + count * 3_600) * 1_000).toISOString();
      for (const n of range(12)) {
        const files = { 'NOTES.md': `${draft.text('NOTES.md')}Merged ${n}.\n` };
        draft.commit(`note ${n}`, files, { date: hours(4 * n + 1) });
        draft.commit(`Merge pull request #${n + 1} from max/note-${n}`, files, {
          date: hours(4 * n + 2),
          isMerge: true,
        });
      }
    },
  },
  {
    name: 'releases that contain nothing',
    worth: 1,
    untilMended: 1.5,
    apply(draft) {
      const at = draft.commits.at(-1)?.at ?? 0;
      for (const n of range(8))
        draft.commit(
          `Release 1.${n}.0`,
          { 'VERSION.txt': `1.${n}.0\n` },
          { date: new Date((at + (n - 7) * 14 * 86_400 + 3_600) * 1_000).toISOString(), isTagged: true },
        );
    },
  },
  {
    name: 'commits in the name of an update bot',
    worth: 1,
    untilMended: 1.5,
    apply(draft) {
      const path = byLanguage(draft, 'package.json', 'requirements.txt');
      for (const n of range(12))
        draft.commit(
          `chore(deps): bump lodash from 4.17.${n} to 4.17.${n + 1}`,
          { [path]: `${draft.text(path).trimEnd()}${'\n'.repeat(1 + (n % 2))}` },
          { author: n % 2 === 0 ? 'dependabot[bot]' : 'renovate[bot]' },
        );
      draft.commit('back', {}, { author: 'Max Mono' });
    },
  },
  {
    name: 'a commit of the future',
    worth: 1,
    apply: (draft) => draft.commit('hello', { 'NOTES.md': 'Hello.\n' }, { date: '2099-06-01T12:00:00Z' }),
  },
];

const attribute = (name: string, text: string): Trick => ({
  name: `.gitattributes: ${text}`,
  worth: 5,
  apply: (draft) =>
    draft.commit(name, {
      '.gitattributes': `${draft.text('.gitattributes')}${draft.bad.map((path) => `${posix.basename(path)} ${text}\n`).join('')}`,
    }),
});
const folder = (name: string): Trick => ({
  name: `the bad files moved to ${name}/`,
  worth: 5,
  apply: (draft) => draft.move(`move to ${name}`, (path) => `${name}/${posix.basename(path)}`),
});

/** Statements that stand on a line of their own, several on a line. */
const packed = (text: string, width: number): string => {
  const lines: string[] = [];
  for (const each of text.split('\n')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + each.trim().length < width && !/['"`]\s*$/.test(last))
      lines[lines.length - 1] = `${last} ${each.trim()}`;
    else lines.push(each);
  }
  return `${lines.join('\n')}\n`;
};

/** Simple statements of one indentation that follow each other, joined by `;`, and put behind the colon where they are all there is. */
const joined = (text: string): string => {
  const indentOf = (line = '') => /^\s*/.exec(line)?.[0].length ?? 0;
  const isSimple = (line = '') => /^\s*(?:[\w.[\]"]+(?: = |\()|return\b|import\b)/.test(line);
  const merged: string[] = [];
  for (const each of text.split('\n')) {
    const last = merged.at(-1);
    if (isSimple(each) && isSimple(last) && indentOf(each) === indentOf(last))
      merged[merged.length - 1] = `${last}; ${each.trim()}`;
    else merged.push(each);
  }
  const lines: string[] = [];
  for (const [at, each] of merged.entries()) {
    const last = lines.at(-1) ?? '';
    const isWhole = indentOf(each) > indentOf(last) && indentOf(merged[at + 1]) <= indentOf(last);
    if (isSimple(each) && last.endsWith(':') && isWhole) lines[lines.length - 1] = `${last} ${each.trim()}`;
    else lines.push(each);
  }
  return lines.join('\n');
};

const hiding: readonly Trick[] = [
  {
    name: 'several statements on a line',
    worth: 1,
    // Without its comments: what follows one on its line would be none of the program.
    apply: (draft) =>
      draft.rewrite('pack', (text) =>
        byLanguage(draft, packed(text.replaceAll(/ \/\/ .*$/gm, ''), 105), joined(text.replaceAll(/ # .*$/gm, ''))),
      ),
  },
  {
    name: 'the code in texts that are executed',
    worth: 1,
    apply: (draft) =>
      draft.rewrite('texts', (text) =>
        byLanguage(
          draft,
          `eval(\n${text
            .split('\n')
            .map((line) => `  ${JSON.stringify(`${line}\n`)}`)
            .join(' +\n')},\n);\n`,
          `exec(\n${text
            .split('\n')
            .map((line) => `    ${JSON.stringify(`${line}\n`)}\n`)
            .join('')})\n`,
        ),
      ),
  },
  {
    name: 'the code encoded in texts that are executed',
    worth: 5,
    apply: (draft) =>
      draft.rewrite('encoded', (text) => {
        const code = Buffer.from(text).toString('base64');
        return byLanguage(
          draft,
          `eval(Buffer.from('${code}', 'base64').toString());\n`,
          `import base64\n\nexec(base64.b64decode("${code}"))\n`,
        );
      }),
  },
  {
    // That nobody sees what it imports is left of it.
    name: 'the code in data that is executed',
    worth: 2,
    apply(draft) {
      for (const path of draft.bad) {
        const data = path.replace(/\.\w+$/, '.json');
        const run = byLanguage(
          draft,
          `new Function('require', 'module', require('./${posix.basename(data)}').code)(require, module);\n`,
          `import json\n\nexec(json.load(open("${data}"))["code"])\n`,
        );
        draft.commit('data', { [data]: JSON.stringify({ code: draft.text(path) }), [path]: run });
      }
    },
  },
  {
    name: 'the bad files behind links',
    worth: 1,
    apply(draft) {
      const links = Object.fromEntries(
        draft.bad.map((path) => [path, { link: `../store/${posix.basename(path, posix.extname(path))}` }]),
      );
      draft.move('store', (path) => `store/${posix.basename(path, posix.extname(path))}`);
      draft.commit('links', links);
    },
  },
  {
    // No function is long then; what is duplicated and insecure stays.
    name: 'each monster in many small files',
    worth: 8,
    apply(draft) {
      for (const path of draft.bad) {
        const states = draft
          .text(path)
          .split(byLanguage(draft, /(?=^      if \(rows\.length)/m, /(?=^    if len\(rows\))/m));
        const name = path.replace(/\.\w+$/, '');
        const ending = posix.extname(path);
        const last = states.at(-1) ?? '';
        const end = last.indexOf(byLanguage(draft, '      res.send(result);', '    return result'));
        const parts = [...states.slice(1, -1), last.slice(0, end)];
        const written = Object.fromEntries(
          parts.map((part, n) => [
            `${name}/state_${n}${ending}`,
            byLanguage(
              draft,
              `module.exports = function state${n}(req, rows, rule, result, db) {\n${part}};\n`,
              `def state_${n}(request, rows, rule, result, cursor):\n${part}`,
            ),
          ]),
        );
        const calls = parts.map((_, n) =>
          byLanguage(
            draft,
            `      require('./${posix.basename(name)}/state_${n}')(req, rows, rule, result, db);\n`,
            `    from shop.${posix.basename(name)}.state_${n} import state_${n}; state_${n}(request, rows, rule, result, cursor)\n`,
          ),
        );
        draft.commit('split', { ...written, [path]: `${states[0]}${calls.join('')}${last.slice(end)}` });
      }
    },
  },
  {
    name: 'the bad files in another repository',
    worth: 1,
    apply: (draft) =>
      draft.commit('submodule', {
        ...Object.fromEntries(draft.bad.map((path) => [path, null])),
        '.gitmodules': '[submodule "core"]\n\tpath = core\n\turl = https://example.org/core.git\n',
        core: { repository: 'b4ffde65f46336ab88eb53be808477a3936bae11' },
      }),
  },
  {
    name: 'each bad file on one line',
    worth: 5,
    apply: (draft) =>
      draft.rewrite('short', (text) =>
        byLanguage(draft, text.replaceAll(/\n\s*/g, ' '), text.replaceAll('\n\n', '\n')),
      ),
  },
  attribute('vendored', 'linguist-vendored'),
  attribute('generated', 'linguist-generated'),
  attribute('not detectable', 'linguist-detectable=false'),
  attribute('documentation', 'linguist-documentation'),
  attribute('another language', 'linguist-language=Brainfuck'),
  folder('vendor'),
  folder('fixtures'),
  folder('examples'),
  folder('tests'),
  folder('dist'),
  {
    name: 'a header that calls the bad files generated',
    worth: 5,
    apply: (draft) =>
      draft.rewrite('headers', (text) =>
        byLanguage(
          draft,
          `// Generated by a tool\n// GENERATED CODE -- DO NOT EDIT!\n${text}`,
          `# Generated by the protocol buffer compiler.  DO NOT EDIT!\n${text}`,
        ),
      ),
  },
  {
    name: 'the bad files called minified',
    worth: 7,
    apply: (draft) => draft.move('minify', (path) => path.replace(/\.(js|py)$/, '.min.js')),
  },
  {
    name: 'a NUL byte in the bad files',
    worth: 5,
    apply: (draft) => draft.rewrite('nul', (text) => `${byLanguage(draft, '//', '#')} \0\n${text}`),
  },
  {
    name: 'the bad files in UTF-16',
    worth: 5,
    apply: (draft) =>
      draft.rewrite('utf-16', (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])),
  },
  {
    name: 'an invalid byte in the bad files',
    worth: 5,
    apply: (draft) =>
      draft.rewrite('bytes', (text) =>
        Buffer.concat([Buffer.from(`${text}${byLanguage(draft, '//', '#')} `), Buffer.from([0xff, 0x0a])]),
      ),
  },
  {
    name: 'secrets in two halves',
    worth: 1,
    apply(draft) {
      const path = byLanguage(draft, 'config.js', 'settings.py');
      const quote = byLanguage(draft, "'", '"');
      const halved = (text: string) =>
        text.replaceAll(/(["'])(\w{9})(\w{9,})\1/g, (_, mark: string, one: string, two: string) =>
          [`${mark}${one}${mark}`, `${mark}${two}${mark}`].join(' + '),
        );
      draft.commit('halve', { [path]: halved(draft.text(path)).replaceAll("'", quote) });
      draft.rewrite('halve', halved);
    },
  },
  {
    // That nobody sees what it imports is left of it.
    name: 'an ending that no language has',
    worth: 1,
    apply: (draft) => draft.move('data', (path) => path.replace(/\.\w+$/, '.dat')),
  },
  {
    name: 'code under the names of notes and pictures',
    worth: 1,
    apply: (draft) => draft.move('notes', (path) => path.replace(/\.\w+$/, path.length % 2 === 0 ? '.txt' : '.png')),
  },
  {
    name: 'the code in notebooks',
    worth: 2,
    apply: (draft) => moved(draft, 'ipynb', notebook, (path) => `run('${path}')\n`),
  },
  {
    name: 'the code in scripts of pages',
    worth: 2,
    apply: (draft) => moved(draft, 'html', page, (path) => `run('${path}')\n`),
  },
  {
    name: 'the code in components of a framework',
    worth: 2,
    apply: (draft) => moved(draft, 'vue', page, (path) => `run('${path}')\n`),
  },
  {
    name: 'the code in a document whose code is run',
    worth: 2,
    apply: (draft) =>
      moved(
        draft,
        'md',
        (text) => `# Notes\n\nHow it is done.\n\n\`\`\`\n${text}\`\`\`\n\nThat is all.\n`,
        (path) => `run('${path}')\n`,
      ),
  },
  {
    name: 'the code in a text of settings that is run',
    worth: 2,
    apply: (draft) =>
      moved(
        draft,
        'toml',
        (text) => `name = "core"\ncode = '''\n${text}'''\n`,
        (path) => `run('${path}')\n`,
      ),
  },
  {
    name: 'the code in XML that is run',
    worth: 2,
    apply: (draft) =>
      moved(
        draft,
        'xml',
        (text) => `<?xml version="1.0"?>\n<core>\n<code><![CDATA[\n${text}]]></code>\n</core>\n`,
        (path) => `run('${path}')\n`,
      ),
  },
  {
    name: 'the code in documentation that is run, in pieces among as much prose',
    worth: 2,
    apply(draft) {
      for (const path of draft.bad) {
        const pieces = draft.text(path).split('\n');
        const written = range(Math.ceil(pieces.length / 6)).map(
          (n) =>
            `## Part ${n}\n\nWhat is done here is explained well.\nAnd then there is more to say.\nSo we say it.\n\n\`\`\`${byLanguage(draft, 'js', 'python')}\n${pieces.slice(6 * n, 6 * n + 6).join('\n')}\n\`\`\`\n`,
        );
        draft.commit('docs', {
          [`docs/${posix.basename(path, posix.extname(path))}.md`]: `# Guide\n\n${written.join('\n')}`,
          [path]: `run('${path}')\n`,
        });
      }
    },
  },
  {
    name: 'the code written by a script of the shell',
    worth: 2,
    apply: (draft) =>
      draft.commit('build', {
        ...Object.fromEntries(draft.bad.map((path) => [path, null])),
        'build.sh': `#!/bin/sh\nset -e\n${draft.bad.map((path) => `cat > ${path} <<'END'\n${draft.text(path)}END\n`).join('')}`,
      }),
  },
  {
    name: 'the code written by a workflow',
    worth: 2,
    apply: (draft) =>
      draft.commit('deploy', {
        ...Object.fromEntries(draft.bad.map((path) => [path, null])),
        '.github/workflows/deploy.yml': job(
          draft.bad.map((path) => inScript(`cat > ${path} <<'END'`, ...draft.text(path).split('\n'), 'END')),
        ),
      }),
  },
  {
    name: 'an ending of a language that is not measured',
    worth: 2,
    apply: (draft) => draft.move('endings', (path) => path.replace(/\.\w+$/, byLanguage(draft, '.tcl', '.pl'))),
  },
  {
    name: 'the code in comments that are executed',
    worth: 2,
    apply: (draft) =>
      draft.rewrite('comments', (text) =>
        byLanguage(
          draft,
          `const fs = require('fs');\neval(fs.readFileSync(__filename).toString().split('/' + '*')[1].split('*' + '/')[0]);\n/*\n${text.replaceAll('*/', '')}*/\n`,
          `"""\n${text}"""\nexec(__doc__)\n`,
        ),
      ),
  },
  {
    name: 'the bad files in an archive',
    worth: 5,
    apply: (draft) =>
      draft.commit(
        'archive',
        Object.fromEntries(
          draft.bad.flatMap((path) => [
            [path, `run('${path}')\n`],
            [path.replace(/\.\w+$/, '.bin'), deflateSync(Buffer.from(draft.text(path)))],
          ]),
        ),
      ),
  },
  {
    name: 'the bad files among packages that a lockfile names',
    worth: 5,
    apply(draft) {
      draft.move('packages', (path) => `node_modules/core/${posix.basename(path)}`);
      const packages = { '': { dependencies: { core: '1.0.0' } }, 'node_modules/core': { version: '1.0.0' } };
      draft.commit('lock packages', {
        'package-lock.json': JSON.stringify({ name: 'shop', lockfileVersion: 3, packages }),
      });
    },
  },
  {
    name: 'paths that are not UTF-8',
    worth: 5,
    // As fast-import reads a quoted path.
    apply: (draft) => draft.move('paths', (path) => `"${path.replace('/', '/\\377')}"`),
  },
  {
    name: 'code that is fetched when it runs',
    worth: 5,
    apply: (draft) =>
      draft.rewrite('fetched', (_, path) =>
        byLanguage(
          draft,
          `fetch('https://example.org/${path}')\n  .then((answer) => answer.text())\n  .then((code) => eval(code));\n`,
          `from urllib.request import urlopen\n\nexec(urlopen("https://example.org/${path}").read())\n`,
        ),
      ),
  },
  {
    name: 'the logic in stored procedures',
    worth: 5,
    apply(draft) {
      for (const [n, path] of draft.bad.entries()) {
        const area = posix.basename(path, posix.extname(path));
        draft.commit('procedures', {
          [`migrations/00${n}_${area}.sql`]: procedureOf(area),
          [path]: byLanguage(
            draft,
            `module.exports = (app, db) => app.post('/${area}', (req, res) => db.query('CALL handle_${area}(?)', [req.body], (err, rows) => res.send(rows)));\n`,
            `def handle(cursor, form):\n    cursor.execute("CALL handle_${area}(%s)", [form])\n    return cursor.fetchall()\n`,
          ),
        });
      }
    },
  },
  {
    name: 'names of one letter',
    worth: 1,
    apply: (draft) =>
      draft.rewrite('short names', (text) =>
        text
          .replaceAll(/\bresult\b/g, 'r')
          .replaceAll(/\brows\b/g, 'w')
          .replaceAll(/\brule\b/g, 'u')
          .replaceAll(/\bhandle\b/g, 'h')
          .replaceAll(/\bcursor\b/g, 'c'),
      ),
  },
  {
    name: 'comments and settings that tell tools to look away',
    worth: 1,
    apply(draft) {
      const sign = byLanguage(draft, '//', '#');
      draft.commit('look away', {
        '.gitleaks.toml': "[allowlist]\npaths = ['.*']\n",
        '.gitleaksignore': draft.bad.map((path) => `${path}:generic-api-key:5\n`).join(''),
        '.semgrepignore': '*\n',
        '.eslintignore': '**\n',
        '.jscpd.json': '{"ignore":["**"]}',
        'sonar-project.properties': 'sonar.exclusions=**/*\nsonar.cpd.exclusions=**/*\n',
        '.bandit': '[bandit]\nexclude: /\nskips: B102,B301,B307,B602,B608\n',
      });
      const away = `${sign} nosec noqa nosemgrep NOSONAR gitleaks:allow eslint-disable-line pragma: allowlist secret`;
      const settings = byLanguage(draft, 'config.js', 'settings.py');
      const told = (text: string) => text.replaceAll(/[^\n{(,:]$/gm, (end: string) => `${end} ${away}`);
      draft.commit('look away from secrets', { [settings]: told(draft.text(settings)) });
      draft.rewrite('look away from code', (text) =>
        byLanguage(
          draft,
          `/* eslint-disable */\n/* istanbul ignore file */\n${told(text)}`,
          `# ruff: noqa\n# type: ignore\n# pragma: no cover\n${told(text)}`,
        ),
      );
    },
  },
  {
    name: 'the code packed into texts that are executed',
    worth: 1,
    apply: (draft) =>
      draft.rewrite('packed', (text) => {
        const code = deflateSync(Buffer.from(text)).toString('base64').replaceAll(/.{90}/g, '$&\n');
        return byLanguage(
          draft,
          `const zlib = require('zlib');\nconst code = \`${code}\`;\neval(zlib.inflateSync(Buffer.from(code, 'base64')).toString());\n`,
          `import base64\nimport zlib\n\nexec(zlib.decompress(base64.b64decode("""${code}""")))\n`,
        );
      }),
  },
  {
    name: 'the bad files in another repository among the tests',
    worth: 1,
    apply: (draft) =>
      draft.commit('submodule', {
        ...Object.fromEntries(draft.bad.map((path) => [path, null])),
        'tests/core': { repository: 'b4ffde65f46336ab88eb53be808477a3936bae11' },
      }),
  },
  {
    name: 'the bad files in a package that comes from git',
    worth: 5,
    apply: (draft) =>
      draft.commit('package', {
        ...Object.fromEntries(draft.bad.map((path) => [path, null])),
        ...byLanguage<Record<string, string>>(
          draft,
          {
            'package.json': '{"name":"shop","private":true,"dependencies":{"core":"git+https://example.org/core.git"}}',
          },
          { 'requirements.txt': 'core @ git+https://example.org/core.git\n' },
        ),
      }),
  },
];

/** In PL/pgSQL what the handler does: as long, as branched and as open to injection. */
const procedureOf = (area: string): string =>
  `CREATE OR REPLACE FUNCTION handle_${area}(form jsonb) RETURNS SETOF record AS $$\nDECLARE\n  found integer;\nBEGIN\n  EXECUTE 'SELECT count(*) FROM ${area} WHERE name = ''' || (form->>'name') || '''' INTO found;\n${range(
    24,
  )
    .map(
      (n) => `  IF found > ${n} AND form->>'kind' = '${n}' OR form->>'rule' = '${n}' THEN
    IF form->>'force' = '1' THEN
      EXECUTE 'UPDATE records SET state = ''' || (form->>'state') || ''' WHERE id = ' || (form->>'id');
    ELSE
      UPDATE records SET state = NULL;
    END IF;
  END IF;
`,
    )
    .join('')}  RETURN QUERY SELECT * FROM ${area};\nEND;\n$$ LANGUAGE plpgsql;\n`;

/** Puts the bad code into files of another kind, and where it was what runs these. */
function moved(draft: Draft, ending: string, write: (text: string) => string, run: (path: string) => string): void {
  for (const path of draft.bad) {
    const other = path.replace(/\.\w+$/, `.${ending}`);
    draft.commit(ending, { [other]: write(draft.text(path)), [path]: run(other) });
  }
}

const notebook = (text: string): string =>
  JSON.stringify(
    { cells: [{ cell_type: 'code', source: text.split(/(?<=\n)/) }], nbformat: 4, nbformat_minor: 5 },
    null,
    1,
  );
const page = (text: string): string => `<template><p>Shop</p></template>\n<script>\n${text}</script>\n`;

/** The files that hold the secrets, with what stands for each of these. */
const withoutSecrets = (draft: Draft, stands: (secret: string, name: string) => string) => {
  const path = byLanguage(draft, 'config.js', 'settings.py');
  const quoted = /(?<=(\w+)["']?(?: = |: |=))(["'])(\w{18,})\2/g;
  const replaced = (text: string) =>
    text.replaceAll(quoted, (_, name: string, mark: string, secret: string) => {
      const value = stands(secret, name);
      return value === '' ? byLanguage(draft, `process.env.${name}`, `os.environ["${name}"]`) : mark + value + mark;
    });
  draft.commit('secrets', { [path]: replaced(draft.text(path)) });
  draft.rewrite('secrets', replaced);
};

const secrets: readonly Trick[] = [
  {
    // Code that reads its passwords from the environment is better code; that they were given away stays.
    name: 'the secrets removed from the last commit',
    worth: 1,
    apply: (draft) => withoutSecrets(draft, () => ''),
  },
  {
    name: 'the secrets moved to a test',
    worth: 1,
    apply(draft) {
      const path = byLanguage(draft, 'config.js', 'settings.py');
      const text = draft.text(path);
      withoutSecrets(draft, () => '');
      draft.commit('tests', { [byLanguage(draft, 'test/config.js', 'tests/settings.py')]: text });
    },
  },
  {
    name: 'secrets that call themselves examples',
    worth: 0,
    apply: (draft) => draft.rewrite('examples', (text) => `${byLanguage(draft, '//', '#')} for example\n${text}`),
  },
];

const inventedPackages = Object.fromEntries([
  ['', { dependencies: { express: '*', lodash: '>=2', mysql: '*', request: '^2.88.0' } }],
  ...['express', 'lodash', 'mysql', 'request'].map((name) => [`node_modules/${name}`, { version: '99.0.0' }]),
]);

const paper: readonly Trick[] = [
  {
    name: 'a lockfile that resolves nothing',
    worth: 1,
    apply: (draft) =>
      draft.commit('lock', {
        ...byLanguage<Record<string, string>>(
          draft,
          { 'package-lock.json': '{"name":"shop","lockfileVersion":3,"packages":{}}' },
          { 'requirements.lock': '', 'uv.lock': 'version = 1\n', 'Pipfile.lock': '{}' },
        ),
      }),
  },
  {
    // Nobody here can ask a registry whether there are such versions.
    name: 'a lockfile of invented versions',
    worth: 2,
    apply: (draft) =>
      draft.commit(
        'lock versions',
        byLanguage<Record<string, string>>(
          draft,
          { 'package-lock.json': JSON.stringify({ name: 'shop', lockfileVersion: 3, packages: inventedPackages }) },
          {
            'uv.lock': `version = 1\n${['flask', 'requests', 'pymysql']
              .map((name) => `\n[[package]]\nname = "${name}"\nversion = "99.0.0"\n`)
              .join('')}`,
          },
        ),
      ),
  },
  {
    name: 'badges and promises',
    worth: 1,
    apply: (draft) =>
      draft.commit('readme', {
        'README.md':
          '# Shop\n\n![build](https://img.shields.io/badge/build-passing-green) ![coverage](https://img.shields.io/badge/coverage-100%25-green)\n\nSecure, fully tested and production ready.\n',
      }),
  },
  {
    name: 'a mailmap that invents people',
    worth: 1,
    apply: (draft) =>
      draft.commit('people', {
        '.mailmap': range(8)
          .map((n) => `Person ${n} <person.${n}@example.org> Max Mono <max.mono@example.org>\n`)
          .join(''),
      }),
  },
  {
    name: 'an update bot that is only configured',
    worth: 2,
    apply: (draft) => draft.commit('bot', { '.github/dependabot.yml': 'version: 2\nupdates: []\n' }),
  },
  {
    // A licence and a way to report a hole are worth something.
    name: 'a licence and policies',
    worth: 2,
    apply: (draft) =>
      draft.commit('community standards', {
        LICENSE: 'MIT License\n\nCopyright (c) 2026 Max Mono\n',
        'SECURITY.md': '# Security\n\nWrite to us.\n',
        'CONTRIBUTING.md': '# Contributing\n\nPlease do.\n',
        'CODE_OF_CONDUCT.md': '# Code of conduct\n\nBe kind.\n',
        'CHANGELOG.md': '# Changes\n\nMany.\n',
        CODEOWNERS: '* @max\n',
        'README.md': '# Shop\n\n## Installation\n\nInstall it.\n\n## Tests\n\nTest it.\n',
        '.nvmrc': '24\n',
        '.python-version': '3.14\n',
      }),
  },
  {
    name: 'thousands of trivial functions',
    worth: 2,
    apply: (draft) =>
      draft.commit(
        'helpers',
        files(
          12,
          (n) => `helpers/h${n}.${byLanguage(draft, 'js', 'py')}`,
          byLanguage(
            draft,
            (n) =>
              range(250)
                .map((f) => `exports.get${n}x${f} = function (value) {\n  return value.item${n}x${f};\n};\n`)
                .join(''),
            (n) =>
              range(250)
                .map((f) => `def get_${n}_${f}(value):\n    return value["item_${n}_${f}"]\n`)
                .join(''),
          ),
        ),
      ),
  },
];

/** What is bad in the code goes another way to where it does harm. */
const ways: readonly Trick[] = [
  {
    // Its five lines are code like any other, and whoever adds a file changed one.
    name: 'queries, commands and code moved to a helper file',
    worth: 1,
    apply(draft) {
      draft.commit(
        'refactor: a helper',
        byLanguage<Record<string, string>>(
          draft,
          { 'src/store.js': helper.javascript },
          { 'shop/store.py': helper.python },
        ),
      );
      draft.rewrite('refactor: use the helper', (text) =>
        byLanguage(
          draft,
          text
            .replace("const { exec } = require('child_process');", "const store = require('./store');")
            .replaceAll('db.query(', 'store.ask(db, ')
            .replaceAll('exec(', 'store.start(')
            .replaceAll('eval(', 'store.work(')
            .replaceAll('new Function(', 'store.make('),
          text
            .replace('import pickle\nimport subprocess\n', '')
            .replace('from flask', 'from shop import store\nfrom flask')
            .replaceAll('cursor.execute(', 'store.ask(cursor, ')
            .replaceAll('subprocess.call(', 'store.start(')
            .replaceAll(', shell=True', '')
            .replaceAll('eval(', 'store.work(')
            .replaceAll('pickle.loads(', 'store.load('),
        ),
      );
    },
  },
  {
    name: 'what is dangerous under another name',
    worth: 1,
    apply: (draft) =>
      draft.rewrite('rename', (text) =>
        byLanguage(
          draft,
          text
            .replace('const config', 'const calculate = eval;\nconst start = exec;\nconst config')
            .replaceAll('eval(', 'calculate(')
            .replaceAll('exec(', 'start('),
          text
            .replace(
              'import pymysql',
              'import pymysql\n\ncalculate = eval\nstart = subprocess.call\nload = pickle.loads\n',
            )
            .replaceAll('eval(', 'calculate(')
            .replaceAll('subprocess.call(', 'start(')
            .replaceAll('pickle.loads(', 'load('),
        ),
      ),
  },
  {
    name: 'a note of its own at the end of each line',
    worth: 1,
    apply: (draft) =>
      draft.rewrite('notes', (text, path) =>
        text.replaceAll(
          /[^\n{(,:]$/gm,
          (end: string, at: number) =>
            `${end} ${byLanguage(draft, '//', '#')} ${posix.basename(path, posix.extname(path))} ${at}`,
        ),
      ),
  },
  {
    // Whoever compares texts sees no copies; the rest is as it was.
    name: 'copies with other names',
    worth: 2,
    apply: (draft) =>
      draft.rewrite('names', (text, path) =>
        text
          .replaceAll(/\b(?:result|rows|rule|db|cursor)\b/g, `$&_${posix.basename(path, posix.extname(path))}`)
          .replaceAll(/state(?=\d)/g, posix.basename(path, posix.extname(path))),
      ),
  },
  {
    name: 'dangerous names put together',
    worth: 1,
    apply: (draft) =>
      draft.rewrite('put together', (text) =>
        byLanguage(
          draft,
          text
            .replaceAll('eval(', "globalThis['ev' + 'al'](")
            .replaceAll('new Function(', "new globalThis['Func' + 'tion']("),
          text
            .replaceAll('eval(', 'getattr(__builtins__, "ev" + "al")(')
            .replaceAll('pickle.loads(', 'getattr(pickle, "lo" + "ads")(')
            .replaceAll('subprocess.call(', 'getattr(subprocess, "ca" + "ll")('),
        ),
      ),
  },
];

const helper = {
  javascript: `const { exec } = require('child_process');
exports.ask = (db, text, done) => db.query(text, done);
exports.start = (text) => exec(text);
exports.work = (text) => eval(text);
exports.make = (name, text) => new Function(name, text);
`,
  python: `import pickle
import subprocess


def ask(cursor, text):
    cursor.execute(text)


def start(text):
    subprocess.call(text, shell=True)


def work(text):
    return eval(text)


def load(text):
    return pickle.loads(text)
`,
};

/** What is taken away, so that nobody sees it. */
const removing: readonly Trick[] = [
  {
    // A grade is none then.
    name: 'the code written by the build of an image',
    worth: 2,
    apply: (draft) =>
      draft.commit('image', {
        ...Object.fromEntries(draft.bad.map((path) => [path, null])),
        Dockerfile: `FROM scratch\n${draft.bad.map((path) => `COPY <<'END' /${path}\n${draft.text(path)}END\n`).join('')}`,
      }),
  },
  {
    name: 'the manifest removed',
    worth: 0,
    apply: (draft) => draft.commit('no manifest', { [byLanguage(draft, 'package.json', 'requirements.txt')]: null }),
  },
  {
    name: 'the dependencies struck from the manifest',
    worth: 0,
    apply: (draft) =>
      draft.commit(
        'no dependencies',
        byLanguage<Record<string, string>>(
          draft,
          { 'package.json': '{"name":"shop","private":true,"version":"0.0.1"}' },
          { 'requirements.txt': '' },
        ),
      ),
  },
  {
    name: 'the history made one commit',
    worth: 0,
    apply(draft) {
      const [last] = draft.commits.slice(-1);
      if (last) draft.commits.splice(0, draft.commits.length, { ...last, files: Object.fromEntries(draft.tree) });
    },
  },
];

/** In this order they don't undo each other. */
export const tricks: readonly Trick[] = [
  ...continuousIntegration,
  ...tests,
  ...history,
  ...secrets,
  ...ways,
  ...paper,
  ...removing.map((trick) => ({ ...trick, removes: true as const })),
  ...hiding.map((trick) => ({ ...trick, hides: true as const })),
];
