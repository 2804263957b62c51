import child from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { ExtractionPool } from '../../loaders/extraction/pool.ts';
import { measureSnapshot } from '../../loaders/measure-snapshot.ts';
import { insecureOverCalls } from '../../loaders/resolution/flows.ts';
import { mayFlow } from '../../loaders/resolution/may-flow.ts';
import { keepHistory } from '../../loaders/snapshot/kept-history.ts';
import { openSnapshot } from '../../loaders/snapshot/open-snapshot.ts';
import { openTemporaryFile } from '../../loaders/temporary-file.ts';
import { measureTrend } from '../../loaders/trend.ts';
import type { FileFlows, FlowFrom, FlowTo } from '../../loaders/facts/flow.ts';
import { gitRepository } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';

/** Data of a request that goes on in another file: so the graph of each point is asked for, too. */
const views = `from flask import Flask, request
from run import run_it

app = Flask(__name__)


@app.route('/x')
def show():
    return run_it(request.args['name'])
`;
const run = `import os


def run_it(name):
    os.system('show ' + name)
`;

interface Work {
  /** By what is read: path, blob or content, and what for. */
  reads: Map<string, number>;
  gits: number;
}

/** What is done while `measure` runs: a bound that only a clock could tell is told by nobody in time. */
async function workOf(measure: () => Promise<unknown>): Promise<Work> {
  const { extract } = ExtractionPool.prototype;
  const { spawn } = child;
  const work: Work = { reads: new Map(), gits: 0 };
  ExtractionPool.prototype.extract = function (request) {
    const key = `${request.path} ${Buffer.from(request.content).toString('latin1')}`;
    work.reads.set(key, (work.reads.get(key) ?? 0) + 1);
    return extract.call(this, request);
  };
  child.spawn = ((...args: Parameters<typeof spawn>) => {
    if (args[0] === 'git') work.gits += 1;
    return spawn(...args);
  }) as typeof spawn;
  syncBuiltinESMExports();
  try {
    await measure();
  } finally {
    ExtractionPool.prototype.extract = extract;
    child.spawn = spawn;
    syncBuiltinESMExports();
  }
  return work;
}

describe('the work of a trend', () => {
  const quarters = 10;
  let repository: GitRepository;
  before(() => {
    repository = gitRepository({ name: 'shop' });
    const commit = (date: string, files: Record<string, string>) =>
      repository.commit(`Work of ${date}`, { files, date: `${date}T12:00:00Z` });
    const parts = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((n) => [`part_${n}.py`, `def part_${n}():\n    return ${n}\n`]),
    );
    commit('2021-01-05', {
      'README.md': '# Shop\n',
      '.mailmap': 'Ann <ann@example.com>\n',
      'views.py': views,
      'run.py': run,
      ...parts,
    });
    for (let n = 1; n < quarters; n++) {
      const month = String(((n * 3) % 12) + 1).padStart(2, '0');
      const date = `${2021 + Math.floor((n * 3) / 12)}-${month}-05`;
      commit(date, { [`part_${(n % 6) + 1}.py`]: `def part():\n    return ${n * 100}\n` });
    }
  });
  after(() => repository.remove());

  const trend = async (points: number) => {
    const opened = await openSnapshot(repository.path);
    try {
      const past = await measureTrend(opened, 'shop', points, {});
      expect(past).to.have.length(points);
      expect(past.at(-1)?.metrics.find(({ id }) => id === 'security_pattern_finding_count')?.quantities).to.include({
        code_high: 1,
      });
    } finally {
      await opened.close();
    }
  };

  it('reads each version of a file once', async () => {
    const { reads } = await workOf(() => trend(quarters));
    // Two that never change, six at first, and one of each point after it.
    expect(reads.size).to.equal(2 + 6 + (quarters - 1));
    expect(Math.max(...reads.values())).to.equal(1);
  });

  it('starts as many processes of git for each more point, however many files and commits there are', async () => {
    const few = await workOf(() => trend(4));
    const many = await workOf(() => trend(quarters));
    expect((many.gits - few.gits) / (quarters - 4)).to.be.at.most(maxGitsOfPoint);
  });
});

/** A point more lists its tree. */
const maxGitsOfPoint = 1;

describe('a point of a trend', () => {
  let repository: GitRepository;
  before(() => {
    repository = gitRepository({ name: 'shop' });
    const { path, git, commit } = repository;
    const at = (date: string, files: Record<string, string | null>) =>
      commit(`Work of ${date}`, { files, date: `${date}T12:00:00Z` });
    const key = ['ghp', '_', 'a8Kd93jfLq02mZx7Rw5TyPb1NvC4sE6uHgQi'].join('');
    const macros = (size: number) => `#define SIZE ${size}\n#define EACH(x) for (int x = 0; x < SIZE; x++)\n`;
    const loop = '#include "macros.h"\nint sum(void) {\n  int s = 0;\n  EACH(i) s += i;\n  return s;\n}\n';
    at('2021-01-05', { 'views.py': views, 'run.py': run, 'c/macros.h': macros(3), 'c/sum.c': loop, 'b.js': 'b();\n' });
    // A file goes, another has a new name and another ending than before, and who calls it follows; a merge has a secret of its own.
    at('2021-04-05', { 'b.js': null, 'run.py': null, 'lib/run.py': run, 'views.py': `# New.\n${views}` });
    git('checkout', '--quiet', '-b', 'side');
    at('2021-04-06', { 'side.py': 'SIDE = 1\n' });
    git('checkout', '--quiet', 'main');
    at('2021-04-07', { 'views.py': views.replace('from run', 'from lib.run') });
    git('merge', '--quiet', '--no-commit', '--no-ff', 'side');
    at('2021-07-05', { 'side.py': `SIDE = "${key}"\n`, 'c/macros.h': macros(4) });
    // It comes back, beside a submodule, and says who is who.
    mkdirSync(join(path, 'vendored/module'), { recursive: true });
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendored/module`);
    at('2021-10-05', { 'b.js': 'b();\n', '.mailmap': 'Ann B. <ann@example.com>\n', 'package.json': '{"name":"shop"}' });
    git('tag', 'v1');
    at('2022-01-05', { 'lib/run.py': null, 'run.py': run, 'views.py': views, 'c/macros.h': macros(3) });
  });
  after(() => repository.remove());

  it('is what its commit alone says as of its day, whatever the points before it had', async () => {
    const opened = await openSnapshot(repository.path);
    const past = await measureTrend(opened, 'shop', 24, {});
    await opened.close();
    expect(past).to.have.length(5);
    for (const { commit, day, metrics, liveness } of past) {
      const one = await openSnapshot(repository.path, { ref: commit });
      const { measurements } = await measureSnapshot(one, 'shop', { asOf: day });
      await one.close();
      expect(metrics, day).to.deep.equal(measurements.metrics.map((metric) => ({ ...metric, evidence: [] })));
      expect(liveness, day).to.deep.equal(measurements.liveness);
    }
    const secrets = past.map(({ metrics }) => metrics.find(({ id }) => id === 'secret_finding_count')?.value);
    expect(secrets.slice(0, 3)).to.deep.equal([0, 0, 1]);
  });

  it("has its commits in git's own order, also where one of them is of a time that no calendar holds", async () => {
    using odd = gitRepository({ files: { 'a.py': 'A = 1\n' } });
    odd.git('checkout', '--quiet', '-b', 'side');
    odd.commit('Far', { files: { 'far.py': 'B = 1\n' }, date: '@300000000000 +0000' });
    odd.git('checkout', '--quiet', 'main');
    odd.commit('Near', { files: { 'near.py': 'C = 1\n' } });
    odd.git('merge', '--quiet', '--no-commit', '--no-ff', 'side');
    odd.commit('Merge');
    const opened = await openSnapshot(odd.path);
    const file = openTemporaryFile();
    const past = opened.past(await keepHistory(opened, file));
    const [point] = (await opened.quarters(24)).slice(-1);
    if (!point) throw new Error('It has a commit.');
    const subjects: string[] = [];
    for await (const { subject } of (await past.at(point)).history()) subjects.push(subject);
    expect(subjects).to.deep.equal(['Merge', 'Far', 'Near', 'Begin']);
    await past.close();
    file.close();
  });
});

describe('insecure code over calls', () => {
  const at = (name: string, line = 1) => ({ name, line });
  const flow = (from: FlowFrom, to: FlowTo) => ({ from, to, steps: [1] });
  const parameter = (name: string): FlowFrom => ({ kind: 'parameter', of: at(name), index: 0, name: 'a' });
  const argument = (call: string): FlowTo => ({ kind: 'argument', call, line: 1, argument: 0 });
  const sink: FlowTo = { kind: 'sink', rule: 'command_injection', line: 2, severity: 'high' };
  const file = (path: string, ...flows: FileFlows['flows'][number][]): FileFlows => ({ path, flows });

  it('asks for the calls of those files alone to which data of a request comes', () => {
    const files = [
      file('a.rb', flow({ kind: 'request' }, argument('b'))),
      file('b.rb', flow(parameter('b'), argument('c'))),
      file('c.rb', flow(parameter('c'), sink)),
      // Harm that no request comes to.
      file('x.rb', flow(parameter('x'), argument('y'))),
      file('y.rb', flow(parameter('y'), argument('c'))),
    ];
    const definition = (name: string) => ({ name, line: 1, endLine: 9 });
    const documents = files.map(({ path }) => ({ path, facts: { definitions: [definition(path.slice(0, 1))] } }));
    const sorted = mayFlow(files, { inside: [], names: [] });
    if (!sorted) throw new Error('By their names they lead to harm.');
    const asked: string[] = [];
    const found = insecureOverCalls(sorted, documents as never, (path) => {
      asked.push(path);
      const from = files.findIndex((each) => each.path === path);
      const to = { document: from + 1, definition: 0 };
      return [
        {
          type: 'CALLS',
          from: { document: from, definition: 0 },
          to,
          name: 'bc'[from] ?? '',
          line: 1,
          weight: 1,
          strategy: 'import',
          confidence: 1,
        },
      ] as never;
    });
    expect([...found.keys()]).to.deep.equal(['c.rb']);
    expect(asked).to.deep.equal(['a.rb', 'b.rb']);
  });
});
