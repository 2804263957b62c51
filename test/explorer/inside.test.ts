import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import {
  describeExplorer,
  expectAccessible,
  keepScreenshot,
  layoutShift,
  mapSizes,
  misplacedNames,
} from '../support/explorer.ts';

interface Level {
  parts: { id: string; name: string; kind: string }[];
  edges: { from: string; to: string; calls: number; inherits: number }[];
}

/** The names that stand out from what is painted under them by less than WCAG asks for. */
const faintNames = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const light = (color) => {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((each) =>
        each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    return [...document.querySelectorAll('.parts text')].flatMap((text) => {
      const { left, top, width, height } = text.getBoundingClientRect();
      const under = document.elementFromPoint(left + width / 2, top + height / 2);
      if (under?.tagName !== 'rect') return [];
      const [one, other] = [light(getComputedStyle(text).fill), light(getComputedStyle(under).fill)];
      const contrast = Math.max(one, other) / Math.min(one, other);
      return contrast < 4.5 ? [text.textContent + ' ' + contrast] : [];
    });
  })()`);

describeExplorer('explorer: inside', 15, (explorer) => {
  for (const look of mapSizes)
    it(`shows what is inside, at most sixty names and none over another, for everybody: ${look.width} pixels`, async () => {
      const page = await explorer().open('#/inside?repo=koa', look);
      await page.locator('.parts text').first().waitFor();
      expect(await page.locator('.parts text').count()).within(1, 60);
      expect(await misplacedNames(page, '.parts text')).deep.equals([]);
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).equals(true);
      expect(await layoutShift(page)).below(0.05);
      await keepScreenshot(page, `inside-${look.width}`);
    });

  it('opens on click down to the code, and has the same as a matrix and as a table', async () => {
    const { open, service } = explorer();
    const level = async (at?: string) =>
      (await service.get(`/api/graph/hierarchy/negotiator${at === undefined ? '' : `?at=${encodeURIComponent(at)}`}`))
        .json as unknown as Level;
    const page = await open('#/inside?repo=negotiator');
    const { parts, edges } = await level();
    await page.locator('a.part').first().waitFor();
    expect(await page.locator('a.part').count()).equals(parts.length);

    await page.getByRole('button', { name: 'Dependency matrix' }).click();
    const cells = page.locator('.matrix td:not(:empty)');
    await cells.first().waitFor();
    expect((await cells.allTextContents()).map(Number)).members(edges.map(({ calls, inherits }) => calls + inherits));
    await expectAccessible(page);
    await keepScreenshot(page, 'inside-matrix');
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV of: Dependencies in' }).click(),
    ]);
    const nameOf = (id: string) => parts.find((part) => part.id === id)?.name;
    expect(parse(await readFile(await csv.path()))).deep.equals([
      ['From', 'To', 'Calls', 'Inherits'],
      ...edges.map(({ from, to, calls, inherits }) => [nameOf(from), nameOf(to), String(calls), String(inherits)]),
    ]);
    await page.getByRole('button', { name: 'Table' }).click();
    const rows = page.getByRole('table', { name: 'Parts' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.locator('th').allTextContents()).deep.equals(parts.map(({ name }) => name));

    await page.getByRole('button', { name: 'Treemap' }).click();
    await page.getByLabel('Colour by').selectOption('complexity');
    const folder = parts.find(({ kind }) => kind === 'folder') ?? expect.fail('no folder');
    await page.locator(`a.part[aria-label^="${folder.name},"]`).click();
    await page.waitForURL(/at=/);
    const inner = await level(folder.id);
    await page.getByRole('heading', { level: 1, name: folder.name.split('/').at(-1) ?? '' }).waitFor();
    const [file] = inner.parts;
    await page.locator(`a.part[aria-label^="${file?.name},"]`).click();
    await page.getByRole('link', { name: 'Its code' }).click();
    await page.locator('.code pre').waitFor();
  });

  it('tells by a file how hot it is, says what the colours stand for, and has the same figures in its table', async () => {
    const { open, service } = explorer();
    const { json } = await service.get('/api/dd/deep/koa');
    const hotspots = json['hotspots'] as { path: string; changes_12m: number; complexity: number }[];
    const [hottest] = hotspots.filter(({ path }) => path.startsWith('lib/'));
    if (hottest === undefined) throw new Error('koa has files in lib.');
    const page = await open('#/inside?repo=koa&at=lib/&layer=complexity');
    await page.locator('.heat-legend .scale').waitFor();
    const { complexity } = hottest;
    await page
      .locator(`a.part[aria-label^="${hottest.path.slice('lib/'.length)},"][aria-label*="complexity ${complexity}"]`)
      .waitFor();
    expect(await page.getByLabel('Colour by').locator('option').allTextContents()).not.contains('test coverage');
    await page.getByRole('button', { name: 'Table' }).click();
    const row = page
      .getByRole('table', { name: 'Parts' })
      .getByRole('row', { name: new RegExp(hottest.path.slice(4)) });
    expect(await row.locator('td').allTextContents()).contains(String(complexity));
  });

  it('paints production redder than tests, the hottest the reddest, and every name on it can be read', async () => {
    const { open, service } = explorer();
    const { json } = await service.get('/api/dd/deep/koa');
    const hotspots = json['hotspots'] as { path: string; complexity: number }[];
    // As where its most complex file was a test.
    const [first, second] = hotspots
      .filter(({ path }) => path.startsWith('lib/'))
      .toSorted((a, b) => b.complexity - a.complexity);
    if (first === undefined || second === undefined) throw new Error('koa has files in lib.');
    const answer = { ...json, hotspots: hotspots.map((file) => ({ ...file, test: file === first })) };
    for (const theme of ['light', 'dark'] as const) {
      const page = await open('#/search', { theme, width: 1440 });
      await page.route('**/api/dd/deep/koa', (route) => route.fulfill({ json: answer }));
      await page.goto(page.url().replace(/#.*/, '#/inside?repo=koa&at=lib/&layer=complexity'));
      await page.locator('.heat-legend .scale').waitFor();
      const most = Math.max(...answer.hotspots.map(({ complexity, test }) => (test ? 0 : complexity)));
      expect(await page.locator('.heat-legend').textContent())
        .contains(`complexity ${most}`)
        .and.contains('tests half as red');
      const redOf = async ({ path }: { path: string }) => {
        const painted = page.locator(`a.part[aria-label^="${path.slice('lib/'.length)},"] [style*=layer-share]`);
        return Number(/--layer-share: (\d+)%/.exec((await painted.first().getAttribute('style')) ?? '')?.[1]);
      };
      expect(await redOf(first)).equals(Math.round(50 * Math.min(1, first.complexity / most)));
      expect(await redOf(second)).equals(Math.round((100 * second.complexity) / most));
      expect(await faintNames(page)).deep.equals([]);
    }
  });

  it('of a layer that there is not, it shows the hotspots', async () => {
    const page = await explorer().open('#/inside?repo=koa&layer=toString');
    await page.locator('.heat-legend .scale').waitFor();
    expect(await page.getByLabel('Colour by').inputValue()).equals('hotspots');
  });

  it('lists the hotspots of the folder beside the map, with their figures, and shows where each lies', async () => {
    const { open, service } = explorer();
    const { json } = await service.get('/api/dd/deep/koa');
    const hotspots = json['hotspots'] as { path: string; changes_12m: number; complexity: number }[];
    const inside = hotspots.filter(({ path, changes_12m: changes }) => path.startsWith('lib/') && changes > 0);
    const page = await open('#/inside?repo=koa&at=lib/', { width: 1440 });
    const list = page.getByRole('complementary', { name: 'Hotspots' });
    expect(inside.length).above(0);
    await list.locator('li').first().waitFor();
    const told = await list.locator('li').allInnerTexts();
    expect(told).lengthOf(Math.min(12, inside.length));
    for (const [index, text] of told.entries())
      expect(text)
        .contains(inside[index]?.path.slice('lib/'.length))
        .and.contains(`complexity ${inside[index]?.complexity}`);
    await list.getByRole('link').first().focus();
    expect(await page.locator('a.part.pointed').getAttribute('aria-label')).contains(
      inside[0]?.path.slice('lib/'.length),
    );
    await page.keyboard.press('Enter');
    await page.locator('.code pre').waitFor();
  });

  it('colours parts by their main author, marks who is alone, and has the same in its table', async () => {
    const { open, service } = explorer();
    const { json } = await service.get('/api/graph/hierarchy/koa?at=lib/');
    type Author = { id: string; name: string; people: number; share: number };
    const { parts, main_authors: people } = json as unknown as {
      parts: { name: string; main_author: Author | null }[];
      main_authors: Author[];
    };
    expect(people.length).above(0);
    const alone = parts.filter(({ main_author: author }) => author?.people === 1);
    const isOther = parts.some(({ main_author: author }) => people.every(({ id }) => id !== author?.id));
    for (const theme of ['light', 'dark'] as const) {
      const page = await open('#/inside?repo=koa&at=lib/&layer=owner', { theme });
      await page.locator('.heat-legend .swatch').first().waitFor();
      const legend = await page.locator('.heat-legend').textContent();
      for (const { name } of people) expect(legend).contains(name);
      const [first] = parts;
      await page.locator(`a.part[aria-label^="${first?.name},"][aria-label*="${first?.main_author?.name}"]`).waitFor();
      expect(await page.locator('a.part circle.mark').count()).equals(alone.length);
      const stylesOf = (selector: string, property: string) =>
        page.evaluate<string[]>(
          `[...document.querySelectorAll('${selector}')].map((each) => getComputedStyle(each)['${property}'])`,
        );
      const colors = await stylesOf('.heat-legend .swatch', 'backgroundColor');
      expect(new Set(colors).size).equals(people.length + (isOther ? 1 : 0));
      const fills = await stylesOf('a.part .inner', 'fill');
      expect(new Set(fills).size).equals(
        new Set(parts.map(({ main_author: author }) => people.findIndex(({ id }) => id === author?.id))).size,
      );
      await expectAccessible(page);
      await keepScreenshot(page, `inside-owner-${theme}`);
    }
    const page = await open('#/inside?repo=koa&at=lib/&as=table');
    const row = page.getByRole('table', { name: 'Parts' }).locator('tbody tr').first();
    await row.waitFor();
    expect(await row.textContent()).contains(parts[0]?.main_author?.name);
  });

  it('says of a part what it uses and what uses it, and how often; all of it at once where that is asked for', async () => {
    const { open, service } = explorer();
    const root = (await service.get('/api/graph/hierarchy/negotiator')).json as unknown as Level;
    const [edge] = root.edges;
    const nameOf = (id: string | undefined) => root.parts.find((part) => part.id === id)?.name;
    const page = await open('#/inside?repo=negotiator');
    await page.locator(`a.part[aria-label^="${nameOf(edge?.from)},"]`).hover();
    await page.getByText(`${nameOf(edge?.to)} (${(edge?.calls ?? 0) + (edge?.inherits ?? 0)})`).waitFor();
    await page.mouse.move(0, 0);
    await page.getByLabel('Dependencies').check();
    await page.locator('.references-over path').first().waitFor({ state: 'attached' });
    expect(await page.locator('.references-over path').count()).equals(root.edges.length);
  });

  it('gives the picture as SVG that stands by itself, and as PNG', async () => {
    const page = await explorer().open('#/inside?repo=koa');
    await page.locator('.parts text').first().waitFor();
    const names = await page.locator('.parts text').allTextContents();
    const saved = async (kind: string) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Picture as ${kind}` }).click(),
      ]);
      return readFile(await file.path());
    };
    const svg = (await saved('SVG')).toString();
    const alone = await page.evaluate<{ texts: string[]; fills: number; foreign: number }>(`(() => {
      const picture = new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml');
      return {
        texts: [...picture.querySelectorAll('text')].map(({ textContent }) => textContent),
        fills: new Set([...picture.querySelectorAll('rect')].map((each) => each.getAttribute('fill'))).size,
        foreign: picture.querySelectorAll('[class], [style]').length,
      };
    })()`);
    expect(alone.texts).deep.equals(names);
    expect(alone.fills).above(2);
    expect(alone.foreign).equals(0);
    expect(svg).not.match(/oklab|color-mix|var\(/);
    const png = await saved('PNG');
    expect(png.subarray(1, 4).toString()).equals('PNG');
    expect(png.readUInt32BE(16)).above(1_000);
  });
});
