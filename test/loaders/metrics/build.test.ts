import { expect } from 'chai';
import { scoresOf } from '../../../src/due-diligence/assess.ts';
import { gitRepository } from '../../support/git-repository.ts';
import { commits, metricsOf, metricsOfFiles } from './metrics-of.ts';
import { dedent } from '../../support/dedent.ts';

describe('metrics: build and pinning', () => {
  const sha = 'a'.repeat(40);
  const digest = `sha256:${'b'.repeat(64)}`;

  it('of a repository with several build systems', async () => {
    const { metric } = await metricsOfFiles({
      'README.md': '# Shop\n\n## Installation\n\nnpm ci\n\nTesting is for the brave.\n',
      LICENSE: 'MIT',
      '.github/CODEOWNERS': '* @ann\n',
      'package.json':
        '{"name":"shop","private":true,"engines":{"node":">=20"},"dependencies":{"koa":"^3"},"devDependencies":{"mocha":"^11"}}',
      'package-lock.json': '{"packages":{"node_modules/koa":{"version":"3.0.0"}}}',
      // It names nothing that is asked for.
      'jobs/uv.lock': 'version = 1\n',
      'api/go.mod':
        'module example.com/api\n\ngo 1.22\n\ntoolchain go1.22.3\n\nrequire github.com/go-chi/chi/v5 v5.0.0\n',
      'jobs/requirements.txt': 'flask>=2\n',
      'tests/fixtures/pom.xml': '<project/>',
      '.github/dependabot.yml': 'version: 2\n',
      Dockerfile: `FROM node:24 AS build\nRUN npm ci && \\\n    curl -sSf https://example.com/install.sh | sh\nFROM build\nFROM alpine@${digest}\n`,
      'setup.sh': dedent`
        #!/bin/sh
        pip install flask
        pip install -e .
        pip install --require-hashes -r requirements.txt

      `,
      '.github/workflows/ci.yml': `on: push
jobs:
  a:
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@${sha}
      - uses: ./local
      - uses: docker/build-push-action@v6
      - run: npm install left-pad
`,
    });
    expect(metric('build_system_count').evidence.map(({ note }) => note)).to.deep.equal(['npm', 'go', 'python']);
    // Node's range is no version; Go names its toolchain.
    expect(metric('toolchain_pinned_pct')).to.deep.include({ numerator: 1, denominator: 2 });
    expect(metric('build_doc_completeness_pct')).to.deep.include({ numerator: 3, denominator: 6 });
    expect(metric('direct_dependency_count').value).to.equal(4);
    // The lockfile covers npm's; the requirements name no versions; the Go module is published, so others choose.
    expect(metric('lockfile_coverage_pct')).to.deep.include({ numerator: 1, denominator: 2 });
    expect(metric('dependency_update_automation').value).to.equal(1);
    const { value, quantities, evidence } = metric('build_ref_hash_pinned_pct');
    expect(quantities).to.deep.equal({
      refs: 8,
      // A stage is as fixed as what it begins from, and what an editable package needs is not fixed (Scorecard).
      'total container': 3,
      'pinned container': 1,
      'total npm': 2,
      'pinned npm': 1,
      'total download_then_run': 1,
      'pinned download_then_run': 0,
      'total github_owned': 2,
      'pinned github_owned': 1,
      'total third_party_action': 1,
      'pinned third_party_action': 0,
      'total pip': 3,
      'pinned pip': 1,
    });
    expect(value).to.equal(Math.round((1_000_000 * (10 + 10 + 2 + 10)) / (30 + 20 + 10 + 4 + 8 + 30)) / 10_000);
    expect(evidence.map(({ path, line }) => [path, line])).to.deep.include.members([
      ['Dockerfile', 1],
      ['Dockerfile', 2],
      ['setup.sh', 2],
      ['.github/workflows/ci.yml', 9],
    ]);
  });

  it('of one that has none of it', async () => {
    const { metric } = await metricsOfFiles({ 'a.c': 'int x;\n' });
    expect(metric('build_system_count').value).to.equal(0);
    expect(metric('toolchain_pinned_pct')).to.deep.include({ value: null, reason: 'no_manifest' });
    expect(metric('build_doc_completeness_pct').value).to.equal(0);
    expect(metric('direct_dependency_count')).to.deep.include({ value: null, reason: 'no_manifest' });
    expect(metric('build_ref_hash_pinned_pct')).to.deep.include({ value: null, reason: 'no_container_or_workflow' });
    expect(metric('dependency_staleness_days')).to.deep.include({ value: null, reason: 'no_manifest' });
  });

  it('where nothing of others is asked for, nothing has to be kept fresh: that is no 0', async () => {
    const files = { 'go.mod': 'module example.org/mux\n\ngo 1.20\n', 'mux.go': 'package mux\n' };
    const { metric, measurements } = await metricsOfFiles(files);
    expect(metric('direct_dependency_count').value).to.equal(0);
    const moot = { value: null, status: 'not_applicable', reason: 'nothing_to_measure' };
    for (const id of ['dependency_update_automation', 'dependency_staleness_days'] as const)
      expect(metric(id), id).to.deep.include(moot);
    const flow = ({ metrics, liveness }: typeof measurements) =>
      scoresOf({ metrics, liveness }, null).factors.find(({ definition }) => definition.id === 'supply.update_flow');
    expect(flow(measurements)).to.deep.include({ score: null, status: 'not_applicable', cost: null });
    const watched = await metricsOfFiles({ ...files, '.github/dependabot.yml': 'version: 2\n' });
    expect(watched.metric('dependency_update_automation').value).to.equal(1);
    expect(flow(watched.measurements)).to.deep.include({ score: null, status: 'not_applicable' });
  });

  it('a library needs no lockfile; staleness is counted to the commit that is measured; bots that update count', async () => {
    using repository = gitRepository();
    const manifest = (range: string) => ({
      'package.json': `{"name":"lib","version":"1.0.0","dependencies":{"koa":"${range}"}}`,
    });
    commits(repository, 'Ann', ['2024-01-01T00:00:00Z'], () => ({ ...manifest('1'), 'a.js': '1\n' }));
    commits(repository, 'renovate[bot]', ['2024-02-01T00:00:00Z'], () => manifest('2'));
    commits(repository, 'Ann', ['2024-03-02T00:00:00Z'], () => ({ 'a.js': '2\n' }));
    const { metric } = await metricsOf(repository.path);
    expect(metric('lockfile_coverage_pct')).to.deep.include({
      value: null,
      status: 'not_applicable',
      reason: 'library_repo',
    });
    expect(metric('dependency_staleness_days').value).to.equal(30);
    expect(metric('dependency_update_automation').value).to.equal(1);
  });

  it('takes hostile manifests and recipes without a fall', async () => {
    const { metric } = await metricsOfFiles({
      'package.json': '{"engines":7,"packageManager":[],"dependencies":[1]}',
      'x/package.json': '{',
      'pom.xml': '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><project>&b;</project>',
      'go.mod': `module ${'x'.repeat(100_000)}`,
      Dockerfile: `FROM \nRUN ${'curl '.repeat(20_000)}\nFROM $X\n`,
      'a.sh': `${'a|'.repeat(30_000)}\n\u0000`,
    });
    expect(metric('build_system_count').value).to.equal(3);
    expect(metric('toolchain_pinned_pct').denominator).to.equal(4);
    expect(metric('build_ref_hash_pinned_pct')).to.deep.include({ value: 0, denominator: 10 });
  });
});
