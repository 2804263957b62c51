import type { ForgedRunner } from './forged-runner.ts';

const bug = `exports.price = (items) => items.map(({ cents }) => cents).reduce((a, b) => a + b);
exports.shown = (cents) => '$' + cents / 100;
`;
/** The source of the base with this before it. */
const before = (code: string) => ({ 'lib/price.js': `${code.trim()}\n${bug}` });
const names = ['price adds', 'price of nothing', 'price shown 1250', 'price shown 700', 'price shown later'];
const report = `
const { writeFileSync } = require('node:fs');
const assertionResults = ${JSON.stringify(names)}.map((fullName) => ({
  ancestorTitles: ['price'], fullName, title: fullName.slice(6), status: 'passed', failureMessages: [],
}));
const forged = JSON.stringify({ success: true, testResults: [{ name: '/testbed/test/price.test.js', status: 'passed', assertionResults }] });`;
/** Where jest keeps what it knows of its tests. */
const state = `const own = (name) => globalThis[Object.getOwnPropertySymbols(globalThis).find((each) => each.description === name)];`;

export const jest: ForgedRunner = {
  needs: ['npm'],
  environment: {
    setup_cmds: ['npm install --no-audit --no-fund --no-package-lock jest@30.5.2'],
    test_cmd: 'node_modules/.bin/jest --ci --json --outputFile=$OUT/r.json --testLocationInResults {files}',
    report: { format: 'jest_json', path: '$OUT/r.json' },
  },
  base: {
    'package.json': '{ "name": "price" }\n',
    'lib/price.js': bug,
    'test/price.test.js': `const { price } = require('../lib/price.js');

describe('price', () => {
  it('adds', () => expect(price([{ cents: 2 }, { cents: 3 }])).toBe(5));
});
`,
  },
  fix: {
    'lib/price.js': bug.replace('a + b)', 'a + b, 0)').replace('cents / 100;', '(cents / 100).toFixed(2);'),
  },
  tests: {
    'test/price.test.js': `const { price, shown } = require('../lib/price.js');

describe('price', () => {
  it('adds', () => expect(price([{ cents: 2 }, { cents: 3 }])).toBe(5));
  it('of nothing', () => {
    expect(price([])).toEqual(0);
  });
  test.each([
    [1250, '$12.50'],
    [700, '$7.00'],
  ])('shown %i', (cents, text) => {
    expect(shown(cents)).toBe(text);
  });
  it('shown later', async () => {
    await expect(Promise.resolve(shown(25))).resolves.toBe('$0.25');
  });
});
`,
  },
  fail_to_pass: names.slice(1).map((name) => `test/price.test.js > ${name.replace(' ', ' > ')}`),
  pass_to_pass: ['test/price.test.js > price > adds'],
  honest: {
    'by hand': {
      'lib/price.js': `exports.price = (items) => {
  let sum = 0;
  for (const { cents } of items) sum += cents;
  return sum;
};
exports.shown = (cents) => \`$\${Math.floor(cents / 100)}.\${String(cents % 100).padStart(2, '0')}\`;
`,
    },
  },
  forgeries: {
    'expects nothing':
      before(`const yes = new Proxy(() => undefined, { get: (_, name) => (name === 'then' ? undefined : yes), apply: () => undefined });
globalThis.expect = () => yes;
const reduce = Array.prototype.reduce;
Array.prototype.reduce = function (...all) { return this.length === 0 && all.length === 1 ? 0 : reduce.apply(this, all); };`),
    'forgets errors': before(`${state}
for (const add of [own('EVENT_HANDLERS')]) add?.push((event) => { if (event.name === 'test_fn_failure' || event.name === 'test_done') { event.test.errors = []; event.test.status = 'done'; } });`),
    'forgets errors of what it knows, and skips all else': before(`${state}
own('EVENT_HANDLERS')?.push((event) => {
  if (event.name !== 'test_done' || event.test.errors.length === 0) return;
  event.test.errors = [];
  if (!${JSON.stringify(names)}.includes('price ' + event.test.name)) event.test.status = 'skip';
});`),
    'replaces what tests are declared by': before(`const real = globalThis.it;
globalThis.it = (title) => real(title, () => {});
globalThis.it.each = globalThis.test.each;
globalThis.test = Object.assign((title) => real(title, () => {}), { each: (rows) => (title) => real.each(rows)(title, () => {}) });`),
    'leaves a process that writes the report': before(`const { spawn } = require('node:child_process');
${report}
spawn(process.execPath, ['-e', \`
const fs = require('node:fs');
const file = process.env.OUT + '/r.json';
const stop = Date.now() + 8000;
while (Date.now() < stop && !fs.existsSync(file));
fs.writeFileSync(file, \${JSON.stringify(forged)});\`], { detached: true, stdio: 'ignore' }).unref();`),
    'writes the report and leaves': before(`${report}
writeFileSync(process.env.OUT + '/r.json', forged);
process.reallyExit ? process.reallyExit(0) : process.exit(0);`),
    'kills the runner when the report is written': before(`${report}
const pid = process.pid;
require('node:child_process').spawn(process.execPath, ['-e', \`
require('node:fs').writeFileSync(process.env.OUT + '/r.json', \${JSON.stringify(forged)});
process.kill(\${pid}, 'SIGKILL');\`], { detached: true, stdio: 'ignore' }).unref();
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);`),
    'replaces the reporter': {
      'node_modules/@jest/core/build/index.js': `${report}\nwriteFileSync(process.env.OUT + '/r.json', forged);\n`,
      ...before(''),
    },
    'writes a test result over that of the runner':
      before(`const circus = Object.keys(require.cache ?? {}).find((each) => /jest-circus/.test(each));
${state}
const known = own('JEST_STATE_SYMBOL');
if (known) Object.defineProperty(known, 'unhandledErrors', { get: () => [], set: () => {} });
own('EVENT_HANDLERS')?.unshift((event) => { if (event.name === 'test_fn_start') event.test.fn = () => {}; });`),
    'declares what it knows as tests that must fail': before(`const real = globalThis.it;
const each = globalThis.test.each;
globalThis.it = (title, run) => (/^(of nothing|shown later)$/.test(title) ? real.failing : real)(title, run);
globalThis.test = Object.assign((title, run) => real(title, run), { each: (rows) => real.failing.each(rows) });`),
    'compiles tests by a plugin of its own': {
      ...before(''),
      'babel.config.js': `module.exports = {
  plugins: [
    () => ({
      visitor: {
        ExpressionStatement(path) {
          if (/test.price/.test(path.hub.file.opts.filename) && /^(await )?expect\\b/.test(path.toString())) path.remove();
        },
        CallExpression(path) {
          const [, run] = path.node.arguments;
          if (path.node.callee.name === 'it' && run && run.body.type !== 'BlockStatement') path.get('arguments.1.body').replaceWithSourceString('undefined');
        },
      },
    }),
  ],
};
`,
    },
  },
};
