import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { repoIntel } from '../support/cli.ts';
import { gitRepository, temporaryFolder, writeFiles } from '../support/git-repository.ts';

/** Another day, and another number of threads than this machine has processors. */
const elsewhen = `import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
os.availableParallelism = () => 5;
syncBuiltinESMExports();
const now = Date.now.bind(Date);
const days = 431.37 * 86_400_000;
globalThis.Date = class extends Date {
  constructor(...given) { super(...(given.length === 0 ? [now() + days] : given)); }
  static now() { return now() + days; }
};
`;

/** What a person may have set for git, and a mailmap of another repository. */
const gitSettings = `[core]
  quotePath = true
  abbrev = 5
[diff]
  algorithm = histogram
  renames = false
  mnemonicPrefix = true
[log]
  date = relative
  mailmap = false
  showRoot = false
[color]
  ui = always
[mailmap]
  file = ~/.mailmap
`;

const source = (seed: number, language: 'py' | 'ts') =>
  Array.from({ length: 12 }, (_, index) =>
    language === 'py'
      ? `def f${seed}_${index}(a, b=${index}):\n    """Says it."""\n    if a > b and a != ${seed}:\n        return f${seed}_${index}(a - 1)\n    return a\n`
      : `export function f${seed}_${index}(a: number): number {\n  return a > ${seed} ? f${seed}_${index}(a - 1) : a; // ${index}\n}\n`,
  ).join('\n');

const files: Record<string, string> = {
  'README.md': '# Shop\n\nSells things to people who want them.\n\n## Install\n\nnpm ci\n',
  'package.json': '{"name":"shop","dependencies":{"koa":"^3.0.0","stripe":"18.0.0"},"devDependencies":{"mocha":"^11"}}',
  'package-lock.json': '{"packages":{"node_modules/koa":{"version":"3.0.0"}}}',
  Dockerfile: 'FROM node:24\nRUN npm install\n',
  '.github/workflows/ci.yml': 'on: push\njobs: { a: { steps: [{ uses: actions/checkout@v4 }, { run: npm test }] } }\n',
  'config/app.yml': `db:\n  password: "${'aB3'.repeat(4)}kZ9wQ2xV7mN1"\n`,
  'coverage/lcov.info': 'SF:src/m1.ts\nDA:1,1\nDA:2,0\nend_of_record\n',
  'İstanbul/ı.py': 'x = 1\n',
  'src/zebra.js': "const stripe = require('stripe');\nfetch('https://api.acme-pay.io/v1');\n",
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [n % 2 ? `src/m${n}.ts` : `lib/m${n}.py`, source(n >> 1, n % 2 ? 'ts' : 'py')]),
  ),
};

describe('the same commit', () => {
  const folder = temporaryFolder();
  const at = (...parts: string[]) => join(folder, ...parts);
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** All that is written of a repository, by name. */
  async function written(path: string, environment: Record<string, string>, reports = true) {
    const out = temporaryFolder();
    const run = async (args: string[]) => {
      const { code, stdout, stderr } = await repoIntel([...args, '--name', 'shop'], environment);
      expect(code, stderr).to.equal(0);
      return stdout;
    };
    const paths = { html: join(out, 'a.html'), sarif: join(out, 'a.sarif'), sbom: join(out, 'a.json') };
    const texts = new Map([['snapshot', await run(['analyze', path, '-o', '-'])]]);
    if (reports) {
      texts.set(
        'json',
        await run([
          'report',
          path,
          '--json',
          // What is told as of today tells another day tomorrow.
          '--as-of',
          '2026-01-31',
          ...Object.entries(paths).flatMap(([name, file]) => [`--${name}`, file]),
        ]),
      );
      for (const [name, file] of Object.entries(paths)) texts.set(name, readFileSync(file, 'utf8'));
    }
    rmSync(out, { recursive: true });
    return texts;
  }

  const elsewhere = () => {
    writeFiles(at('home'), {
      '.gitconfig': gitSettings,
      '.mailmap': 'Nobody <nobody@example.org> <ann@example.com>\n',
    });
    writeFiles(folder, { 'elsewhen.mjs': elsewhen });
    return {
      TZ: 'Pacific/Kiritimati',
      LC_ALL: 'tr_TR.UTF-8',
      LANG: 'tr_TR.UTF-8',
      HOME: at('home'),
      XDG_CONFIG_HOME: at('home'),
      NODE_OPTIONS: `--import=file://${at('elsewhen.mjs')}`,
    };
  };

  it('gives the same bytes on another day, in another place, zone and language, with other threads and settings of git', async () => {
    using repository = gitRepository();
    const days = Object.keys(files).map((path, day) => ({
      path,
      date: new Date(Date.UTC(2024, 0, 1 + day * 9, 23, 30)),
    }));
    for (const [day, { path, date }] of days.entries())
      repository.commit(`Change ${day}`, {
        files: { [path]: files[path] ?? '' },
        author: [
          { name: 'Ann Author', email: 'ann@example.com' },
          { name: 'İpek Işık', email: 'ipek@example.com' },
        ][day % 2] ?? { name: '', email: '' },
        date: date.toISOString(),
      });
    repository.git('mv', 'src/m1.ts', 'src/ledger.ts');
    repository.commit('Rename', { date: '2024-09-01T00:00:00Z' });
    repository.git('tag', 'v1.0.0');
    const here = await written(repository.path, { TZ: 'UTC' });
    mkdirSync(at('a', 'longer', 'way'), { recursive: true });
    execFileSync('git', ['clone', '--quiet', '--bare', repository.path, at('a', 'longer', 'way', 'of.git')]);
    const there = await written(at('a', 'longer', 'way', 'of.git'), elsewhere());
    expectSame(here, there);
    expect([...here.keys()]).to.deep.equal(['snapshot', 'json', 'html', 'sarif', 'sbom']);
  });

  it('a folder without git, too, in whichever order its files were made', async () => {
    writeFiles(at('one'), files);
    writeFiles(at('two', 'deeper'), Object.fromEntries(Object.entries(files).toReversed()));
    const here = await written(at('one'), {}, false);
    const there = await written(at('two', 'deeper'), elsewhere(), false);
    expectSame(here, there);
    expect(here.get('snapshot')).to.include('not_a_git_repository: shop is no git repository');
  });
});

/** By line, so that a failure says where. */
function expectSame(here: ReadonlyMap<string, string>, there: ReadonlyMap<string, string>): void {
  for (const [name, text] of here) {
    const others = there.get(name)?.split('\n') ?? [];
    const lines = text.split('\n');
    const at = lines.findIndex((line, index) => line !== others[index]);
    expect(`${name} ${others[at]}`).to.equal(`${name} ${lines[at]}`);
    expect(others.length).to.equal(lines.length);
  }
}
