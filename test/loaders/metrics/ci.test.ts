import { expect } from 'chai';
import { gitRepository } from '../../support/git-repository.ts';
import { commits, metricsOf, metricsOfFiles, weekly } from './metrics-of.ts';

describe('metrics: CI', () => {
  const workflow = (text: string) => ({ '.github/workflows/ci.yml': text });

  it('finds workflows, the gates in them and what their tokens may do', async () => {
    const { metric } = await metricsOfFiles({
      'a.py': 'x = 1\n',
      'test_a.py': 'import a\n\ndef test_a():\n    assert a.x == 1\n',
      'package.json': '{ "scripts": { "lint": "eslint .", "test": "mocha" } }',
      'package-lock.json': '{ "lockfileVersion": 3, "packages": {} }',
      ...workflow(`on: [push]
permissions:
  contents: read
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: |
          npm run lint
          npm test
`),
      '.github/workflows/codeql.yaml': `on: { pull_request: {} }
jobs:
  analyze:
    permissions: { security-events: write }
    steps:
      - uses: github/codeql-action/analyze@v3
`,
      '.github/workflows/release.yml': `on: workflow_dispatch
permissions: write-all
jobs: { release: { steps: [{ run: npm audit }] } }
`,
      '.gitlab-ci.yml': 'test:\n  script:\n    - pytest\n',
      'docs/.gitlab-ci.yml': 'not: one\n',
    });
    expect(metric('ci_workflow_count').value).to.equal(4);
    // The audit only runs when somebody asks for it.
    expect(metric('ci_gate_score_pct')).to.deep.include({ value: 80, numerator: 4, denominator: 5 });
    const notes = metric('ci_gate_score_pct').evidence.map(({ path, line, note }) => [path, line, note]);
    expect(notes).to.deep.include(['.github/workflows/ci.yml', 10, 'lint: npm run lint → eslint .']);
    expect(notes).to.deep.include(['.github/workflows/ci.yml', 11, 'test: npm test → mocha']);
    expect(notes).to.deep.include(['.github/workflows/codeql.yaml', 6, 'sast: github/codeql-action/analyze@v3']);
    expect(notes).to.deep.include([null, null, 'missing: dependency_or_secret_scan']);
    expect(metric('ci_token_least_privilege_pct')).to.deep.include({ numerator: 2, denominator: 3 });
    expect(metric('ci_token_least_privilege_pct').quantities).to.deep.equal({
      workflows: 1,
      writing: 1,
      job_level_only: 1,
    });
  });

  it('a workflow that makes believe earns nothing for pins and permissions, and loses what it opens', async () => {
    const pinned = `uses: actions/checkout@${'a'.repeat(40)}`;
    const sham = (top: string, run: string) =>
      `on: push\n${top}jobs:\n  a:\n    steps:\n      - ${pinned}\n      - run: ${run}\n`;
    const read = 'permissions:\n  contents: read\n';
    const real = 'on: push\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n';
    const file = (name: string, text: string) => ({ [`.github/workflows/${name}.yml`]: text });
    const alone = await metricsOfFiles({ 'a.js': 'f();\n', ...file('sham', sham(read, 'npm test || true')) });
    for (const id of ['ci_token_least_privilege_pct', 'build_ref_hash_pinned_pct'] as const)
      expect(alone.metric(id)).to.deep.include({ value: null, reason: 'nothing_to_measure' });

    const beside = await metricsOfFiles({
      'a.js': 'f();\n',
      'package-lock.json': '{ "lockfileVersion": 3, "packages": {} }',
      ...file('real', real),
      ...file('sham', sham(read, 'npm test || true')),
      ...file('prints', sham(read, 'echo done')),
      ...file('open', sham('permissions: write-all\n', 'echo done')),
    });
    expect(beside.metric('ci_token_least_privilege_pct')).to.deep.include({ numerator: 0, denominator: 2 });
    expect(beside.metric('build_ref_hash_pinned_pct').quantities).to.deep.include({
      'total github_owned': 1,
      'pinned github_owned': 0,
    });
  });

  it('says that there is no CI, rather than that it is bad', async () => {
    const { metric } = await metricsOfFiles({ 'a.py': 'x = 1\n' });
    expect(metric('ci_workflow_count').value).to.equal(0);
    expect(metric('ci_gate_score_pct')).to.deep.include({ value: null, reason: 'no_ci_config' });
    expect(metric('ci_token_least_privilege_pct')).to.deep.include({ value: null, reason: 'no_ci_config' });
  });

  it('takes hostile workflows without a fall', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
      .split('')
      .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`)
      .join('\n')}\n`;
    const hostile = [
      bomb,
      `on: push\njobs: ${'['.repeat(5_000)}`,
      'jobs: [',
      '\u0000',
      '- 1\n- 2\n',
      'on: 7\njobs: text\npermissions: 3\n',
    ];
    const { metric } = await metricsOfFiles({
      'a.py': 'x = 1\n',
      ...Object.fromEntries(hostile.map((text, index) => [`.github/workflows/${index}.yml`, text])),
    });
    expect(metric('ci_workflow_count').value).to.equal(6);
    expect(metric('ci_gate_score_pct')).to.deep.include({ value: 0, status: 'measured' });
    expect(metric('ci_token_least_privilege_pct').status).to.equal('measured');
  });

  it('measures the time between releases by the tags of versions, and of merges by what they bring in', async () => {
    using repository = gitRepository();
    commits(repository, 'Ann', ['2024-01-01T00:00:00Z'], () => ({ 'a.py': '1\n' }));
    for (const [index, date] of weekly('2024-04-01T00:00:00Z', 11).entries()) {
      repository.git('checkout', '-q', '-b', `topic-${index}`);
      commits(repository, 'Ben', [date], () => ({ [`b${index}.py`]: '1\n' }));
      repository.git('checkout', '-q', 'main');
      const merged = new Date(Date.parse(date) + 48 * 3_600_000).toISOString();
      repository.git('merge', '-q', '--no-ff', '--no-commit', `topic-${index}`);
      repository.commit('Merge', { date: merged });
      if (index % 3 === 0) repository.git('tag', `v1.${index}.0`);
      repository.git('tag', `not-a-version-${index}`);
    }
    const { metric } = await metricsOf(repository.path);
    expect(metric('change_lead_time_median_hours')).to.deep.include({ value: 48, denominator: 11 });
    expect(metric('release_interval_median_days').value).to.equal(21);
  });

  it('knows that a history without merges can’t tell the lead time', async () => {
    using repository = gitRepository();
    commits(repository, 'Ann', weekly('2024-04-01T00:00:00Z', 12), (i) => ({ 'a.py': `${i}\n` }));
    const { metric } = await metricsOf(repository.path);
    expect(metric('change_lead_time_median_hours')).to.deep.include({ value: null, reason: 'squash_history' });
    expect(metric('release_interval_median_days')).to.deep.include({ value: null, reason: 'history_too_short' });
  });
});
