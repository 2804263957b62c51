import { readFile, rename, rm } from 'node:fs/promises';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { loadOne } from '../../loaders/load.ts';
import { recordFailure, removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { metricCatalog } from '../../src/model/due-diligence.ts';
import { eventually } from '../support/eventually.ts';
import { repoIntel } from '../support/cli.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import { shareWithAll } from '../support/share-with-all.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';

type Json = Record<string, unknown>;

describeService('due diligence', (service: () => TestService) => {
  const name = 'dd-shop';
  let repository: GitRepository;
  let beforeAll: string;

  const load = async () => {
    const { snapshot } = await analyze(repository.path, { name });
    await shareWithAll(service().stores, [name]);
    await writeSnapshot(service().stores, snapshot);
  };
  const get = async (path: string) => {
    const answer = await service().get(path);
    expect(answer.status, `${path}: ${answer.text.slice(0, 300)}`).to.equal(200);
    return answer.json;
  };
  const list = (value: unknown) => value as Json[];

  before(async () => {
    beforeAll = new Date().toISOString();
    const branches = Array.from({ length: 20 }, (_, i) => `    if a == ${i}: return ${i}`).join('\n');
    repository = gitRepository({
      files: {
        'README.md': '# Shop\n\n## Install\n\npip install -e .\n',
        'shop.py': `def price(a):\n${branches}\n\nURL = "https://api.acme-pay.io"\n`,
        'tests/test_shop.py': 'def test_price():\n    assert True\n',
        '.github/workflows/ci.yml': 'on: push\njobs: { a: { steps: [{ run: pytest }] } }\n',
        'requirements.txt': 'flask>=2\n',
      },
    });
    await load();
  });
  after(async () => {
    repository.remove();
    await removeRepository(service().stores, name);
  });

  describe('200', () => {
    it('lists every package of others with its version, licence and the way to it, in pages and by what is asked', async () => {
      const [own, lock] = ['dd-packages', 'package-lock.json'];
      const manifest = { dependencies: { koa: '^2' }, devDependencies: { mocha: '^11' } };
      const packages = gitRepository({
        files: {
          'package.json': JSON.stringify({ name: own, license: 'MIT', ...manifest }),
          [lock]: JSON.stringify({
            lockfileVersion: 3,
            packages: {
              '': manifest,
              'node_modules/koa': { version: '2.15.3', license: 'MIT', dependencies: { cookies: '~0.9.0' } },
              'node_modules/cookies': { version: '0.9.1', license: 'AGPL-3.0-only' },
              'node_modules/mocha': { version: '11.7.4', dev: true },
            },
          }),
        },
      });
      await shareWithAll(service().stores, [own]);
      await writeSnapshot(service().stores, (await analyze(packages.path, { name: own })).snapshot);
      try {
        const path = `/api/dd/repos/${own}/packages`;
        const common = { ecosystem: 'npm', path: lock };
        const koa = { ...common, name: 'koa', version: '2.15.3', license: 'MIT', license_kind: 'permissive' };
        const cookies = { ...common, name: 'cookies', version: '0.9.1', license: 'AGPL-3.0-only' };
        const mocha = { ...common, name: 'mocha', version: '11.7.4', license: null, license_kind: 'unknown' };
        const all = await get(path);
        expect(all['items']).to.deep.equal([
          { ...cookies, license_kind: 'strong', via: ['koa 2.15.3', 'cookies 0.9.1'], shipped: true },
          { ...koa, via: ['koa 2.15.3'], shipped: true },
          { ...mocha, via: ['mocha 11.7.4'], shipped: false },
        ]);
        expect(all['total']).to.equal(3);
        const walked: unknown[] = [];
        for (let next: string | undefined = `${path}?page_size=1`; next !== undefined;) {
          const page: Json = await get(next);
          walked.push(...list(page['items']));
          const cursor = page['next_cursor'] as string | undefined;
          next = cursor && `${path}?page_size=1&cursor=${cursor}`;
        }
        expect(walked).to.deep.equal(all['items']);
        const named = async (query: string) =>
          list((await get(`${path}?${query}`))['items']).map((each) => each['name']);
        expect(await named('license_kind=strong,unknown&shipped=true')).to.deep.equal(['cookies']);
        expect(await named('name=OA')).to.deep.equal(['koa']);
        expect(await named('shipped=false')).to.deep.equal(['mocha']);
        expect(await named('ecosystem=PyPI')).to.deep.equal([]);
        expect((await service().get(`${path}?license_kind=evil`)).status).to.equal(422);
        expect((await service().get('/api/dd/repos/nowhere/packages')).status).to.equal(404);
      } finally {
        packages.remove();
        await removeRepository(service().stores, own);
      }
    });

    it('the whole package of a repository has every metric, each measured or with its reason', async () => {
      const deep = await get(`/api/dd/deep/${name}`);
      const matrix = list(deep['matrix']);
      expect(matrix.map(({ id }) => id)).to.deep.equal(metricCatalog.map(({ id }) => id));
      for (const { id, value, status, reason } of matrix) {
        expect(value === null, String(id)).to.equal(status !== 'measured');
        expect(reason === null, String(id)).to.equal(status === 'measured');
      }
      const metric = (id: string) => matrix.find((each) => each['id'] === id);
      expect(metric('loc_code')).to.include({ value: 24, unit: 'lines', status: 'measured' });
      expect(metric('complex_function_loc_pct')).to.deep.include({ numerator: 40, denominator: 40 });
      expect(metric('lockfile_coverage_pct')).to.include({ value: 0, denominator: 1 });
      expect(metric('truck_factor')).to.include({ value: null, reason: 'history_too_short' });
      expect(deep['as_of_commit']).to.equal(repository.git('rev-parse', 'HEAD').trim());
      const { months, people } = deep['activity'] as Record<string, Json[]>;
      expect(months).to.deep.equal([{ month: '2024-01', commits: 1, people: 1 }]);
      expect(people).to.have.length(1);
      expect(people?.[0]).to.deep.include({ name: 'Ann Author', commits: [1] });
      expect(list(deep['hotspots'])[0]).to.deep.equal({
        path: 'shop.py',
        code: 22,
        complexity: 21,
        changes_12m: 1,
        people_12m: 1,
      });
      expect(list(deep['factors'])).to.have.length(25);
      expect(list(deep['dimensions'])).to.have.length(7);
      const { measured, not_applicable: moot, not_measured: gaps } = deep['coverage'] as Record<string, number>;
      expect((measured ?? 0) + (moot ?? 0) + (gaps ?? 0)).to.equal(metricCatalog.length);
      const { hours, cost, currency } = deep['remediation'] as {
        hours: { likely: number };
        cost: { likely: number };
        currency: string;
      };
      expect(hours.likely).to.be.above(0);
      expect(cost.likely).to.equal(Math.round(hours.likely * 80));
      expect(currency).to.equal('EUR');
      expect(metric('remediation_hours_likely')).to.include({ value: hours.likely });
      // Two of the 24 lines are a test.
      expect(metric('technical_debt_ratio_pct')?.['value']).to.be.closeTo((100 * (10 + 6)) / (30 * 22), 0.001);
    });

    it('the report is the page that repo-intel report --calls --html writes of the same commit', async () => {
      const answer = await service().get(`/api/dd/deep/${name}/report.html`);
      expect(answer.status).to.equal(200);
      expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(answer.headers['content-security-policy']).to.contain("default-src 'none'").and.not.contain('script-src');
      const folder = temporaryFolder();
      const { code, stderr } = await repoIntel(
        ['report', repository.path, '--name', name, '--calls', '--html', `${folder}/report.html`],
        { REMEDIATION_CURRENCY: 'EUR', REMEDIATION_HOURLY_RATE: '80' },
      );
      expect(code, stderr).to.equal(0);
      expect(answer.text).to.equal(await readFile(`${folder}/report.html`, 'utf8'));
      await rm(folder, { recursive: true });
      expect((await service().get('/api/dd/deep/nobody/report.html')).status).to.equal(404);
    });

    it('the whole package is what repo-intel report --calls says of the same commit, but for the run and the list of packages', async () => {
      const { pipeline_run_id: _run, completed_at: _at, full_name: _name, ...deep } = await get(`/api/dd/deep/${name}`);
      const { code, stdout, stderr } = await repoIntel(
        ['report', repository.path, '--name', name, '--calls', '--json'],
        {
          REMEDIATION_CURRENCY: 'EUR',
          REMEDIATION_HOURLY_RATE: '80',
        },
      );
      expect(code, stderr).to.equal(0);
      // The list of packages is the report's alone: its length has no bound.
      const { packages, ...told } = JSON.parse(stdout) as Record<string, unknown>;
      expect(packages).to.be.an('array');
      expect(told).to.deep.equal(deep);
    });

    it('the summary of a repository names at most three risks and strengths, and what to do', async () => {
      const summary = await get(`/api/dd/executive/${name}`);
      expect(summary['score']).to.be.within(0, 100);
      const risks = list(summary['key_risks']);
      expect(risks.length).to.be.within(1, 3);
      // What was committed in 2024 is over today, whatever else there is; the others say their figures.
      expect(risks[0]?.['sentence']).to.match(/^No commit of a person for \d/);
      expect(risks[1]?.['sentence']).to.match(/: \d/);
      expect(summary['grade']).to.be.oneOf(['D', 'E']);
      expect(summary['capped_by']).to.equal('people.activity');
      expect(summary['as_of']).to.equal(new Date().toISOString().slice(0, 10));
      const hours = (summary['remediation'] as { by_horizon: Record<string, number> }).by_horizon;
      for (const [horizon, todo] of Object.entries(summary['recommendations'] as Record<string, Json[]>)) {
        const likely = todo.map((each) => (each['hours'] as { likely: number } | null)?.likely ?? 0);
        expect(
          likely.reduce((sum, one) => sum + one, 0),
          horizon,
        ).to.be.closeTo(hours[horizon] ?? 0, 0.05 * (todo.length + 1));
      }
      expect(list(summary['strengths']).length).to.be.at.most(3);
      const { post_deal: toDo } = summary['recommendations'] as Record<string, Json[]>;
      expect(toDo?.map((each) => each['factor_id'])).to.include('supply.lockfiles');
      expect(list(summary['trend'])).to.have.length(1);
    });

    it('the portfolio is never better than its best repository nor worse than its worst, in nothing', async () => {
      const { portfolio, repositories, pipeline_factors: factors } = await get('/api/dd/deep');
      const expectWithin = (score: unknown, parts: readonly unknown[], what: string) => {
        const known = parts.filter((one) => typeof one === 'number');
        if (score !== null) expect(score, what).to.be.within(Math.min(...known), Math.max(...known));
      };
      const { score: whole, dimensions } = portfolio as { score: unknown; dimensions: unknown };
      const all = list(repositories);
      expectWithin(
        whole,
        all.map(({ score }) => score),
        'all',
      );
      const parts = all.flatMap((each) => list(each['dimensions']));
      for (const { id, score } of list(dimensions))
        expectWithin(
          score,
          parts.filter((each) => each['id'] === id).map((each) => each['score']),
          String(id),
        );
      for (const { factor_id: id, score } of list(factors)) {
        const { repositories: own } = await get(`/api/dd/factors/${String(id)}`);
        expectWithin(
          score,
          list(own).map((each) => each['score']),
          String(id),
        );
      }
    });

    it('the portfolio sums up, and lists every repository', async () => {
      const { portfolio, repositories, pipeline_factors: factors } = await get('/api/dd/deep');
      expect(list(repositories).map(({ repo }) => repo)).to.include(name);
      expect(list((portfolio as Json)['matrix'])).to.have.length(metricCatalog.length);
      expect(list(factors)).to.have.length(25);
      const summary = await get('/api/dd/executive');
      expect(list(summary['verdict'])[0]).to.match(/^Together (?:not )?graded.* repositor(?:y|ies) by grade: /);
      const own = list(summary['repositories']).find(({ repo }) => repo === name);
      expect(own).to.deep.include({ loc_code: 24, trend: [], points: [] });
      // As the whole package has them, which is many times as long.
      const deep = await get(`/api/dd/deep/${name}`);
      expect(own?.['metrics']).to.deep.equal(
        Object.fromEntries(list(deep['matrix']).map(({ id, value }) => [id, value])),
      );
      expect(own?.['dimensions']).to.deep.equal(
        list(deep['dimensions']).map(({ id, score, grade }) => ({ id, score, grade })),
      );
      expect((summary['kpis'] as Json)['worst']).to.be.an('object');
    });

    it('the catalog of factors, one of them over the portfolio, and all of one repository', async () => {
      const { factors, metrics, reasons } = await get('/api/dd/factors');
      expect(list(factors)).to.have.length(25);
      expect(list(metrics).map(({ id }) => id)).to.deep.equal(metricCatalog.map(({ id }) => id));
      expect(list(metrics)[7]).to.include({ name: 'Test code ratio', group: 'Test coverage', unit: '%' });
      expect(list(reasons)).to.deep.include({
        reason: 'shallow_clone',
        meaning: 'the clone has only a part of its history',
      });
      const one = await get('/api/dd/factors/maint.complexity');
      const own = list(one['repositories']).find(({ repo }) => repo === name);
      expect(own).to.include({ score: 0, grade: 'E', status: 'measured', percentile: null });
      const all = await get(`/api/dd/repos/${name}/factors`);
      expect(list(all['factors']).map(({ factor_id: id }) => id)).to.deep.equal(
        list(factors).map(({ factor_id: id }) => id),
      );
    });

    it('the health says which sources there are', async () => {
      const health = await get('/api/dd/health');
      expect(health['status']).to.equal('ok');
      expect(list(health['sources']).find(({ id }) => id === 'git')).to.include({ available: true });
      expect(list(health['sources']).find(({ id }) => id === 'vulnerability_db')).to.include({ available: false });
      expect(Math.abs(Date.now() - Date.parse(String(health['timestamp'])))).to.be.below(60_000);
    });

    it('a report of the factors has a row for each of every repository, as the API has them', async () => {
      const body = JSON.stringify({ type: 'factor_portfolio', format: 'json', parameters: {} });
      const { api_key: key } = await service().createKey('dd-reports', 'member');
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const { json } = await service().send('/v1/reports', { method: 'POST', headers, body });
      const content = await eventually(async () => {
        const answer = await service().send(`/v1/reports/${String(json['id'])}/content`, { headers });
        expect(answer.status).to.equal(200);
        return answer.json;
      });
      const { rows } = (content['sections'] as Record<string, { rows: Json[] }>)['per_repository'] ?? { rows: [] };
      const own = rows.filter(({ repository: each }) => each === name);
      expect(own).to.have.length(25);
      const shown = await get(`/api/dd/repos/${name}/factors`);
      expect(own.map(({ factor, score }) => [factor, score])).to.deep.equal(
        list(shown['factors']).map(({ factor_id: id, score }) => [id, score]),
      );
      const { page_size: _, ...answered } = (content['answers'] as Record<string, Json>)['get_portfolio_package'] ?? {};
      const { page_size: __, ...api } = await get('/api/dd/deep');
      expect(answered).to.deep.equal(api);
    });

    it('a run more is one more in the trend; one that failed is never the latest; the past can be asked for', async () => {
      const first = await get(`/api/dd/executive/${name}`);
      const then = new Date().toISOString();
      repository.commit('Shorter', { files: { 'shop.py': 'x = 1\n' } });
      await load();
      const { runs } = service().stores.relational;
      const info = { name, commit: 'f'.repeat(40), committed_at: null, analyzer_version: 'x' };
      await runs.fail(await runs.begin(info), 'The disk is full.');
      const second = await get(`/api/dd/executive/${name}`);
      expect(second['as_of_commit']).to.equal(repository.git('rev-parse', 'HEAD').trim());
      expect(list(second['trend']).map((each) => each['pipeline_run_id'])).to.deep.equal([
        second['pipeline_run_id'],
        first['pipeline_run_id'],
      ]);
      const past = await get(`/api/dd/executive/${name}?as_of=${then}`);
      expect(past['pipeline_run_id']).to.equal(first['pipeline_run_id']);
      expect(past['trend']).to.deep.equal(list(second['trend']).slice(1));
      const trendOf = async (query: string) => {
        const { repositories } = await get(`/api/dd/executive?${query}`);
        return list(repositories).find(({ repo }) => repo === name)?.['trend'];
      };
      expect(await trendOf('trend=12')).to.deep.equal(second['trend']);
      expect(await trendOf('trend=1')).to.deep.equal(list(second['trend']).slice(0, 1));
      expect(await trendOf(`trend=12&as_of=${then}`)).to.deep.equal(past['trend']);
    });
  });

  it('a load that fails before there is anything to write is a failed run, and the last good one stays the latest', async () => {
    const before = await get(`/api/dd/executive/${name}`);
    const { relational } = service().stores;
    const broken = `${repository.path}/.git/objects`;
    await rename(broken, `${broken}.away`);
    try {
      const outcome = await loadOne(repository.path, {
        held: async () => (await relational.snapshots.list()).map(({ repository: name, info }) => ({ name, info })),
        claim: (name) => Promise.resolve(name),
        write: (snapshot) => writeSnapshot(service().stores, snapshot),
        fail: (run, error) => recordFailure(service().stores, run, error),
        repair: () => Promise.resolve(),
        cacheFile: ':memory:',
        clonesFolder: repository.path,
        onProgress: () => {},
      });
      expect(outcome.status).to.equal('failed');
    } finally {
      await rename(`${broken}.away`, broken);
    }
    const [last] = await relational.runs.list(name);
    expect(last).to.include({ status: 'failed', commit: null });
    expect(last?.error).to.include(repository.path);
    expect((await get(`/api/dd/executive/${name}`))['pipeline_run_id']).to.equal(before['pipeline_run_id']);
  });

  describe('404', () => {
    it('of a repository without data, then or ever, and of a factor that is not', async () => {
      for (const path of [
        '/api/dd/executive/nobody',
        '/api/dd/deep/nobody',
        '/api/dd/repos/nobody/factors',
        `/api/dd/executive/${name}?as_of=${beforeAll}`,
      ]) {
        const answer = await service().get(path);
        expect(answer.status, path).to.equal(404);
        expect(answer.json['code']).to.equal('repository_not_found');
      }
      const factor = await service().get('/api/dd/factors/nothing');
      expect(factor.json).to.include({ status: 404, code: 'factor_not_found' });
    });
  });
});
