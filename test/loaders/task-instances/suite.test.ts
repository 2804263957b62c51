import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { environmentKey } from '../../../loaders/task-instances/environment-key.ts';
import { SandboxError } from '../../../loaders/task-instances/sandbox/sandbox.ts';
import { createSuiteRunner, type SuiteRunner } from '../../../loaders/task-instances/suite.ts';
import type { TaskEnvironment } from '../../../src/model/task-instance.ts';
import { temporaryFolder, writeFiles } from '../../support/git-repository.ts';

const root = join(import.meta.dirname, '../../..');

describe('a suite', () => {
  let runner: SuiteRunner;
  let folder: string;
  let tree: string;

  before(async function () {
    folder = temporaryFolder();
    tree = join(folder, 'tree');
    try {
      runner = await createSuiteRunner({ folder: join(folder, 'environments'), setupNetwork: 'none' });
    } catch (error) {
      if (process.env['REQUIRE_ENGINES'] || !(error instanceof SandboxError)) throw error;
      this.skip();
    }
  });
  beforeEach(() => {
    rmSync(tree, { recursive: true, force: true });
    mkdirSync(tree);
  });
  after(() => rmSync(folder, { recursive: true }));

  const environment = (more: Partial<TaskEnvironment>): TaskEnvironment => ({
    environment_setup_commit: '0'.repeat(40),
    setup_cmds: [],
    test_cmd: 'node --test --test-reporter=tap --test-reporter-destination=$OUT/r.tap {files}',
    report: { format: 'tap', path: '$OUT/r.tap' },
    env: {},
    runtime: {},
    env_key: 'a key',
    image: null,
    timeout_s: 30,
    network: false,
    isolation: runner.isolation,
    ...more,
  });

  it('runs with what its setup made, as often as it likes; some of its files alone where that is asked', async () => {
    writeFiles(tree, {
      'test/a.test.js': `const { test } = require('node:test');
        test('has its dependency: ' + require('dependency'), () => {});
        test('fails', () => { throw new Error('no'); });`,
      'test/b.test.js': `const { test } = require('node:test');
        const { TZ, LANG, CI, PYTHONHASHSEED, SOURCE_DATE_EPOCH, ADDED } = process.env;
        test([TZ, LANG, CI, PYTHONHASHSEED, SOURCE_DATE_EPOCH, ADDED].join(' '), () => {});
        test('finds the tree as it was', () => require('node:fs').writeFileSync('made', '', { flag: 'wx' }));`,
    });
    const set = environment({
      setup_cmds: ['mkdir -p node_modules/dependency', 'echo "module.exports = 7" >node_modules/dependency/index.js'],
      env: { SOURCE_DATE_EPOCH: '1700000000', ADDED: 'yes' },
    });
    const unprepared = await runner.run({ tree, environment: set, files: null }).catch((thrown: unknown) => thrown);
    expect(unprepared).to.be.instanceOf(SandboxError).with.property('code', 'not_prepared');
    expect(await runner.prepare({ tree, environment: set })).to.include({ problem: null });
    const ofA = { 'has its dependency: 7': 'passed', fails: 'failed' };
    const ofB = { 'UTC C.UTF-8 1 0 1700000000 yes': 'passed', 'finds the tree as it was': 'passed' };
    for (let time = 0; time < 2; time++) {
      const { tests, ...result } = await runner.run({ tree, environment: set, files: null });
      expect(Object.fromEntries(tests)).to.deep.equal({ ...ofA, ...ofB });
      expect(result).to.include({ exit_code: 1, timed_out: false, problem: null });
    }
    const one = await runner.run({ tree, environment: set, files: ['test/b.test.js'] });
    expect(Object.fromEntries(one.tests)).to.deep.equal(ofB);
    expect(one.exit_code).to.equal(0);
    expect(existsSync(join(tree, 'node_modules'))).to.equal(false);
  });

  it('is set up once a key, and anew where the commands are others; a failure is kept too', async () => {
    const count = ['date +%s%N >stamp', 'cat stamp'];
    const set = environment({ setup_cmds: count });
    const results = await Promise.all([1, 2].map(() => runner.prepare({ tree, environment: set })));
    const again = await runner.prepare({ tree, environment: { ...set, env: { SOURCE_DATE_EPOCH: '1' } } });
    expect(new Set([...results, again].map(({ log }) => log)).size).to.equal(1);
    const other = await runner.prepare({ tree, environment: { ...set, setup_cmds: [...count, 'true'] } });
    expect(other.log).to.not.equal(again.log);
    const full = environment({
      setup_cmds: ['mkdir -p "$npm_config_cache"', 'echo x >"$npm_config_cache/x"', 'find ~ /tmp -type f'],
    });
    expect((await runner.prepare({ tree, environment: full })).log).to.equal('/tmp/npm/x\n');
    const failing = environment({ setup_cmds: ['date +%s%N', 'exit 7', 'echo never'] });
    const failure = await runner.prepare({ tree, environment: failing });
    expect(failure.problem).to.equal('it ended with 7');
    expect(failure.log).to.not.include('never');
    expect(await runner.prepare({ tree, environment: failing })).to.deep.equal(failure);
  });

  it('says why there are no results: no report, the time limit; what was committed as a report is none', async () => {
    writeFiles(tree, { 'out.tap': 'TAP version 13\nok 1 - forged\n1..1\n' });
    const report = { format: 'tap', path: 'out.tap' } as const;
    const none = await runner.run({ tree, environment: environment({ test_cmd: 'true', report }), files: null });
    expect([none.problem, none.tests.size, none.exit_code]).to.deep.equal(['no report was written', 0, 0]);
    const long = await runner.run({
      tree,
      environment: environment({ test_cmd: 'echo begun; sleep 30', timeout_s: 3 }),
      files: null,
    });
    expect(long).to.include({
      timed_out: true,
      exit_code: null,
      log: 'begun\n',
      problem: 'it took longer than it may',
    });
  });

  it('of mocha with a file that can’t be loaded runs its files one by one, by its own settings', async () => {
    copyPackage('mocha', tree);
    writeFiles(tree, {
      '.mocharc.json': '{ "spec": ["spec/**/*.js"], "ignore": ["spec/not/**"], "require": ["./before.js"] }',
      'before.js': 'globalThis.prepared = true;',
      'spec/a.js': 'it("is prepared", () => { if (!globalThis.prepared) throw new Error("no"); });',
      'spec/deep/b.js': 'it("fails", () => { throw new Error("no"); });',
      'spec/broken.js': 'require("not-there");',
      'spec/not/c.js': 'it("is not run", () => {});',
    });
    const set = environment({
      test_cmd: 'node_modules/.bin/mocha --reporter json --reporter-option output=$OUT/r.json {files}',
      report: { format: 'mocha_json', path: '$OUT/r.json' },
    });
    const { tests, exit_code, problem } = await runner.run({ tree, environment: set, files: null });
    expect(Object.fromEntries(tests)).to.deep.equal({
      'spec/a.js > is prepared': 'passed',
      'spec/deep/b.js > fails': 'failed',
      'spec/broken.js > [suite load]': 'failed',
    });
    expect([exit_code, problem]).to.deep.equal([1, null]);
  });

  it('never meets what the setup compiled of other sources: these are always newer', async () => {
    writeFiles(tree, { source: 'of the setup', Makefile: 'result: source\n\tcp source result\n' });
    const set = environment({
      setup_cmds: ['cp source result'],
      test_cmd: `[ source -nt result ] && cp source result; printf 'ok 1 - %s\\n1..1\\n' "$(cat result)" >$OUT/r.tap`,
    });
    await runner.prepare({ tree, environment: set });
    const later = join(folder, 'later');
    // An archive, or git at another time, may give the sources any date.
    writeFiles(later, { source: 'of the fix' });
    const { tests } = await runner.run({ tree: later, environment: set, files: null });
    expect([...tests.keys()]).to.deep.equal(['of the fix']);
  });

  it('has tools whose versions are told', async () => {
    const tools = await runner.runtime();
    expect(tools['node']).to.match(/^\d+\.\d+\.\d+$/);
    expect(tools['python']).to.match(/^3\.\d+\.\d+$/);
  });

  it('has one key as long as manifests, commands and tools are the same, wherever else it differs', async () => {
    const tools = { node: '24.21.0', npm: '11.0.0' };
    writeFiles(tree, { 'package.json': '{}', 'packages/a/package-lock.json': '{}', 'src/a.js': '1' });
    const key = () => environmentKey(tree, ['npm ci'], tools);
    const first = await key();
    expect(first).to.match(/^[0-9a-f]{64}$/);
    writeFiles(tree, { 'src/a.js': '2', 'node_modules/x/package.json': '{"a":1}', link: { symlink: '/etc' } });
    expect(await environmentKey(tree, ['npm ci'], { npm: '11.0.0', node: '24.21.0' })).to.equal(first);
    const keys = [
      await environmentKey(tree, ['npm install'], tools),
      await environmentKey(tree, ['npm ci'], { ...tools, node: '24.21.1' }),
    ];
    writeFiles(tree, { 'packages/a/package-lock.json': '{ }' });
    keys.push(await key());
    writeFiles(tree, { 'packages/a/package-lock.json': null, 'packages/b/package-lock.json': '{ }' });
    keys.push(await key());
    expect(new Set([first, ...keys]).size).to.equal(5);
  });
});

/** Copies one of this project's packages to a tree, with all that it needs. */
function copyPackage(name: string, tree: string): void {
  const copied = new Set<string>();
  const copy = (each: string, by: string) => {
    const nested = join(by, 'node_modules', each);
    const from = existsSync(nested) ? nested : join(root, 'node_modules', each);
    if (copied.has(each) || !existsSync(from)) return;
    copied.add(each);
    cpSync(from, join(tree, 'node_modules', each), { recursive: true });
    const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const dependency of Object.keys(dependencies)) copy(dependency, from);
  };
  copy(name, root);
  mkdirSync(join(tree, 'node_modules/.bin'));
  symlinkSync(`../${name}/bin/${name}.js`, join(tree, 'node_modules/.bin', name));
}
