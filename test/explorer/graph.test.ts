import { describeExplorer, expectAccessible, keepScreenshot, looks } from '../support/explorer.ts';

describeExplorer('explorer: graph', 15, (explorer) => {
  for (const look of looks) {
    const name = `graph-${look.theme}${look.width ? '-phone' : ''}`;
    it(`is for everybody: ${name}`, async () => {
      const page = await explorer().open('#/graph', look);
      await page.getByText(/\d+ nodes, \d+ edges/).waitFor();
      await keepScreenshot(page, name);
      await page.goto(`${page.url()}?node=koa`);
      await page.getByRole('complementary').waitFor();
      await page.waitForTimeout(500);
      await keepScreenshot(page, `${name}-panel`);
      if (look.width === undefined && look.theme === 'light') {
        await page.getByRole('button', { name: 'Show what is inside' }).click();
        await page.getByText(/\d{3} nodes/).waitFor();
        await page.waitForTimeout(500);
        await keepScreenshot(page, `${name}-inside`);
        await page.goto(page.url().replace(/#.*/, '#/graph?node=koa-router&to=negotiator'));
        await page
          .getByText(/\d edges?$/)
          .first()
          .waitFor();
        await page.waitForTimeout(500);
        await keepScreenshot(page, `${name}-path`);
        await page.goto(page.url().replace(/#.*/, '#/graph?node=negotiator&impact=1&as=table'));
        await page.getByText('Directly').waitFor();
        await keepScreenshot(page, `${name}-table`);
      }
      await expectAccessible(page);
    });
  }
});
