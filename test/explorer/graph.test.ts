import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import {
  describeExplorer,
  expectAccessible,
  keepScreenshot,
  layoutShift,
  misplacedNames,
  mapSizes,
} from '../support/explorer.ts';

const panelOf = (page: Page, name: string) => page.getByRole('complementary', { name: `About ${name}` });
const namesOn = (page: Page) => page.locator('.names text:not(.group)');

interface MapJson {
  repositories: { id: string; name: string; lines: number | null }[];
  links: { from: string; to: string }[];
}

describeExplorer('explorer: map', 15, (explorer) => {
  for (const look of mapSizes)
    it(`names every repository, none over another, for everybody: ${look.width} pixels, ${look.theme}`, async () => {
      const { open, service } = explorer();
      const { json } = await service.get('/api/graph/map');
      const { repositories, links } = json as unknown as MapJson;
      const page = await open('#/graph', look);
      await namesOn(page).first().waitFor();
      expect((await namesOn(page).allTextContents()).sort()).deep.equals(repositories.map(({ name }) => name).sort());
      expect(await misplacedNames(page, '.names text')).deep.equals([]);
      expect(await page.locator('.link').count()).equals(links.length);
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).equals(true);
      expect(await layoutShift(page)).below(0.05);
      await keepScreenshot(page, `map-${look.width}`);
      await page.getByLabel('Shared people').check();
      await page.locator('.link.people').first().waitFor({ state: 'attached' });
      await page.getByLabel('Group by').selectOption('organization');
      await page.waitForURL(/group=organization/);
      await page.getByLabel('Group by').selectOption('community');
      await page.waitForURL(/group=community/);
      await page.locator('.names .group', { hasText: 'around' }).first().waitFor();
      await page.getByRole('button', { name: 'Nearer' }).click();
      expect(await misplacedNames(page, '.names text')).deep.equals([]);
      await page.getByRole('button', { name: 'Table' }).click();
      const table = page.getByRole('region', { name: 'Repositories', exact: true });
      expect((await table.boundingBox())?.width).least(0.85 * (look.width ?? 0));
    });

  it('says the grade in the disc as well, for who does not tell the colours apart', async () => {
    const { open, service, key } = explorer();
    const { json } = await service.send('/api/dd/executive', { headers: { authorization: `Bearer ${key}` } });
    const { repositories } = json as { repositories: { repo: string; grade: string | null }[] };
    const page = await open('#/graph', { width: 1440 });
    await page.locator('.letters text').first().waitFor();
    const told = (await page.locator('.letters text').allTextContents()).sort();
    expect(told).deep.equals(repositories.flatMap(({ grade }) => grade ?? []).sort());
    await page.getByLabel('Colour by').selectOption('language');
    await page.waitForURL(/color=language/);
    expect(await page.locator('.letters text').count()).equals(0);
  });

  it('is printed as wide as the paper, with the panel below it and without what is pressed', async () => {
    const page = await explorer().open('#/graph?node=koa', { theme: 'dark', width: 1440 });
    await page.locator('.disc.selected').waitFor();
    await panelOf(page, 'koa').locator('.nodes').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 794, height: 1123 });
    const box = async (selector: string) => (await page.locator(selector).boundingBox()) ?? expect.fail(selector);
    const [picture, panel] = [await box('.map-sheet svg'), await box('.panel')];
    expect(picture.x + picture.width).most(794);
    expect(picture.height).above(100);
    expect(panel.y).least(picture.y + picture.height);
    expect(await page.getByLabel('Group by').isVisible()).equals(false);
  });

  it('has the panel of a repository before the map, with what is next to it as the API says', async () => {
    const { open, service } = explorer();
    const page = await open('#/search');
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/graph/map*', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(page.url().replace(/#.*/, '#/graph?node=koa'));
    const panel = panelOf(page, 'koa');
    await panel.getByRole('heading', { name: /^Contributors/ }).waitFor();
    await panel.getByRole('heading', { name: /^Depends on/ }).waitFor();
    // What is about code comes first: of people there may be hundreds.
    expect(await panel.locator('h3').last().textContent()).matches(/^Contributors/);
    await panel.getByRole('list', { name: 'Grades by dimension' }).waitFor();
    expect(await page.locator('.disc').count()).equals(0);
    const { json } = await service.get('/api/graph/neighbors/koa');
    const names = (json['neighbors'] as { name: string; edges: unknown[] }[]).flatMap(({ name, edges }) =>
      edges.map(() => name),
    );
    expect((await panel.locator('.nodes a').allTextContents()).sort()).deep.equals(names.sort());
    release();
    await page.locator('.disc.selected').waitFor();
    await panel.getByRole('combobox', { name: 'Path to' }).fill('type:repository negotiator');
    await page
      .getByRole('option', { name: /^negotiator/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    const path = (await service.get('/api/graph/path?from=koa&to=negotiator')).json;
    const steps = page.getByRole('region', { name: 'Path' }).locator('li a');
    await steps.first().waitFor();
    expect(await steps.allTextContents()).deep.equals((path['nodes'] as { name: string }[]).map(({ name }) => name));
    await panel.getByRole('button', { name: 'Close the panel' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.locator('circle[data-id="keygrip"]').click();
    await panelOf(page, 'keygrip').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('preferredEncodings');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'preferredEncodings' }).waitFor();
  });
});

for (const count of [1, 500])
  describeExplorer('explorer: map', count, (explorer) => {
    it('names as many as there is room for, none over another, and has all of them in the table', async () => {
      const { open, service } = explorer();
      const page = await open('#/graph', { width: 1440 });
      await namesOn(page).first().waitFor();
      const total = ((await service.get('/api/graph/map')).json as unknown as MapJson).repositories.length;
      expect(total).equals(count);
      expect(await misplacedNames(page, '.names text')).deep.equals([]);
      expect(await namesOn(page).count()).least(Math.min(100, count));
      await keepScreenshot(page, `map-of-${count}`);
      const phone = await open('#/graph?group=organization', { theme: 'dark', width: 390 });
      await namesOn(phone).first().waitFor();
      expect(await misplacedNames(phone, '.names text')).deep.equals([]);
      expect(await phone.evaluate('document.documentElement.scrollWidth <= innerWidth')).equals(true);
      await page.getByRole('button', { name: 'Table' }).click();
      const rows = page.getByRole('table', { name: 'Repositories', exact: true }).locator('tbody tr');
      await rows.first().waitFor();
      expect(await rows.count()).equals(count);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV of: Repositories', exact: true }).click(),
      ]);
      const [heads, ...lines]: string[][] = parse(await readFile(await download.path()), {});
      expect(heads).deep.equals(['Repository', 'Language', 'Grade', 'Lines', 'Linked to']);
      const { repositories } = (await service.get('/api/graph/map')).json as unknown as MapJson;
      expect(lines.map(([name, , , size]) => `${name} ${size}`).sort()).deep.equals(
        repositories.map(({ name, lines }) => `${name} ${lines ?? ''}`).sort(),
      );
    });
  });
