import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Log } from 'sarif';
import { analyze } from '../../loaders/analyze.ts';
import { reportCommand } from '../../src/cli/report.ts';
import { readConfig } from '../../src/config.ts';
import { assess } from '../../src/due-diligence/assess.ts';
import { summaryOf } from '../../src/due-diligence/summary.ts';
import type { Evidence, Metric } from '../../src/model/due-diligence.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';

const handler = (name: string) => `const { exec } = require('child_process');
function run(file) {
  exec('convert ' + file);
}
app.post('/${name}', (req, res) => {
  const file = req.body.file;
  run(file);
});
`;

/** What the command prints as JSON, and its SARIF. */
async function reportOf(path: string, ...more: string[]): Promise<{ matrix: Metric[]; log: Log }> {
  const folder = temporaryFolder();
  try {
    let printed = '';
    const io = { out: (text: string) => void (printed += text), say() {}, progress() {}, done() {} };
    const sarif = join(folder, 'a.sarif');
    const args = [path, '--as-of', '2026-01-02', '--sarif', sarif, '--json', ...more];
    await reportCommand(readConfig({}), io).parseAsync(args, { from: 'user' });
    const { matrix } = JSON.parse(printed) as { matrix: Metric[] };
    return { matrix, log: JSON.parse(readFileSync(sarif, 'utf8')) as Log };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const evidenceOf = (matrix: readonly Metric[]) =>
  matrix.find(({ id }) => id === 'security_pattern_finding_count')?.evidence ?? [];

/** Two languages, each with a request in one file, a function that hands on, and what does harm in a third. */
const overFiles = {
  'src/server.js': `const db = require('./db');
const { save: keep, show } = require('./page');
const { nameOf } = require('./input');
const { exec } = require('child_process');
app.get('/x', (req, res) => {
  const id = req.query.id;
  const look = db.find;
  look(3, id);
  keep(res, req.body.name);
  show(res, escapeHtml(req.body.name));
  exec('ls ' + nameOf());
});
`,
  'src/db.js': `const { run } = require('./run');
exports.find = function (count, id) {
  return run("select * from orders where id = " + id, count);
};
exports.page = (count) => run("select * from orders limit " + count, count);
`,
  'src/run.js': `exports.run = (statement, count) => connection.query(statement);
`,
  'src/page.js': `module.exports.save = (res, name) => { res.send('<b>' + name + '</b>'); };
module.exports.show = (res, title) => { res.send('<b>' + title + '</b>'); };
module.exports.never = (res, title) => { res.send('<b>' + title + '</b>'); };
`,
  'src/input.js': `exports.nameOf = () => {
  return request.query.name;
};
`,
  'shop/views.py': `from flask import request
from shop.orders import Orders

def view():
    number = request.args.get('number')
    orders = Orders()
    return orders.find(limit=5, number=number)
`,
  'shop/orders.py': `import os

class Orders:
    def find(self, number, limit):
        os.system('find ' + number)
        os.system('head -n ' + limit)

    def other(self, number):
        os.system('rm ' + number)
`,
};

describe('insecure code that a request reaches over several files', () => {
  let repository: ReturnType<typeof gitRepository>;
  let found: Awaited<ReturnType<typeof reportOf>>;
  const ways = {
    'src/db.js:3': ['src/server.js:6', 'src/server.js:8', 'src/db.js:2', 'src/db.js:3'],
    'src/page.js:1': ['src/server.js:9', 'src/page.js:1'],
    'src/run.js:1': ['src/server.js:6', 'src/server.js:8', 'src/db.js:2', 'src/db.js:3', 'src/run.js:1'],
    'src/server.js:11': ['src/input.js:2', 'src/server.js:11'],
    'shop/orders.py:5': ['shop/views.py:5', 'shop/views.py:7', 'shop/orders.py:4', 'shop/orders.py:5'],
  };
  const waysIn = (evidence: readonly Evidence[]) =>
    Object.fromEntries(
      evidence
        .filter(({ way }) => way)
        .map((each) => [`${each.path}:${each.line}`, each.way?.map(({ path, line }) => `${path}:${line}`)]),
    );

  before(async () => {
    repository = gitRepository({ name: 'shop' });
    repository.commit('All of it', { files: overFiles, date: '2026-01-01T12:00:00Z' });
    found = await reportOf(repository.path);
  });
  after(() => repository.remove());

  it('is told with each place on the way; not what no request reaches, nor what was made harmless before', () => {
    expect(waysIn(evidenceOf(found.matrix))).to.deep.equal(ways);
  });

  it('is in SARIF, as a code flow from file to file', () => {
    const flows = found.log.runs[0]?.results?.flatMap(({ codeFlows = [] }) =>
      codeFlows.map(({ threadFlows }) =>
        threadFlows[0]?.locations.map(
          ({ location }) =>
            `${location?.physicalLocation?.artifactLocation?.uri}:${location?.physicalLocation?.region?.startLine}`,
        ),
      ),
    );
    for (const way of Object.values(ways)) expect(flows).to.deep.include(way);
  });

  it('is the same with the calls, in the graph, and again', async () => {
    expect(evidenceOf((await reportOf(repository.path, '--calls')).matrix)).to.deep.equal(evidenceOf(found.matrix));
    expect((await reportOf(repository.path)).matrix).to.deep.equal(found.matrix);
    const { snapshot, close } = await analyze(repository.path);
    try {
      const measured = snapshot.measurements?.metrics.find(({ id }) => id === 'security_pattern_finding_count');
      expect(measured?.evidence).to.deep.equal(evidenceOf(found.matrix));
      const patterns = [...snapshot.nodes].filter(({ properties }) => properties['way']);
      expect(
        Object.fromEntries(patterns.map(({ path, line, properties }) => [`${path}:${line}`, properties['way']])),
      ).to.deep.equal(ways);
    } finally {
      close();
    }
  });

  it('names no file where the reader must know none', async () => {
    const { matrix } = await reportOf(repository.path, '--redact');
    const places = evidenceOf(matrix).flatMap(({ way = [] }) => way.map(({ path }) => path));
    expect(places).to.have.length(Object.values(ways).flat().length);
    expect(places.filter((path) => !/^file-\d+\.\w+$/.test(path))).to.deep.equal([]);
  });
});

describe('insecure code that a request reaches', () => {
  let folder: string;
  let repository: ReturnType<typeof gitRepository>;
  let report: {
    matrix: Metric[];
    dimensions: { id: string; capped_by: string | null }[];
    summary?: unknown;
  };
  let log: Log;
  let printed = '';

  before(async () => {
    folder = temporaryFolder();
    repository = gitRepository({ name: 'shop' });
    repository.commit('All of it', {
      files: { 'a.js': handler('a'), 'b.js': handler('b'), 'c.js': handler('c'), 'test/a.test.js': handler('t') },
      author: { name: 'Ada', email: 'ada@example.org' },
      date: '2026-01-01T12:00:00Z',
    });
    const sarif = join(folder, 'a.sarif');
    const io = { out: (text: string) => void (printed += text), say() {}, progress() {}, done() {} };
    const args = [repository.path, '--as-of', '2026-01-02', '--sarif', sarif];
    await reportCommand(readConfig({}), io).parseAsync([...args, '--json'], { from: 'user' });
    report = JSON.parse(printed) as typeof report;
    log = JSON.parse(readFileSync(sarif, 'utf8')) as Log;
    printed = '';
    await reportCommand(readConfig({}), io).parseAsync(args, { from: 'user' });
  });
  after(() => {
    repository.remove();
    rmSync(folder, { recursive: true });
  });

  const inProduction = ['a.js', 'b.js', 'c.js'];
  const steps = [6, 7, 2, 3];

  it('is in the metric with the lines that data takes, and caps the dimension', () => {
    const metric = report.matrix.find(({ id }) => id === 'security_pattern_finding_count');
    const found = metric?.evidence.filter(({ note }) => note === 'ecmascript_command_from_data');
    expect(found?.map(({ path, line, ...rest }) => [path, line, rest.steps])).to.deep.equal(
      inProduction.map((path) => [path, 3, steps]),
    );
    expect(metric?.quantities).to.include({ code_high: 3, code_aside: 1 });
    expect(report.dimensions.find(({ id }) => id === 'security')?.capped_by).to.equal('security.patterns');
  });

  it('is in SARIF, as a code flow', () => {
    const results = log.runs[0]?.results?.filter(({ message }) =>
      message.text?.endsWith('ecmascript_command_from_data'),
    );
    const flows = results?.map(({ codeFlows }) =>
      codeFlows?.[0]?.threadFlows[0]?.locations.map(({ location }) => location?.physicalLocation?.region?.startLine),
    );
    expect(flows).to.deep.equal(inProduction.map(() => steps));
  });

  it('is in the graph, in the function around it', async () => {
    const { snapshot, close } = await analyze(repository.path);
    try {
      const patterns = [...snapshot.nodes].filter(({ name }) => name === 'ecmascript_command_from_data');
      expect(
        patterns.map(({ path, line, properties }) => [path, line, properties['severity'], properties['steps']]),
      ).to.deep.equal(inProduction.map((path) => [path, 3, 'high', steps]));
    } finally {
      close();
    }
  });

  it('a strength says what it rests on', () => {
    expect(printed.replaceAll(/\s+/g, ' ')).to.match(
      /\+ Secrets in the code, 100 of 100\. [^.]*: 0 findings, looked for in \d+ source files/,
    );
  });

  it('is no strength, however well few findings score', async () => {
    const strengthsOf = async (name: string) => {
      const code = `import hashlib\n\n\ndef digest(text):\n    return hashlib.${name}(text).hexdigest()\n`;
      const repository = gitRepository({
        files: { 'src/digest.py': code, 'SECURITY.md': '# Security\n\nWrite to security@example.com.\n' },
      });
      try {
        const { snapshot } = await analyze(repository.path, { name: 'digest' });
        if (!snapshot.measurements) throw new Error('Nothing was measured.');
        const assessment = assess(snapshot.measurements, { currency: 'EUR', hourly_rate: 100 }, null);
        const { score } = assessment.factors.find(({ definition }) => definition.id === 'security.patterns') ?? {};
        return { score, strengths: summaryOf(assessment).strengths.map((each) => each.factor_id) };
      } finally {
        repository.remove();
      }
    };
    const clean = await strengthsOf('sha256');
    expect(clean.score).to.equal(100);
    expect(clean.strengths).to.include('security.patterns');
    const weak = await strengthsOf('md5');
    expect(weak.score).to.be.within(75, 99);
    expect(weak.strengths).to.not.include('security.patterns');
  });
});
