import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeExplorer, expectAccessible, keepScreenshot, layoutShift, looks } from '../support/explorer.ts';
import { eventually } from '../support/eventually.ts';

const drawn = (page: Page) => page.getByText(/\d nodes?, [\d,]+ edges?/).waitFor();
/** The panel has a list for each type of edge. */
const perEdge = (json: Record<string, unknown>) =>
  (json['neighbors'] as { name: string; edges: unknown[] }[]).flatMap(({ name, edges }) => edges.map(() => ({ name })));
const panelOf = (page: Page, name: string) => page.getByRole('complementary', { name: `About ${name}` });

describeExplorer('explorer: graph', 15, (explorer) => {
  it('shows every node and edge that the API tells of, hides the edges that one does not want, and is moved by keys', async () => {
    const { open, service } = explorer();
    const { json } = await service.get('/api/graph');
    const page = await open('#/graph');
    await page
      .getByText(`${String(json['total_nodes'])} nodes, ${String(json['total_edges'])} edges`, { exact: true })
      .waitFor();
    const before = await page.locator('.canvas').screenshot();
    await page.getByLabel('contributed to').uncheck();
    expect(page.url()).contains('hide=CONTRIBUTED_TO');
    await eventually(async () => expect(before.equals(await page.locator('.canvas').screenshot())).equals(false));
    await page.locator('.canvas').focus();
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/at=0\.56%2C0\.5%2C0\.6/);
  });

  it('takes it away as SVG, PNG and GraphML; a click on a node opens its panel, and the pointer brings out what is next to it', async () => {
    const { open, service } = explorer();
    const page = await open('#/graph?hide=CONTRIBUTED_TO');
    await drawn(page);
    const svg = (await saved(page, 'svg')).toString();
    expect((await saved(page, 'png')).subarray(1, 4).toString()).equals('PNG');
    const graphMl = (await saved(page, 'graphml')).toString();
    const { json } = await service.get('/api/graph');
    expect(graphMl.match(/<node /g)?.length).equals(json['total_nodes']);
    expect(graphMl.match(/<edge /g)?.length).equals(json['total_edges']);

    const { name, x, y } = await largest(page, svg);
    const canvas = page.locator('.canvas');
    const before = await canvas.screenshot();
    await canvas.hover({ position: { x, y } });
    await page.waitForFunction(`document.querySelector('.canvas').style.cursor === 'pointer'`);
    await eventually(async () => expect(before.equals(await canvas.screenshot())).equals(false));
    await canvas.click({ position: { x, y } });
    await panelOf(page, name).waitFor();
    expect(page.url()).contains(`node=${name}`);
  });

  it('of a repository tells what is next to it, its measures and its people', async () => {
    const { open, service } = explorer();
    const page = await open('#/graph?node=koa');
    const panel = panelOf(page, 'koa');
    await panel.waitFor();
    const { json } = await service.get('/api/graph/neighbors/koa');
    const names = perEdge(json).map(({ name }) => name);
    const shown = await panel.locator('.nodes button').allTextContents();
    expect(shown.sort()).deep.equals(names.sort());
    await panel.getByText('Lines of code').waitFor();
    await panel.getByRole('heading', { name: /^Contributors/ }).waitFor();
  });

  it('is found by search and gone through by keys: into a repository, from a function to who calls it', async () => {
    const { open, service } = explorer();
    const page = await open('#/graph');
    await drawn(page);
    await page.keyboard.press('/');
    await page.keyboard.type('preferredEncodings');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    const panel = panelOf(page, 'preferredEncodings');
    await panel.waitFor();
    expect(await page.evaluate('document.activeElement.id')).equals('panel-head');
    const { searchParams } = new URL(page.url().replace('#/graph', ''));
    expect(searchParams.get('repo')).equals('negotiator');
    const { json } = await service.get(
      `/api/graph/neighbors/negotiator?level=symbol&node=${encodeURIComponent(searchParams.get('node') ?? '')}`,
    );
    await panel
      .locator('.nodes li')
      .nth(perEdge(json).length - 1)
      .waitFor();
    expect(await panel.locator('.nodes li').count()).equals(perEdge(json).length);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  it('finds the way between two nodes, and who is affected by one, as the API does; the address shows others the same', async () => {
    const { open, service } = explorer();
    const page = await open('#/graph?node=koa-router');
    await page.getByRole('combobox', { name: 'Path to' }).fill('type:repository negotiator');
    await page
      .getByRole('option', { name: /^negotiator Repository/i })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    const path = (await service.get('/api/graph/path?from=koa-router&to=negotiator')).json;
    const steps = (path['nodes'] as { name: string }[]).map(({ name }) => name);
    const section = page.getByRole('region', { name: 'Path' });
    await section
      .locator('li')
      .nth(steps.length - 1)
      .waitFor();
    expect(await section.locator('li button').allTextContents()).deep.equals(steps);
    await page.getByRole('button', { name: 'Nearer' }).click();
    await page.waitForURL(/at=/);
    const other = await open(new URL(page.url()).hash);
    await other
      .getByRole('region', { name: 'Path' })
      .locator('li')
      .nth(steps.length - 1)
      .waitFor();
    await drawn(other);
    const [view, same] = [page, other].map((each) => each.locator('.canvas'));
    await eventually(async () => {
      const [mine, theirs] = [await view?.screenshot(), await same?.screenshot()];
      expect(theirs && mine?.equals(theirs), 'another one sees the same').equals(true);
    });
    await keepScreenshot(other, 'graph-path');

    await page.getByRole('button', { name: 'Impact' }).click();
    const { json } = await service.get('/api/graph/impact/koa-router');
    await page.getByRole('heading', { name: `Affected by a change ${String(json['total_affected'])}` }).waitFor();
  });

  it('without WebGL says so, and shows the same as a table, which everybody may have', async () => {
    const { open, service } = explorer();
    const page = await open('#/graph');
    await page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null');
    await page.reload();
    await page.getByText('This browser has no WebGL 2').waitFor();
    const { json } = await service.get('/api/graph');
    const rows = page.getByRole('table', { name: 'Nodes of the graph' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).equals(json['total_nodes']);
    await page.getByRole('button', { name: 'Lines' }).click();
    await rows.first().getByRole('button').click();
    await page.getByRole('complementary').waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, 'graph-table');
  });

  for (const look of looks) {
    const name = `graph-${look.theme}${look.width ? '-phone' : ''}`;
    it(`is for everybody, and nothing in it jumps: ${name}`, async () => {
      const page = await explorer().open('#/graph?repo=koa&node=koa&color=type', look);
      await drawn(page);
      await panelOf(page, 'koa').waitFor();
      await expectAccessible(page);
      expect(await layoutShift(page)).below(0.05);
      await keepScreenshot(page, name);
    });
  }
});

for (const count of [1, 500]) {
  describeExplorer('explorer: graph', count, (explorer) => {
    it('is drawn, and found in', async () => {
      const { open, service } = explorer();
      const { json } = await service.get('/api/graph');
      const page = await open('#/graph?color=language');
      const [nodes, edges] = [json['total_nodes'], json['total_edges']].map((n) => Number(n).toLocaleString('en'));
      await page.getByText(`${nodes} nodes, ${edges} edges`).waitFor();
      await keepScreenshot(page, `graph-of-${count}`);
      await page.getByRole('button', { name: 'Table' }).click();
      const rows = page.locator('tbody tr');
      await rows.first().waitFor();
      expect(await rows.count()).equals(Math.min(200, Number(json['total_nodes'])));
      await page.goto(page.url().replace(/#.*/, '#/search?q=koa'));
      await page.locator('.results mark').first().waitFor();
    });
  });
}

describeExplorer('explorer: graph', 1, (explorer) => {
  it('begins with what is inside the only repository, which stays closed once it was', async () => {
    const page = await explorer().open('#/graph');
    await page.waitForURL(/#\/graph\?repo=koa$/);
    await page.getByText(/\d{3} nodes, \d{3} edges/).waitFor();
    await keepScreenshot(page, 'graph-of-the-only-one');
    await page.goto(page.url().replace('repo=koa', 'node=koa'));
    await page.getByRole('button', { name: 'Show what is inside' }).waitFor();
    await page.getByText(/\b\d nodes, \d edges/).waitFor();
  });
});

/** What is saved in this format. */
async function saved(page: Page, format: string): Promise<Buffer> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByLabel('Save as a file').selectOption(format),
  ]);
  expect(file.suggestedFilename()).equals(`code-graph.${format}`);
  return readFile(await file.path());
}

/** Where the largest node is drawn: by its place in the SVG, as sigma fits the graph into the canvas. */
async function largest(page: Page, svg: string): Promise<{ name: string; x: number; y: number }> {
  const circles = [...svg.matchAll(/<circle cx="(.+?)" cy="(.+?)" r="(.+?)".*?<title>(.+?)<\/title>/g)].map(
    ([, x, y, radius, name]) => ({ x: Number(x), y: Number(y), radius: Number(radius), name: name ?? '' }),
  );
  const all = [...svg.matchAll(/<circle cx="(.+?)" cy="(.+?)"/g)];
  const [xs, ys] = [1, 2].map((axis) => all.map((each) => Number(each[axis])));
  const { width, height } = (await page.locator('.canvas').boundingBox()) ?? expect.fail('no canvas');
  const span = (values: number[] = []) => Math.max(...values) - Math.min(...values);
  const middle = (values: number[] = []) => (Math.max(...values) + Math.min(...values)) / 2;
  const [graphRatio, viewRatio] = [span(ys) / span(xs), height / width];
  const correction =
    graphRatio > 1 === viewRatio > 1
      ? Math.min(Math.max(graphRatio, 1 / graphRatio), Math.max(viewRatio, 1 / viewRatio))
      : 1;
  const scale = ((Math.min(width, height) - 80) * correction) / Math.max(span(xs), span(ys));
  const { x, y, name } = circles.toSorted((a, b) => b.radius - a.radius)[0] ?? expect.fail('no node');
  return { name, x: width / 2 + (x - middle(xs)) * scale, y: height / 2 + (y - middle(ys)) * scale };
}
