import { expect } from 'chai';
import {
  describeExplorer,
  expectAccessible,
  keepScreenshot,
  layoutShift,
  misplacedNames,
} from '../support/explorer.ts';
import type { Look } from '../support/explorer.ts';
import { evaluationAttempt, evaluationOutcome, evaluationRun } from '../support/task-instances.ts';

const views = {
  map: { place: '#/graph', shown: '.disc', names: '.names text' },
  'map-by-organization': { place: '#/graph?group=organization&color=language', shown: '.disc', names: '.names text' },
  'map-by-community': { place: '#/graph?group=community', shown: '.disc', names: '.names text' },
  'map-repository': { place: '#/graph?node=koa', shown: '.panel .nodes', names: '.names text' },
  'map-table': { place: '#/graph?as=table', shown: 'tbody tr' },
  treemap: { place: '#/inside?repo=koa', shown: '.parts text', names: '.parts text' },
  'treemap-findings': { place: '#/inside?repo=koa&at=lib/&layer=findings', shown: '.parts text', names: '.parts text' },
  'dependency-matrix': { place: '#/inside?repo=negotiator&as=matrix', shown: '.matrix th a' },
  'parts-table': { place: '#/inside?repo=koa&as=table', shown: 'tbody tr' },
  search: { place: '#/search?q=parse', shown: '.results > li' },
  'search-code': { place: '#/search?q=parse&in=code', shown: '.code-hits' },
  'search-nothing': { place: '#/search?q=nothingiscalledso', shown: '.state' },
  symbol: { place: `#/code?symbol=${encodeURIComponent('negotiator/index.js#Negotiator')}`, shown: '.line-commits' },
  file: { place: '#/code?repo=negotiator&path=index.js&line=40', shown: '.line-commits' },
  portfolio: { place: '#/portfolio', shown: 'tbody tr' },
  repository: { place: '#/repository?repo=koa', shown: '#metrics .metric' },
  badge: { place: '#/repository?repo=koa&part=badge', shown: '#badge button' },
  compare: { place: '#/compare?a=koa&b=accepts', shown: 'tbody tr' },
  benchmark: { place: '#/benchmark', shown: '.state' },
  attempt: { place: '#/attempt?run=run-1&model=acme%2Fcoder-1&task=acme__shop-17', shown: '.log' },
  news: { place: '#/news', shown: '#main [role=status]' },
  saved: { place: '#/saved', shown: '.state' },
  usage: { place: '#/usage', shown: '.figures' },
  nowhere: { place: '#/nothing', shown: '#main h1' },
} satisfies Record<string, { place: string; shown: string; names?: string }>;

/** What a view asks for, and which of its answers fails or never comes. */
const answers = {
  map: { place: '#/graph', asked: '**/api/graph/map*' },
  inside: { place: '#/inside?repo=koa', asked: '**/api/graph/hierarchy/**' },
  hotspots: { place: '#/inside?repo=koa', asked: '**/api/dd/deep/**' },
  search: { place: '#/search?q=parse', asked: '**/api/search?*' },
  code: { place: '#/code?repo=negotiator&path=index.js', asked: '**/api/source/negotiator?*' },
  portfolio: { place: '#/portfolio', asked: '**/api/dd/executive?*' },
  repository: { place: '#/repository?repo=koa', asked: '**/api/dd/deep/**' },
  compare: { place: '#/compare?a=koa&b=accepts', asked: '**/api/dd/deep/**' },
  benchmark: { place: '#/benchmark', asked: '**/api/benchmark/**' },
  news: { place: '#/news', asked: '**/v1/visit*' },
  saved: { place: '#/saved', asked: '**/v1/views*' },
  usage: { place: '#/usage', asked: '**/v1/billing/usage*' },
};

/** On paper as wide as A4. */
const printed = [
  'map-repository',
  'map-table',
  'treemap',
  'dependency-matrix',
  'parts-table',
  'search',
  'search-code',
  'symbol',
  'portfolio',
  'repository',
  'compare',
  'news',
  'usage',
] as const;

const combinations: Look[] = (['light', 'dark'] as const).flatMap((theme) =>
  [1440, 390].map((width) => ({ theme, width })),
);

/** Every view in light and dark, wide and on a phone: what people look at afterwards lies in coverage/screenshots, and CI keeps it. */
describeExplorer('explorer: every view', 15, (explorer) => {
  // The one thing that no load brings.
  before(async () => {
    const { relational } = explorer().service.stores;
    const { id } = await relational.accounts.ensureOrganization({ slug: 'explorer', name: 'explorer' });
    const run = evaluationRun();
    await relational.tenant(id, async ({ evaluationRuns, evaluationOutcomes, evaluationAttempts }) => {
      await evaluationRuns.save(run);
      await evaluationOutcomes.save(run, [evaluationOutcome()]);
      await evaluationAttempts.save(run, evaluationAttempt());
    });
  });
  for (const look of combinations)
    for (const [name, view] of Object.entries(views))
      it(`${name}, ${look.theme}, ${look.width} pixels: for everybody, whole, and no name over another`, async () => {
        const page = await explorer().open(view.place, look);
        await page.locator(view.shown).first().waitFor({ state: 'attached' });
        await page.waitForLoadState('networkidle');
        await keepScreenshot(page, `view-${name}-${look.theme}-${look.width}`);
        await expectAccessible(page);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).most(0);
        expect(await layoutShift(page)).below(0.05);
        if ('names' in view) expect(await misplacedNames(page, view.names)).deep.equals([]);
      });

  for (const [name, { place, asked }] of Object.entries(answers))
    for (const state of ['failing', 'loading'] as const)
      it(`${name}, ${state}: says so, for everybody`, async () => {
        const page = await explorer().open('#/nothing', { theme: 'dark', width: 390 });
        const problem = { status: 500, code: 'internal_error', title: 'Internal error', detail: 'It broke.' };
        await page.route(asked, (route) =>
          state === 'loading'
            ? undefined
            : route.fulfill({ status: 500, headers: { 'x-request-id': 'one' }, json: problem }),
        );
        await page.goto(page.url().replace(/#.*/, place));
        if (state === 'failing') await page.getByRole('button', { name: 'Try again' }).first().waitFor();
        else await page.locator('.skeleton, .counts, [role=status]').first().waitFor({ state: 'attached' });
        expect(await page.locator('h1').count()).equals(1);
        await keepScreenshot(page, `${state}-${name}`);
        await expectAccessible(page);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).most(0);
      });

  for (const name of printed)
    it(`${name} fits on paper`, async () => {
      const page = await explorer().open(views[name].place, { theme: 'dark', width: 794 });
      await page.locator(views[name].shown).first().waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      await page.emulateMedia({ media: 'print' });
      await keepScreenshot(page, `printed-${name}`);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).most(0);
    });
});
