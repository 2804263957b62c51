import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import type { RepositoryPackage } from '../../src/due-diligence/deep.ts';
import type { PortfolioSummary, RepositorySummary } from '../../src/due-diligence/executive.ts';
import type { FactorCatalog } from '../../src/due-diligence/factor-routes.ts';
import { metricCatalog } from '../../src/model/due-diligence.ts';
import type { Stores } from '../../src/stores/open.ts';
import { eventually } from '../support/eventually.ts';
import { describeExplorer, expectAccessible, keepScreenshot, layoutShift, looks } from '../support/explorer.ts';
import type { Explorer } from '../support/explorer.ts';
import { gitRepository } from '../support/git-repository.ts';
import { shareWithAll } from '../support/share-with-all.ts';

const api = async <T>({ service, key }: Explorer, path: string): Promise<T> => {
  const { status, json } = await service.send(path, { headers: { authorization: `Bearer ${key}` } });
  expect(status, path).equals(200);
  return json as T;
};

/** A repository of the organization that looks, which alone may show its grade. */
async function loadOwn({ stores }: Explorer['service'], name: string): Promise<void> {
  const { id } = await stores.relational.accounts.ensureOrganization({ slug: 'explorer', name: 'explorer' });
  using files = gitRepository({ files: { 'a.py': 'def a():\n    return 1\n' } });
  const { snapshot } = await analyze(files.path, { name: await stores.relational.repositories.claim(id, name) });
  await writeSnapshot(stores, snapshot);
}

/** One run more, after which a good part of the code is in complex functions; `withPoints`: with a trend in which that came with a file. */
async function measureAgain(
  { relational: { runs, snapshots } }: Stores,
  repository: string,
  { withPoints }: { withPoints: boolean },
): Promise<void> {
  const [stored, [latest]] = [await snapshots.get(repository), await runs.latest({ repository })];
  const measurements = latest && (await runs.measurements(latest.id));
  if (!stored || !measurements) throw new Error(`${repository} is not there.`);
  const metrics = measurements.metrics.map((metric) =>
    metric.id === 'complex_function_loc_pct' ? { ...metric, value: 45 } : metric,
  );
  const run = await runs.begin(stored.info);
  const bytes = await Array.fromAsync(snapshots.read(repository));
  const past = [measurements.metrics, metrics].flatMap((metrics, index) =>
    Array.from({ length: 12 }, (_, quarter) => {
      const at = new Date(Date.UTC(2020, 36 * index + 3 * quarter, 4)).toISOString();
      return {
        commit: `${index}${quarter.toString(16)}`.padEnd(40, '0'),
        committed_at: at,
        day: at.slice(0, 10),
        metrics: metrics.map((metric) => ({ ...metric, evidence: [] })),
        moves:
          index === 1 && quarter === 0
            ? [
                {
                  metric: 'complex_function_loc_pct',
                  came: [{ path: 'lib/<i>tangled</i>.js', note: 'tangle: complexity 45' }],
                  went: [],
                },
              ]
            : [],
      };
    }),
  );
  await snapshots.save(stored.info, stored.generation, bytes, {
    run,
    measurements: { ...measurements, metrics, ...(withPoints && { past }) },
  });
}

const names = (page: Page) => page.locator('tbody th').allTextContents();

describeExplorer('explorer: due diligence', 15, (explorer) => {
  before(async () => {
    await measureAgain(explorer().service.stores, 'koa', { withPoints: true });
    await measureAgain(explorer().service.stores, 'type-is', { withPoints: false });
  });

  it('says of each dimension how it moved within a year, and what holds it down by its title', async () => {
    const whole = await api<RepositoryPackage>(explorer(), '/api/dd/deep/koa');
    const { factors } = await api<FactorCatalog>(explorer(), '/api/dd/factors');
    const [factor] = factors;
    const [dimension] = whole.dimensions;
    const newest = whole.trend.at(-1);
    if (!factor || !dimension || !newest) throw new Error('They are there.');
    const yearBefore = new Date(newest.as_of);
    yearBefore.setUTCDate(yearBefore.getUTCDate() - 365);
    const before = whole.trend.findLast((point) => Date.parse(point.as_of) <= yearBefore.getTime());
    const page = await explorer().open('#/search');
    // As it is answered where a factor holds one down.
    await page.route('**/api/dd/deep/koa', (route) =>
      route.fulfill({
        json: {
          ...whole,
          dimensions: whole.dimensions.map((each, index) => ({
            ...each,
            score: (each.score ?? 0) + index,
            ...(index === 0 && { capped_by: factor.factor_id }),
          })),
        },
      }),
    );
    await page.goto(page.url().replace(/#.*/, '#/repository?repo=koa'));
    const rows = page.locator('#dimensions li');
    await rows.first().waitFor();
    expect(await rows.first().innerText()).contains(`held down by ${factor.title.toLowerCase()}`);
    for (const [index, { id, score }] of whole.dimensions.entries()) {
      const then = before?.dimensions.find((each) => each.id === id)?.score ?? null;
      if (score === null || then === null) continue;
      const moved = Math.round(10 * (score + index - then)) / 10;
      expect(await rows.nth(index).locator('.moved').innerText()).equals(
        moved === 0 ? '=' : `${moved > 0 ? '▲' : '▼'} ${Math.abs(moved)}`,
      );
    }
  });

  it('says at first sight what it comes to, how large it is and how it stands among others', async () => {
    const summary = await api<RepositorySummary>(explorer(), '/api/dd/executive/koa');
    const { matrix, dimensions } = await api<RepositoryPackage>(explorer(), '/api/dd/deep/koa');
    const page = await explorer().open('#/repository?repo=koa', { width: 1440 });
    await page.locator('.verdict').waitFor();
    expect(await page.locator('.verdict').innerText()).equals(summary.verdict.join(' '));
    const people = matrix.find(({ id }) => id === 'active_contributors_12m')?.value;
    expect(await page.locator('.figures div', { hasText: 'Contributors' }).innerText()).contains(`${people}`);
    // All of it without scrolling.
    const figures = (await page.locator('.figures').boundingBox()) ?? expect.fail('no figures');
    expect(figures.y + figures.height).most(800);
    const rows = page.locator('#dimensions li');
    for (const [index, { rank }] of dimensions.entries())
      expect(/better than (\d+)%/.exec(await rows.nth(index).innerText())?.[1] ?? null).equals(
        rank && String(Math.min(Math.round(rank.percentile), 99)),
      );
    const whole = await api<PortfolioSummary>(explorer(), '/api/dd/executive');
    await page.goto(page.url().replace(/#.*/, '#/portfolio'));
    await page.getByText(whole.verdict.join(' ')).waitFor();
  });

  describe('the portfolio', () => {
    it('has the grade beside the name on a phone', async () => {
      const page = await explorer().open('#/portfolio', { width: 390 });
      const grades = page.getByRole('table').locator('tbody tr td:nth-child(3) .grade');
      await grades.first().waitFor();
      for (const grade of await grades.all()) {
        const box = (await grade.boundingBox()) ?? expect.fail('no grade');
        expect(box.x + box.width).most(390);
      }
    });

    it('has every repository with what the API says of it, and how it went on', async () => {
      const { repositories } = await api<PortfolioSummary>(explorer(), '/api/dd/executive?trend=8');
      const page = await explorer().open('#/portfolio');
      const rowOf = (name: string) =>
        page
          .getByRole('row', { name: `${name} `, exact: false })
          .filter({ has: page.getByText(name, { exact: true }) });
      await rowOf('koa').waitFor();
      expect(await names(page)).deep.equals(
        repositories
          .toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1) || (a.repo < b.repo ? -1 : 1))
          .map(({ repo }) => repo),
      );
      const told = (name: string) => repositories.find(({ repo }) => repo === name);
      const [last, first] = told('type-is')?.trend ?? [];
      if (first?.score == null || last?.score == null) throw new Error('It was measured twice.');
      expect(last.score).below(first.score);
      const twice = rowOf('type-is');
      expect(await twice.innerText())
        .contains(String(last.score))
        .and.contains(`▼ ${Math.round(10 * (first.score - last.score)) / 10}`);
      await twice.getByRole('img', { name: `Score over 2 runs: ${first.score}, ${last.score}` }).waitFor();
      // The points of a history say more than how often it was loaded.
      const points = (told('koa')?.points ?? []).map(({ score }) => score);
      expect(points).lengthOf(8);
      await rowOf('koa')
        .getByRole('img', { name: `Score over 8 points: ${points.join(', ')}` })
        .waitFor();
    });

    it('has a heat map whose cells are what the repositories are told of, in numbers and not by colour alone', async () => {
      const { heat_map: map } = await api<PortfolioSummary>(explorer(), '/api/dd/executive');
      const page = await explorer().open('#/portfolio');
      const insights = page.locator('.insights');
      await insights.getByText('Heat map').click();
      const row = insights.getByRole('row', { name: /^koa / });
      const cells = map.rows.find(({ repo }) => repo === 'koa')?.cells.slice(0, 7) ?? [];
      const shown = await row.locator('td').allInnerTexts();
      expect(shown).lengthOf(7);
      for (const [index, { percentile }] of cells.entries())
        if (percentile !== null) expect(shown[index]).equals(String(Math.round(percentile)));
      await insights.getByRole('checkbox', { name: 'With all factors' }).check();
      expect(await row.locator('td').count()).equals(map.columns.length);
    });

    it('is sorted and narrowed by keyboard, and the address says how', async () => {
      const page = await explorer().open('#/portfolio?q=koa&sort=loc_code&order=asc');
      await page.getByRole('link', { name: 'koa', exact: true }).waitFor();
      const shown = await names(page);
      const { repositories } = await api<PortfolioSummary>(explorer(), '/api/dd/executive');
      const koas = repositories.filter(({ repo }) => repo.includes('koa'));
      const known = koas
        .filter(({ loc_code: lines }) => lines !== null)
        .toSorted((a, b) => (a.loc_code ?? 0) - (b.loc_code ?? 0))
        .map(({ repo }) => repo);
      // What is not known comes last, whichever way.
      const unknown = koas.filter(({ loc_code: lines }) => lines === null).map(({ repo }) => repo);
      expect(shown).deep.equals([...known, ...unknown]);
      await page.getByRole('button', { name: 'Lines' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/order=desc/);
      expect(await names(page)).deep.equals([...known.toReversed(), ...unknown]);
      await page.getByRole('searchbox').fill('nothing is called so');
      await page.getByText('No repository is like that').waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByText('15 repositories', { exact: true }).waitFor();
    });
  });

  describe('a repository', () => {
    it('has the report of two pages to take along, as the service writes it', async () => {
      const page = await explorer().open('#/repository?repo=koa');
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download the report' }).click(),
      ]);
      expect(file.suggestedFilename()).equals('due-diligence-koa.html');
      const { text } = await explorer().service.get('/api/dd/deep/koa/report.html');
      expect(await readFile(await file.path(), 'utf8')).equals(text);
      expect(text.match(/class="page"/g)).lengthOf(2);
      const { dimensions } = await api<RepositoryPackage>(explorer(), '/api/dd/deep/koa');
      for (const { rank } of dimensions)
        if (rank !== null) expect(text).contains(`<small>better than ${Math.round(rank.percentile)} %</small>`);
    });

    it('makes a badge, whose picture opens without a key and whose Markdown is told once, and revokes it', async () => {
      const { service, open } = explorer();
      const own = 'own-koa';
      await loadOwn(service, own);
      try {
        const page = await open(`#/repository?repo=${own}&part=badge`);
        await page.getByText(`No badge of ${own} is public.`).waitFor();
        await page.getByRole('button', { name: 'Create a badge' }).click();
        const markdown = await page.getByLabel('Markdown, shown this once').inputValue();
        const [, picture = '', link = ''] = /^\[!\[Grade of own-koa\]\((.*)\)\]\((.*)\)$/.exec(markdown) ?? [];
        expect(link).equals(`${page.url().replace(/#.*/, '')}#/repository?repo=${own}`);
        const shown = () => service.get(new URL(picture).pathname);
        expect((await shown()).headers['content-type']).contains('image/svg+xml');
        // Evaluated anew each time: what is waited for in the page itself is code out of a text, which the policy forbids.
        await eventually(async () =>
          expect(await page.evaluate("document.querySelector('.new-badge img').naturalWidth")).above(0),
        );
        await expectAccessible(page);
        await page.reload();
        await page.getByRole('button', { name: /^Revoke badge_/ }).click();
        await page.getByText(`No badge of ${own} is public.`).waitFor();
        expect((await shown()).status).equals(404);
        expect(await page.getByLabel('Markdown, shown this once').count()).equals(0);
      } finally {
        await removeRepository(service.stores, 'explorer~own-koa');
      }
    });

    it('has all metrics: a value with its evidence, or the reason why there is none', async () => {
      const [{ matrix, hotspots, activity, remediation }, { metrics, reasons }] = [
        await api<RepositoryPackage>(explorer(), '/api/dd/deep/koa'),
        await api<FactorCatalog>(explorer(), '/api/dd/factors'),
      ];
      const page = await explorer().open('#/repository?repo=koa&part=metrics');
      const lines = page.locator('.metric');
      await lines.first().waitFor();
      const texts = await lines.allInnerTexts();
      expect(texts).lengthOf(metricCatalog.length);
      for (const { id, value, reason } of matrix) {
        const name = metrics.find((metric) => metric.id === id)?.name ?? '';
        const own = texts.find((text) => text.startsWith(`${name}\n`)) ?? '';
        expect(own, id).contains(value === null ? reasons.find((each) => each.reason === reason)?.meaning : '\n');
        expect(/Not known|Not applicable/.test(own), id).equals(value === null);
      }
      const placed = matrix.find(({ evidence }) => evidence[0]?.line);
      const { path, line } = placed?.evidence[0] ?? {};
      await lines
        .filter({ hasText: placed?.method_version ?? '' })
        .locator('summary')
        .click();
      await page.getByText(`${path}:${line}`, { exact: true }).first().waitFor();
      // What is drawn: every file, every month of every person, and every horizon.
      expect(await page.locator('.treemap .tile').count()).equals(hotspots?.length);
      expect(await page.locator('#people .small-multiples li').count()).equals(activity?.people.length);
      expect(await page.locator('#people .bars').first().locator('.column').count()).equals(activity?.months.length);
      const likely = Object.values(remediation.by_horizon).reduce((sum, hours) => sum + hours, 0);
      expect(likely).closeTo(remediation.hours.likely, 0.2);
      expect(await page.locator('#costs .bar-rows').first().locator('li').count()).equals(3);
    });

    it('has a trend whose points lead to their figures, by pointer, keyboard and address, with what moved it', async () => {
      const { trend } = await api<RepositoryPackage>(explorer(), '/api/dd/deep/koa');
      const [index, moved] = [12, trend[12]];
      const [change] = moved?.changes ?? [];
      if (!moved || !change) throw new Error('The thirteenth point moved.');
      const page = await explorer().open('#/repository?repo=koa&part=trend');
      const section = page.locator('#trend');
      const dots = section.locator('.tall .dots i');
      await dots.first().waitFor();
      expect(await dots.count()).equals(trend.length);
      expect(await section.locator('.trend-dimensions li').count()).equals(7);
      await section.getByText('no factor has moved much').waitFor();
      await dots.nth(index).click();
      await page.waitForURL(new RegExp(moved.commit));
      const told = await section.getByRole('status').innerText();
      expect(told)
        .contains(`${change.title} fell from ${change.before} to ${change.after}.`)
        .and.contains('lib/<i>tangled</i>.js: tangle: complexity 45');
      // By keyboard, one before it; the address alone leads there, too.
      await section.getByRole('button', { name: 'Previous' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(trend[index - 1]?.commit ?? '-'));
      await page.reload();
      const before = section.getByRole('combobox', { name: 'Measured on' });
      expect(await before.inputValue()).equals(trend[index - 1]?.commit);
      await section.getByText('All metrics on').click();
      const row = section.getByRole('row', { name: /^Code in complex functions/ });
      const value = trend[index - 1]?.values['complex_function_loc_pct'] ?? 0;
      expect(await row.innerText()).contains(String(Math.round(10 * value) / 10));
      await section.getByText('The trend, as a table').click();
      expect(await section.locator('.as-table tbody tr').count()).equals(trend.length);
      await section.locator('.as-table a').first().click();
      await page.waitForURL(new RegExp(trend.at(-1)?.commit ?? '-'));
    });

    it('without a trend says how to have one', async () => {
      const page = await explorer().open('#/repository?repo=statuses&part=trend');
      await page.locator('#trend').getByText('repo-intel load PATH --trend').waitFor();
    });

    it('is printed as a report: without what is pressed, and with all evidence', async () => {
      const page = await explorer().open('#/repository?repo=koa');
      const evidence = page.locator('.metric td').first();
      await evidence.waitFor({ state: 'attached' });
      expect(await evidence.isVisible()).equals(false);
      await page.emulateMedia({ media: 'print' });
      await evidence.waitFor();
      expect(await page.getByRole('navigation').count()).equals(0);
      expect(await page.getByRole('button', { name: 'Print' }).count()).equals(0);
    });

    it('that is not there is said so', async () => {
      const page = await explorer().open('#/repository?repo=nobody');
      await page.getByText('There is nothing to show').waitFor();
      await page.getByText('nobody').waitFor();
    });
  });

  it('two are compared side by side, from the list on; which is better is said in words', async () => {
    const page = await explorer().open('#/portfolio');
    for (const name of ['koa', 'statuses'])
      await page.getByRole('checkbox', { name: `Compare ${name}`, exact: true }).check();
    await page.getByRole('link', { name: 'Compare koa with statuses' }).click();
    const row = page.getByRole('row', { name: /^Maintainability/ });
    await row.getByText('better: statuses').waitFor();
    await page
      .getByRole('row', { name: /^Code in complex functions/ })
      .getByText('better: statuses')
      .waitFor();
    const before = await page.locator('tbody tr').count();
    await page.getByRole('checkbox', { name: 'Only differences' }).check();
    await page.waitForURL(/only=different/);
    expect(await page.locator('tbody tr').count()).below(before);
    expect(await page.getByText('the same', { exact: true }).count()).equals(0);
  });

  for (const look of looks) {
    it(`is for everybody, and nothing in it jumps: ${look.theme}${look.width ? ', on a phone' : ''}`, async () => {
      const views = {
        portfolio: { place: '#/portfolio', shown: '.portfolio tbody tr' },
        repository: { place: '#/repository?repo=koa', shown: '.metric' },
        compare: { place: '#/compare?a=koa&b=koa-compress', shown: '.better' },
      };
      const page = await explorer().open('#/portfolio', look);
      for (const [name, { place, shown }] of Object.entries(views)) {
        await page.goto(page.url().replace(/#.*/, place));
        await page.locator(shown).first().waitFor();
        // What is folded is for everybody, too.
        for (const summary of await page.locator(':is(#trend, .insights) summary').all()) await summary.click();
        await expectAccessible(page);
        expect(await layoutShift(page), name).below(0.05);
        await keepScreenshot(page, `${name}-${look.theme}${look.width ? '-phone' : ''}`);
      }
    });
  }
});

async function asksOnce({ open }: Explorer, count: number): Promise<void> {
  const page = await open('#/search');
  // What the search asks by itself is asked before one goes on.
  await page
    .getByRole('status')
    .filter({ hasText: /\d results?$/ })
    .waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('link', { name: 'Due diligence' }).click();
  await page.getByText(count === 1 ? '1 repository' : `${count} repositories`, { exact: true }).waitFor();
  expect(asked.filter((path) => path.startsWith('/api/'))).deep.equals(['/api/dd/executive']);
  await page.getByRole('button', { name: 'Repository', exact: true }).click();
  await page.waitForURL(/sort=repo/);
  // What is out of sight is not drawn yet, and comes as one gets there.
  expect(await page.locator('tbody tr').count()).most(180);
  await eventually(async () => {
    await page.keyboard.press('End');
    expect(await page.locator('tbody tr').count()).equals(count);
  });
  const shown = await names(page);
  expect(shown).deep.equals(shown.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
  await keepScreenshot(page, `portfolio-of-${count}`);
}

describeExplorer('explorer: due diligence', 1, (explorer) => {
  it('asks once, and has the repository in a row', () => asksOnce(explorer(), 1));

  it('hands over 10,000 rows as CSV, all of them and as they are sorted, and none that a spreadsheet would run', async () => {
    const { open, service } = explorer();
    const page = await open('');
    const hostile = ['=HYPERLINK("https://evil.example")', '+1', '@SUM(A1)', 'a,"b"\nc', '-1'];
    await page.route('**/api/dd/executive*', async (route) => {
      const answer = (await (await route.fetch()).json()) as PortfolioSummary;
      const [one] = answer.repositories;
      if (one === undefined) throw new Error('There is one.');
      const repositories = Array.from({ length: 10_000 }, (_, index) => ({
        ...one,
        repo: hostile[index] ?? `repository-${index}`,
        score: index % 3 === 0 ? null : index / 1_000,
      }));
      await route.fulfill({ json: { ...answer, repositories } });
    });
    await page.goto(`http://127.0.0.1:${service.port}/explorer#/portfolio?sort=repo&order=asc`);
    const table = page.getByRole('region', { name: 'Repositories with their grades' });
    // Until then it is the one that was there before.
    await table.locator('tbody tr').nth(1).waitFor();
    expect(await table.locator('tbody tr').count()).below(1_000);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of: Repositories with their grades' }).click(),
    ]);
    expect(download.suggestedFilename()).equals('repositories-with-their-grades.csv');
    const rows: string[][] = parse(await readFile(await download.path()), {});
    const [heads = [], ...lines] = rows;
    expect(heads.slice(0, 3)).deep.equals(['Repository', 'Score', 'Trend']);
    const names = [...hostile, ...Array.from({ length: 9_995 }, (_, index) => `repository-${index + 5}`)];
    const written = new Map(lines.map(([name = '', score]) => [name, score]));
    expect(lines.length).equals(10_000);
    expect(lines.map(([name]) => name?.replace(/^'/, ''))).deep.equals(names.toSorted());
    for (const [index, name] of names.entries()) {
      const safe = /^[=+@-]/.test(name) ? `'${name}` : name;
      expect([name, written.get(safe)]).deep.equals([name, index % 3 === 0 ? '' : String(index / 1_000)]);
    }
  });

  describe('with 499 more that were measured', () => {
    const added: string[] = [];
    before(async () => {
      const { runs, snapshots } = explorer().service.stores.relational;
      const [latest] = await runs.latest();
      const stored = latest && (await snapshots.get(latest.repository));
      const measurements = latest && (await runs.measurements(latest.id));
      if (!stored || !measurements) throw new Error('There is one.');
      const metrics = measurements.metrics.map((metric) => ({ ...metric, evidence: [] }));
      const short = { ...measurements, metrics, hotspots: [] };
      for (let copy = 1; copy < 500; copy++) {
        const info = { ...stored.info, name: `${stored.repository}-${copy}` };
        added.push(info.name);
        await snapshots.save(info, stored.generation, [], { run: await runs.begin(info), measurements: short });
      }
      await shareWithAll(explorer().service.stores, added);
      // What each comes to is worked out at the first question.
      await eventually(() => api(explorer(), '/api/dd/executive?trend=8'));
    });
    after(async () => {
      const { repositories, snapshots } = explorer().service.stores.relational;
      for (const name of added) {
        await snapshots.remove(name);
        await repositories.remove(name);
      }
    });

    it('asks once for all of them, and has each in a row', () => asksOnce(explorer(), 500));
  });
});
