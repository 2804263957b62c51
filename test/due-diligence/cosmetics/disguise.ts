import type { Draft } from './draft.ts';

/**
 * What an hour with an assistant buys: modules that nobody needs and that would each pass a review, with tests of them; a CI that runs,
 * a lockfile and policies; and a history told anew, in which eight people wrote all of it within a year. There is no telling it from
 * work, so no verdict may rest on how much there is of it.
 */
export function disguise(draft: Draft): void {
  draft.commit('catalogue', modules(draft.language));
  draft.commit('project', project(draft.language));
  retell(draft);
}

const range = (length: number) => Array.from({ length }, (_, index) => index);

/** The same numbers at each call, so that a draft has the same bytes. */
function dice(): <T>(faces: readonly T[]) => T {
  let state = 7;
  return (faces) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return faces[Math.floor((state / 2_147_483_648) * faces.length)] as never;
  };
}

const moduleCount = 24;
const functionsInEach = 15;

function modules(language: Draft['language']): Record<string, string> {
  const pick = dice();
  const files: Record<string, string> = language === 'python' ? { 'catalogue/__init__.py': '' } : {};
  for (const m of range(moduleCount)) {
    const name = `${pick(['label', 'price', 'range', 'token', 'weight', 'zone'])}_${m}`;
    const functions = range(functionsInEach).map((n) => fineFunction(pick, language, n));
    const body = functions.map(({ code }) => code).join('\n\n');
    const tests = functions.flatMap(({ name: tested, parameters }) =>
      range(3).map((n) => {
        const given = parameters.map(() => pick(range(50))).join(', ');
        return language === 'javascript'
          ? `  it('${tested} gives what the list says, ${n}', () => {\n    const given = subject.${tested}(${given});\n    assert.strictEqual(given, ${pick(range(500))});\n  });\n`
          : `def test_${tested}_${n}():\n    given = ${name}.${tested}(${given})\n    assert given == ${pick(range(500))}\n`;
      }),
    );
    if (language === 'javascript') {
      const names = functions.map((each) => each.name).join(', ');
      files[`catalogue/${name}.js`] = `${body}\nmodule.exports = { ${names} };\n`;
      files[`test/${name}.test.js`] =
        `const assert = require('assert');\nconst subject = require('../catalogue/${name}');\n\ndescribe('${name}', () => {\n${tests.join('\n')}});\n`;
    } else {
      files[`catalogue/${name}.py`] = body;
      files[`tests/test_${name}.py`] = `from catalogue import ${name}\n\n\n${tests.join('\n\n')}`;
    }
  }
  return files;
}

type Pick = ReturnType<typeof dice>;

/** A short function of no special shape. */
function fineFunction(pick: Pick, language: Draft['language'], n: number) {
  const name = `${pick(['round', 'merge', 'clamp', 'scale', 'count', 'shift'])}${n}`;
  const parameters = ['value', 'width', 'offset', 'limit'].slice(0, pick([1, 2, 3, 4]));
  const known = [...parameters];
  const isScript = language === 'javascript';
  const sum = (depth: number): string => {
    if (depth === 0) return pick([...known, ...known, String(pick(range(90)))]);
    const [one, other] = [sum(depth - 1), sum(depth - 1)];
    const call = `${isScript ? 'Math.' : ''}${pick(['min', 'max'])}(${one}, ${other})`;
    return pick([`${one} ${pick(['+', '-', '*'])} ${other}`, call, `(${one} ${pick(['-', '+'])} ${other})`]);
  };
  const lines: string[] = [];
  for (const step of range(pick([2, 3, 4, 5, 6]))) {
    const variable = `${pick(['total', 'rest', 'edge', 'share', 'level'])}${step}`;
    const [start, bound, more] = [sum(pick([1, 2])), sum(1), sum(1)];
    if (isScript) lines.push(`  let ${variable} = ${start};`);
    else lines.push(`    ${variable} = ${start}`);
    if (pick([true, false, false]))
      lines.push(
        ...(isScript
          ? [`  if (${variable} > ${bound}) {`, `    ${variable} += ${more};`, '  }']
          : [`    if ${variable} > ${bound}:`, `        ${variable} += ${more}`]),
      );
    known.push(variable);
  }
  const list = parameters.join(', ');
  const code = isScript
    ? `function ${name}(${list}) {\n${lines.join('\n')}\n  return ${sum(2)};\n}\n`
    : `def ${name}(${list}):\n${lines.join('\n')}\n    return ${sum(2)}\n`;
  return { name, parameters, code };
}

const sha = 'b4ffde65f46336ab88eb53be808477a3936bae11';

function project(language: Draft['language']): Record<string, string> {
  const commands =
    language === 'javascript'
      ? ['npm ci', 'npm run build', 'npm run lint', 'npm test', 'npm audit', 'npx semgrep ci']
      : ['pip install -r requirements.txt', 'python -m build', 'ruff check .', 'pytest', 'pip-audit', 'bandit -r .'];
  const packages = { express: '4.21.2', lodash: '4.17.21', mysql: '2.18.1', request: '2.88.2' };
  const tools = { mocha: '11.1.0', eslint: '9.20.0' };
  const locked = Object.entries({ ...packages, ...tools }).map(([name, version]) => [
    `node_modules/${name}`,
    { version, resolved: `https://registry.npmjs.org/${name}`, integrity: `sha512-${sha}${sha}==` },
  ]);
  return {
    '.github/workflows/ci.yml': `name: ci\non: [push, pull_request]\npermissions:\n  contents: read\njobs:\n  all:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@${sha}\n${commands.map((command) => `      - run: ${command}\n`).join('')}`,
    '.github/dependabot.yml': `version: 2\nupdates:\n  - package-ecosystem: ${language === 'javascript' ? 'npm' : 'pip'}\n    directory: /\n    schedule:\n      interval: weekly\n`,
    'README.md': '# Shop\n\n## Installation\n\nInstall it.\n\n## Tests\n\nTest it.\n',
    'CONTRIBUTING.md': '# Contributing\n\nPlease do.\n',
    'CHANGELOG.md': '# Changes\n\nMany.\n',
    'SECURITY.md': '# Security\n\nWrite to us.\n',
    LICENSE: 'MIT License\n\nCopyright (c) 2026 Max Mono\n',
    CODEOWNERS: '* @max\n',
    ...(language === 'javascript'
      ? {
          'package.json': JSON.stringify({
            name: 'shop',
            private: true,
            engines: { node: '24.1.0' },
            scripts: { build: 'tsc -p .', lint: 'eslint .', test: 'mocha' },
            dependencies: packages,
            devDependencies: tools,
          }),
          'package-lock.json': JSON.stringify({
            name: 'shop',
            lockfileVersion: 3,
            packages: Object.fromEntries([
              ['', { name: 'shop', dependencies: packages, devDependencies: tools }],
              ...locked,
            ]),
          }),
          '.nvmrc': '24.1.0\n',
        }
      : {
          'requirements.txt': ['flask', 'requests', 'pymysql']
            .map((name) => `${name}==2.3.1 --hash=sha256:${sha}${sha.slice(0, 24)}\n`)
            .join(''),
          '.python-version': '3.12.4\n',
        }),
  };
}

const people = range(8).map((n) => `Made Person ${n}`);
const stepCount = 150;
const week = 7 * 86_400;

/** The tree as it is, written by eight people within sixty weeks, code with tests, over branches, with a release in each month. */
function retell(draft: Draft): void {
  const last = draft.commits.at(-1)?.at ?? 0;
  const tree = [...draft.tree];
  const ending = draft.language === 'javascript' ? '.js' : '.py';
  const code = tree.filter(([path]) => path.endsWith(ending) && !path.includes('test'));
  const tests = tree.filter(([path]) => path.endsWith(ending) && path.includes('test'));
  const line = (n: number) =>
    draft.language === 'javascript' ? `\nexports.step${n} = ${n};\n` : `\nSTEP_${n} = ${n}\n`;
  draft.commits.splice(0);
  draft.tree.clear();
  const at = (step: number, hours = 0) => {
    const seconds = last - 60 * week + Math.round((step * 60 * week) / stepCount) + hours * 3_600;
    return new Date(seconds * 1_000).toISOString();
  };
  draft.commit('begin', Object.fromEntries(tree.filter(([path]) => !path.endsWith(ending))), { date: at(0) });
  for (const step of range(stepCount).slice(1)) {
    const some = (all: typeof tree) => {
      const from = Math.floor((all.length * (step - 1)) / (stepCount - 1));
      const to = Math.floor((all.length * step) / (stepCount - 1));
      const [path, content] = all[Math.min(to, all.length - 1)] ?? [];
      // What the file will be, and a line more: each commit changes code.
      const now = path !== undefined && typeof content === 'string' ? [[path, content + line(step)] as const] : [];
      return Object.fromEntries([...all.slice(from, to), ...now]);
    };
    const author = people[step % people.length] ?? '';
    draft.commit(
      `step ${step}`,
      { ...some(code), ...some(tests) },
      { author, date: at(step), isTagged: step % 12 === 1 },
    );
    if (step % 3 === 2) draft.commit(`Merge pull request #${step}`, {}, { author, date: at(step, 5), isMerge: true });
  }
  draft.commit('release', Object.fromEntries(tree), {
    author: people[0] ?? '',
    date: new Date(last * 1_000).toISOString(),
    isTagged: true,
  });
}
