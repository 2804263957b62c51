import { expect } from 'chai';
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

    await page.getByRole('button', { name: 'Dependencies' }).click();
    const cells = page.locator('.matrix td:not(:empty)');
    await cells.first().waitFor();
    expect((await cells.allTextContents()).map(Number)).members(edges.map(({ calls, inherits }) => calls + inherits));
    await expectAccessible(page);
    await keepScreenshot(page, 'inside-matrix');
    await page.getByRole('button', { name: 'Table' }).click();
    const rows = page.getByRole('table', { name: 'Parts' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.locator('th').allTextContents()).deep.equals(parts.map(({ name }) => name));

    await page.getByRole('button', { name: 'Map', exact: true }).click();
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
});
