import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { solverView } from '../../src/benchmark/solver-view.ts';
import { taskInstanceSchema } from '../../src/model/task-instance.ts';
import type { TaskInstance } from '../../src/model/task-instance.ts';
import { launchCommand, repoIntel } from '../support/cli.ts';
import { eventually } from '../support/eventually.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { plantedTestCommand, plantFixes } from '../support/planted-fixes.ts';

const issue = {
  id: 5,
  title: 'squashed is wrong',
  body: 'It says `wrong` wherever it is called, see https://example.com/ann/planted/pull/8, though it was right in 1.0.',
  comments: [
    { created_at: '2023-12-31T00:00:00Z', body: 'I saw that too.' },
    { created_at: '2024-02-01T00:00:00Z', body: 'The fix is to echo right.' },
  ],
};

/** The counts of the funnel, as it is printed. */
const rejectedIn = (stderr: string) =>
  Object.fromEntries(
    [...stderr.matchAll(/^ +(\d+) {2}(\w+) /gm)].map(([, count, reason = '']) => [reason, Number(count)]),
  );

const tasksIn = (file: string): TaskInstance[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => taskInstanceSchema.parse(JSON.parse(line)));

describe('repo-intel benchmark mint', function () {
  this.timeout(300_000);
  let folder: string;
  before(() => {
    folder = temporaryFolder();
  });
  after(() => rmSync(folder, { recursive: true }));
  const environment = () => ({ DATA_DIR: join(folder, 'data') });
  const mint = (...args: string[]) => repoIntel(['benchmark', 'mint', ...args], environment());

  describe('of a history with a commit for each reason to refuse one', () => {
    let repository: GitRepository;
    let planted: ReturnType<typeof plantFixes>;
    let tasks: TaskInstance[];
    let stderr: string;
    const file = () => join(folder, 'tasks.jsonl');
    const states = () => join(folder, 'data/benchmark/local__planted/candidates');
    const decided = () => (existsSync(states()) ? readdirSync(states()) : []);
    const task = (name: string) => tasks.find(({ provenance }) => provenance.fix_commit === planted.good[name]);
    let args: string[];

    before(async () => {
      repository = gitRepository({ name: 'planted' });
      planted = plantFixes(repository);
      writeFileSync(join(folder, 'issues.jsonl'), `${JSON.stringify(issue)}\n`);
      // As another dataset has it: with fewer lines around, and other names of blobs.
      const patch = repository.git(
        'diff',
        '--unified=0',
        `${planted.good['last']}^`,
        planted.good['last'] ?? '',
        'lib',
      );
      writeFileSync(join(folder, 'known.jsonl'), `${JSON.stringify({ instance_id: 'x__y-1', patch })}\n`);
      args = [repository.path, '--test-cmd', plantedTestCommand, '--report', 'tap:$OUT/report.tap'].concat(
        ['--setup-cmd', '! grep broken package.json', '--issues', join(folder, 'issues.jsonl')],
        [
          '--reference',
          join(folder, 'known.jsonl'),
          '--runs',
          '2',
          '--timeout',
          '12',
          '--workers',
          '2',
          '--output',
          file(),
        ],
      );
    });
    after(() => repository.remove());

    it('--dry-run runs nothing, and shows each candidate and what is against the other commits', async () => {
      const outcome = await mint(repository.path, '--dry-run', '--json');
      expect(outcome.code, outcome.stderr).to.equal(0);
      const candidates = outcome.stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { fix: string });
      expect(candidates.map(({ fix }) => fix)).to.include.members(Object.values(planted.good));
      const rejected = rejectedIn(outcome.stderr);
      expect(planted.rejected).to.include(rejected);
      const commits = Number(repository.git('rev-list', '--first-parent', '--count', 'HEAD'));
      expect(Object.values(rejected).reduce((a, b) => a + b, candidates.length)).to.equal(commits);
      expect(decided()).to.deep.equal([]);
    });

    it('Ctrl-C ends it in the middle; called again it decides what is left, and only that', async () => {
      const first = launchCommand(['benchmark', 'mint', ...args], environment());
      await eventually(async () => expect(decided().length).to.be.at.least(4));
      first.process.kill('SIGINT');
      const [code, signal] = (await once(first.process, 'close')) as [number | null, string | null];
      expect([code, signal, existsSync(file())], first.stderr()).to.deep.equal([1, null, false]);
      expect(first.stderr()).to.include('Interrupted. The same command goes on where this one was.');
      const before = new Map(decided().map((name) => [name, statSync(join(states(), name)).mtimeMs]));

      const outcome = await mint(...args);
      expect(outcome.code, outcome.stderr).to.equal(0);
      for (const [name, time] of before) expect(statSync(join(states(), name)).mtimeMs).to.equal(time);
      expect(decided().length).to.be.above(before.size);
      ({ stderr } = outcome);
      tasks = tasksIn(file());
    });

    it('exactly the good fixes are minted, and each other commit is counted under its reason', () => {
      const names = new Map(Object.entries(planted.good).map(([name, id]) => [id, name]));
      const minted = tasks.map(({ provenance: { fix_commit: id } }) => names.get(id ?? '') ?? String(id));
      expect(minted.toSorted()).to.deep.equal(Object.keys(planted.good).toSorted());
      expect(rejectedIn(stderr)).to.deep.equal(planted.rejected);
    });

    it('the patches of a task are the whole fix, byte for byte, tests apart', () => {
      for (const { patch, test_patch: testPatch, base_commit: base, provenance } of tasks) {
        const whole = repository.git(
          'diff',
          '--binary',
          '--full-index',
          '--no-renames',
          base,
          provenance.fix_commit ?? '',
        );
        const files = (text: string) => text.split(/^(?=diff --git )/m).toSorted();
        expect(files(patch + testPatch)).to.deep.equal(files(whole));
        expect(base).to.equal(repository.git('rev-parse', `${provenance.fix_commit}^1`).trim());
        expect(patch).to.not.match(/^diff --git a\/tests\//m);
        expect(testPatch).to.not.match(/^diff --git a\/(?!tests\/)/m);
      }
      expect(task('endings')?.patch).to.include('ends of DOS\r\n');
      expect(task('binary')?.test_patch).to.include('GIT binary patch');
      expect(task('hidden')?.test_patch).to.include('tests/hidden.sh');
    });

    it('a task names the tests that fail before and pass after, each time, and those that pass always', () => {
      for (const [name, fix] of Object.entries(planted.good)) {
        const found = tasks.find(({ provenance }) => provenance.fix_commit === fix);
        expect(found?.verifying_tests.fail_to_pass).to.deep.equal([
          name === 'other' ? 'other is well' : `${name} is right`,
        ]);
        expect(found?.validation.phases.map(({ phase, run }) => `${phase}.${run}`)).to.deep.equal([
          'base.1',
          'test.1',
          'fix.1',
          'test.2',
          'fix.2',
        ]);
      }
      expect(task('merged')?.verifying_tests.pass_to_pass).to.include.members(['plain is right', 'squashed is right']);
      expect(task('plain')?.difficulty).to.equal('<15 min fix');
    });

    it('a task is told by the issue that it closes, without what leads to the fix', () => {
      const squashed = task('squashed');
      expect(squashed).to.include({ instance_id: 'local__planted-8', problem_statement_source: 'issue' });
      expect(squashed?.problem_statement).to.equal(
        'squashed is wrong\nIt says `wrong` wherever it is called, see  though it was right in 1.0.',
      );
      expect(squashed?.hints_text).to.equal('I saw that too.');
      expect(squashed?.provenance).to.deep.include({ fix_kind: 'squash', pr_number: 8, issue_refs: ['#5'] });
      expect(task('merged')).to.include({ instance_id: 'local__planted-7' });
      expect(task('merged')?.problem_statement).to.match(/^Callers of the library/);
      for (const { provenance, ...rest } of tasks)
        expect(JSON.stringify(rest)).to.not.include(provenance.fix_commit?.slice(0, 7) ?? rest);
    });

    it('a task that another dataset has as well is flagged', () => {
      const flagged = tasks.filter(({ quality }) => quality.flags.includes('decontamination_overlap'));
      expect(flagged.map(({ provenance }) => provenance.fix_commit)).to.deep.equal([planted.good['last']]);
    });

    it('called once more it runs nothing and says the same', async () => {
      const runs = readdirSync(join(folder, 'data/benchmark/local__planted/runs')).length;
      const tasksBefore = readFileSync(file(), 'utf8');
      const outcome = await mint(...args);
      expect(outcome.code, outcome.stderr).to.equal(0);
      expect(readFileSync(file(), 'utf8') === tasksBefore).to.equal(true);
      expect(readdirSync(join(folder, 'data/benchmark/local__planted/runs')).length).to.equal(runs);
    });
  });

  describe('of a repository that says nothing of its tests', () => {
    let repository: GitRepository;
    const sum = (operator: string) => `export const sum = (a, b) => a ${operator} b;\n`;
    const test = (name: string, body: string) =>
      `import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from '../lib/sum.js';\ntest('${name}', ${body});\n`;
    const fix = 'The sum of two numbers was their difference\n\nWhoever added something up was told too little.\n';
    before(() => {
      repository = gitRepository({
        name: 'sums',
        files: {
          'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
          'lib/sum.js': sum('-'),
          'test/sum.test.js': test('nothing and nothing', '() => assert.equal(sum(0, 0), 0)'),
          'test/slow.test.js': test('slow', '() => new Promise((resolve) => setTimeout(resolve, 1500))'),
        },
      });
      repository.commit(fix, {
        files: {
          'lib/sum.js': sum('+'),
          'test/sum.test.js': test('one and one', '() => assert.equal(sum(1, 1), 2)'),
        },
      });
    });
    after(() => repository.remove());

    it('its runner is found by its files; a suite that takes too long is narrowed to the tests of the fix', async () => {
      const file = join(folder, 'sums.jsonl');
      const config = join(folder, 'benchmark.yml');
      writeFileSync(config, 'suite_limit_s: 1\nlicense: MIT\norigin: public\n');
      const { code, stderr } = await mint(repository.path, '--runs', '2', '--config', config, '-o', file);
      expect(code, stderr).to.equal(0);
      const [task] = tasksIn(file);
      expect(task?.environment?.test_cmd).to.match(/^node --test .*--test-reporter=tap/);
      expect(task?.verifying_tests).to.deep.include({ framework: 'node:test', fail_to_pass: ['one and one'] });
      expect(task?.validation.scope).to.deep.equal(['test/sum.test.js']);
      expect(task?.provenance).to.include({ repo_license_spdx: 'MIT', origin: 'public' });
    });

    it('what tests ask for by name is told behind what was wrong, and no line of the fix with it', async () => {
      const base = repository.git('rev-parse', 'HEAD').trim();
      const message = 'Sums of lists are told\n\nWhoever had a list got an error, and has to be told its sum.\n';
      const fixCommit = repository.commit(message, {
        files: {
          'lib/sum.js': `${sum('+')}
export function sumOfList(numbers, { start = 0 } = {}) {
  if (!Array.isArray(numbers)) throw new TypeError(\`no list of numbers: \${numbers}\`);
  const addUp = (total, number) => total + number;
  return numbers.reduce(addUp, start);
}
`,
          'test/list.test.js': `import { test } from 'node:test';
import assert from 'node:assert';
import { sumOfList } from '../lib/sum.js';
test('a list has a sum', () => assert.equal(sumOfList([1, 2], { start: 3907 }), 3910));
test('a text has none', () => assert.throws(() => sumOfList('ab'), { message: 'no list of numbers: ab' }));
`,
        },
      });
      const file = join(folder, 'lists.jsonl');
      const { code, stderr } = await mint(repository.path, '--runs', '2', '--max-candidates', '1', '-o', file);
      expect(code, stderr).to.equal(0);
      const [task] = tasksIn(file);
      expect(task?.problem_statement).to.equal(
        [
          message.trimEnd(),
          '## Interface',
          'What the tests ask for, by the name or in the words that they have for it:',
          '- New is a function `sumOfList`, which takes `numbers` and `start` (`0` by default).\n' +
            '- A text reads `no list of numbers: …`, where … stands for what is filled in, or for more.',
        ].join('\n\n'),
      );
      expect(task?.quality.flags).to.not.include('underspecified');
      expect(task?.quality).to.include({ statement_words: 19 }).and.to.have.property('interface_words');
      const seen = JSON.stringify(task && solverView(task));
      const lines = repository
        .git('diff', base, fixCommit)
        .split('\n')
        .filter((line) => /^\+[^+]/.test(line));
      for (const line of lines.map((each) => each.slice(1).trim()).filter((each) => /\w\W+\w/.test(each)))
        expect(seen).to.not.include(JSON.stringify(line).slice(1, -1));
      for (const inside of ['addUp', 'reduce', '3910', '3907', 'a list has a sum']) expect(seen).to.not.include(inside);
      repository.git('reset', '--quiet', '--hard', base);
    });

    it('without a runner nothing is minted, and it exits with 2', async () => {
      repository.commit('Say the sum of nothing as well\n\nSomebody asked for that, and nobody knew what to answer.', {
        files: { 'package.json': '{"type":"module"}\n', 'test/slow.test.js': null },
      });
      repository.commit(fix, { files: { 'lib/sum.js': sum('/'), 'test/sum.test.js': '' } });
      const { code, stderr } = await mint(repository.path, '--max-candidates', '1');
      expect(code, stderr).to.equal(2);
      expect(rejectedIn(stderr)).to.deep.equal({ no_runner: 1 });
    });

    it('a clone without old contents is told in a sentence', async () => {
      repository.git('config', 'uploadpack.allowFilter', 'true');
      const clone = join(folder, 'partial');
      repository.git('clone', '--quiet', '--bare', '--filter=blob:none', `file://${repository.path}`, clone);
      const { code, stderr } = await mint(clone, '--dry-run');
      expect(code).to.equal(1);
      expect(stderr).to.match(/^repo-intel: The history can't be read whole .* clone it again, without a filter\.$/m);
    });

    it('what can not be understood is told in a sentence', async () => {
      const config = join(folder, 'wrong.yml');
      writeFileSync(config, 'runs: often\n');
      const once = join(folder, 'once.yml');
      writeFileSync(once, 'runs: 1\n');
      const wrong: [string[], number, RegExp][] = [
        [['--test-cmd', 'make test'], 1, /does not show in it: say so by --report/],
        [['--config', config], 1, /wrong\.yml can't be used: runs: /],
        [['--config', once], 1, /runs: at least 2: a single run .* random value\./],
        [['--runs', '1'], 2, /at least 2: a single run .* random value/],
        [['--report', 'prose:x'], 2, /One of junit, /],
        [['--ref', 'nowhere'], 1, /has no branch, tag or commit nowhere/],
        [['--issues', config], 1, /wrong\.yml, line 1 is no issue/],
      ];
      for (const [args, code, sentence] of wrong) {
        const outcome = await mint(repository.path, '--dry-run', ...args);
        expect(outcome.stderr).to.match(sentence);
        expect(outcome.code).to.equal(code);
      }
    });
  });

  it('of a history whose tests read a submodule: where that is at hand; else it says what is missing', async () => {
    using cases = gitRepository({ files: { expected: 'right\n' } });
    const test = (name: string) =>
      `. ./lib/${name}.sh; [ "$(${name})" = "$(cat cases/expected)" ] && echo "ok - ${name}" || echo "not ok - ${name}"\n`;
    using repository = gitRepository({
      name: 'linked',
      files: { 'lib/a.sh': 'a() { echo right; }\n', 'lib/b.sh': 'b() { echo wrong; }\n', 'tests/a.sh': test('a') },
    });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', cases.path, 'cases');
    repository.commit('Cases lie elsewhere');
    repository.commit('b is wrong\n\nWhoever calls b is told what is not so, which nobody had noticed before.', {
      files: { 'lib/b.sh': 'b() { echo right; }\n', 'tests/b.sh': test('b') },
    });
    const file = join(folder, 'linked.jsonl');
    const args = ['--test-cmd', plantedTestCommand, '--report', 'tap:$OUT/report.tap', '--runs', '2', '-o', file];
    const kept = join(repository.path, '.git/modules');
    renameSync(kept, `${kept}.gone`);
    const without = await mint(repository.path, ...args);
    expect(rejectedIn(without.stderr)).to.include({ environment_incomplete: 1 });
    expect(without.stderr).to.match(/its tests may need what is in cases, .*`git submodule update --init --recursive`/);
    renameSync(`${kept}.gone`, kept);
    const { code, stderr } = await mint(repository.path, ...args);
    expect(code, stderr).to.equal(0);
    expect(tasksIn(file).map(({ verifying_tests: tests }) => tests.fail_to_pass)).to.deep.equal([['b']]);
  });

  describe('of a repository whose setup looks for what this machine has', () => {
    let repository: GitRepository;
    let server: Server;
    let calls = 0;
    const fix = 'The sum of two numbers was their difference\n\nWhoever added something up was told too little.\n';
    before(async () => {
      server = createServer((socket) => {
        calls++;
        socket.on('error', () => {}).end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/`;
      repository = gitRepository({
        name: 'hostile',
        files: {
          '.npmrc': `registry=${url}\nproxy=null\nhttps-proxy=null\nnoproxy=*\n`,
          'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
          'benchmark.yml': [
            'setup_cmds:',
            `  - (exec 3<>/dev/tcp/127.0.0.1/${port}) || true`,
            `  - npm view anything --registry=${url} --fetch-retries=0 || true`,
            `  - printf 'CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\n\\r\\n' >/dev/tcp/127.0.0.1/3128 || true`,
            '  - sleep 0.5; exit 9',
            'env: { NO_PROXY: "*", HTTP_PROXY: "", npm_config_noproxy: "*" }',
            '',
          ].join('\n'),
          'lib/sum.js': 'export const sum = (a, b) => a - b;\n',
          'test/sum.test.js': '',
        },
      });
      repository.commit(fix, {
        files: { 'lib/sum.js': 'export const sum = (a, b) => a + b;\n', 'test/sum.test.js': 'sum(1, 1);\n' },
      });
    });
    after(() => {
      server.close();
      repository.remove();
    });

    it('it reaches nothing of it, whatever it says of proxies; the log tells why, and what was asked for', async () => {
      const { code, stderr } = await mint(repository.path);
      expect(code, stderr).to.equal(2);
      expect(rejectedIn(stderr)).to.deep.equal({ setup_failed: 1, root: 1 });
      expect(stderr).to.match(
        /^Sandbox: \w+, at most 2048 MiB of memory \(by .*\) and 512 processes; setups reach registries alone/m,
      );
      expect(stderr).to.match(/the setup failed: it ended with 9; it asked for 127\.0\.0\.1:\d+ \(no registry/);
      const [, log = ''] = /Its log: (\S+setup\.log)/.exec(stderr) ?? [];
      expect(readFileSync(log, 'utf8')).to.include('Refused: 127.0.0.1');
      expect(calls).to.equal(0);
      const environments = join(folder, 'data/benchmark/environments');
      const results = readdirSync(environments).map((name) =>
        readFileSync(join(environments, name, 'result.json'), 'utf8'),
      );
      expect(results.join()).to.include('"network":"proxy"').and.include('what does not heed them reaches nothing');
    });

    it('it can not allow itself another host; only who runs it can, and then it is tried anew', async () => {
      const config = join(folder, 'wide.yml');
      for (const setting of ['allow_host: [127.0.0.1]', 'allowed_hosts: [a]', 'network: host', 'memory: 64g']) {
        writeFileSync(config, `${setting}\n`);
        const { code, stderr } = await mint(repository.path, '--dry-run', '--config', config);
        expect([code, /wide\.yml can't be used/.test(stderr)], stderr).to.deep.equal([1, true]);
      }
      expect((await mint(repository.path, '--allow-host', 'https://a/b')).code).to.equal(2);
      expect(calls).to.equal(0);
      const { code, stderr } = await mint(repository.path, '--unsafe-host-network');
      expect(code, stderr).to.equal(2);
      expect(stderr).to.include('setups reach all that this machine reaches');
      expect(calls).to.be.above(0);
    });
  });
});
