import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Log } from 'sarif';
import { analyze } from '../../loaders/analyze.ts';
import { reportCommand } from '../../src/cli/report.ts';
import { readConfig } from '../../src/config.ts';
import type { Metric } from '../../src/model/due-diligence.ts';
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
});
