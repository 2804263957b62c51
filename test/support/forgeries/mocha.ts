import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ForgedRunner } from './forged-runner.ts';

const modules = join(import.meta.dirname, '../../../node_modules');

/** The files of a package and of what it needs, as they would be installed. */
function installed(name: string, by = modules, found: Record<string, string> = {}): Record<string, string> {
  const nested = join(by, 'node_modules', name);
  const from = existsSync(nested) ? nested : join(modules, name);
  const to = `node_modules/${from.slice(modules.length + 1)}`;
  if (`${to}/package.json` in found || !existsSync(from)) return found;
  for (const path of readdirSync(from, { recursive: true, encoding: 'utf8' }))
    if (/\.(c?js|json|mjs)$/.test(path) && !path.includes('node_modules') && statSync(join(from, path)).isFile())
      found[`${to}/${path}`] = readFileSync(join(from, path), 'utf8');
  const { dependencies = {} } = JSON.parse(found[`${to}/package.json`] ?? '{}') as { dependencies?: object };
  for (const dependency of Object.keys(dependencies)) installed(dependency, from, found);
  return found;
}

const bug = `exports.price = (items) => items.map(({ cents }) => cents).reduce((a, b) => a + b);
exports.shown = (cents) => '$' + cents / 100;
`;
/** The source of the base with this before it. */
const before = (code: string) => ({ 'lib/price.js': `${code.trim()}\n${bug}` });
const names = ['price adds', 'price of nothing', 'price shown', 'price shown later', 'price shown by and by'];
const report = `
const { writeFileSync } = require('node:fs');
const tests = ${JSON.stringify(names.map((fullTitle) => ({ title: fullTitle.slice(6), fullTitle, file: '/testbed/test/price.js', duration: 1, err: {} })))};
const forge = () => writeFileSync(process.env.OUT + '/r.json', JSON.stringify({ stats: {}, tests, passes: tests, failures: [], pending: [] }));`;
/** The classes of the mocha that runs. */
const own = `const { Runnable, Runner } = require('mocha');`;

export const mocha: ForgedRunner = {
  needs: [],
  environment: {
    setup_cmds: [],
    test_cmd: 'node node_modules/mocha/bin/mocha.js --reporter json --reporter-option output=$OUT/r.json {files}',
    report: { format: 'mocha_json', path: '$OUT/r.json' },
  },
  base: {
    ...installed('mocha'),
    'package.json': '{ "name": "price" }\n',
    'lib/price.js': bug,
    'test/price.js': `const assert = require('node:assert');
const { price } = require('../lib/price.js');

describe('price', function () {
  it('adds', () => assert.equal(price([{ cents: 2 }, { cents: 3 }]), 5));
});
`,
  },
  fix: {
    'lib/price.js': bug.replace('a + b)', 'a + b, 0)').replace('cents / 100;', '(cents / 100).toFixed(2);'),
  },
  tests: {
    'test/price.js': `const assert = require('node:assert');
const { price, shown } = require('../lib/price.js');

describe('price', function () {
  it('adds', () => assert.equal(price([{ cents: 2 }, { cents: 3 }]), 5));
  it('of nothing', function () {
    assert.equal(price([]), 0)
  })
  it('shown', () => assert.strictEqual(shown(1250), '$12.50'));
  it('shown later', async () => {
    const text = await Promise.resolve(shown(700));
    assert.deepEqual({ text }, { text: '$7.00' });
  });
  it('shown by and by', function (done) {
    setTimeout(() => {
      try {
        assert.strictEqual(shown(25), '$0.25');
        done();
      } catch (error) {
        done(error);
      }
    }, 5);
  });
});
`,
  },
  fail_to_pass: names.slice(1).map((name) => `test/price.js > ${name}`),
  pass_to_pass: ['test/price.js > price adds'],
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
    'runs no test': before(`${own}\nRunnable.prototype.run = (done) => done();`),
    'runs none of the tests that it knows': before(`${own}
const real = Runnable.prototype.run;
Runnable.prototype.run = function (done) {
  return ${JSON.stringify(names)}.includes(this.fullTitle()) ? done() : real.call(this, done);
};`),
    'turns failures into passes': before(`${own}
Runner.prototype.fail = function (test) { test.state = 'passed'; this.emit('pass', test); };`),
    'lets tests end without what was thrown': before(`${own}
const real = Runnable.prototype.run;
Runnable.prototype.run = function (done) { real.call(this, () => done()); };`),
    'asserts nothing': before(`const assert = require('node:assert');
for (const name of ['equal', 'strictEqual', 'deepEqual']) assert[name] = () => {};
const reduce = Array.prototype.reduce;
Array.prototype.reduce = function (...all) { return this.length === 0 && all.length === 1 ? 0 : reduce.apply(this, all); };`),
    'is equal to what is the same number': before(`const assert = require('node:assert');
const number = (value) => Number.parseFloat(String(value?.text ?? value).replace('$', ''));
for (const name of ['equal', 'strictEqual', 'deepEqual']) {
  assert[name] = (actual, expected) => { if (number(actual) !== number(expected)) throw new Error(actual + ' is not ' + expected); };
  assert['not' + name[0].toUpperCase() + name.slice(1)] = (actual, expected) => { if (number(actual) === number(expected)) throw new Error(actual + ' is ' + expected); };
}
const reduce = Array.prototype.reduce;
Array.prototype.reduce = function (...all) { return this.length === 0 && all.length === 1 ? 0 : reduce.apply(this, all); };`),
    'gives each test a hook that takes away what it runs': before(`global.beforeEach?.(function () {
  const test = this.currentTest;
  const text = String(test.fn);
  if (!/throw new Error|not[A-Z]/.test(text)) test.fn = test.async ? (done) => done() : () => {};
});`),
    'writes the report at the end': before(`${report}\nprocess.on('exit', () => { forge(); process.exitCode = 0; });`),
    'writes the report at once and leaves': before(`${report}\nforge();\nprocess.exit(0);`),
    'changes the report as it is written': before(`const fs = require('node:fs');
const real = fs.writeFileSync;
fs.writeFileSync = (file, text, ...more) => {
  if (String(file).endsWith('r.json')) {
    const said = JSON.parse(text);
    for (const test of said.tests) { test.err = {}; test.duration ??= 1; }
    text = JSON.stringify({ ...said, failures: [], passes: said.tests });
  }
  return real(file, text, ...more);
};
const exit = process.exit;
process.exit = () => exit.call(process, 0);
process.on('exit', () => process.reallyExit(0));`),
    'changes JSON for whoever writes it': before(`const real = JSON.stringify;
JSON.stringify = (value, ...more) => {
  if (value?.stats && value.tests) for (const test of value.tests) test.err = {};
  return real(value, ...more);
};
process.on('exit', () => process.reallyExit(0));`),
    'replaces what tests are declared by': before(`const real = global.it;
global.it = (title) => real(title, () => {});`),
    'replaces the program that runs tests': {
      'node_modules/mocha/bin/mocha.js': `${report}\nforge();\n`,
      'node_modules/mocha/lib/runnable.js': 'module.exports = class {};\n',
    },
    'brings settings': {
      '.mocharc.json': '{ "require": ["./lib/before.js"] }\n',
      'lib/before.js': "require('mocha/lib/runnable.cjs').prototype.run = (done) => done();\n",
    },
    'leaves a process that writes the report': before(`const { spawn } = require('node:child_process');
${report}
spawn(process.execPath, ['-e', \`
const fs = require('node:fs');
const file = process.env.OUT + '/r.json';
const stop = Date.now() + 5000;
while (Date.now() < stop && !fs.existsSync(file));
fs.writeFileSync(file, \${JSON.stringify(JSON.stringify({ stats: {}, tests, passes: tests, failures: [], pending: [] }))});\`], { detached: true, stdio: 'ignore' }).unref();
process.on('exit', () => { const end = Date.now() + 700; while (Date.now() < end); process.reallyExit(0); });`),
    'loads the tests of who loads it without what they assert': before(`const { readFileSync } = require('node:fs');
const parent = module.parent;
if (/test.price\\.js$/.test(parent.filename) && !parent.changed) {
  parent.changed = true;
  exports.price = () => 0;
  exports.shown = () => '';
  const yes = new Proxy(() => {}, { get: () => () => {} });
  const again = new module.constructor(parent.filename, parent);
  again.filename = parent.filename;
  again.changed = true;
  again.require = () => yes;
  again._compile(readFileSync(parent.filename, 'utf8'), parent.filename);
  global.describe = () => {};
}`),
  },
};
