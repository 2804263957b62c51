import { expect } from 'chai';
import { describeExplorer, expectAccessible, keepScreenshot, layoutShift, looks } from '../support/explorer.ts';

describeExplorer('explorer: search', 15, (explorer) => {
  it('finds as one types, with what is found marked', async () => {
    const page = await explorer().open('#/search');
    await page.getByRole('searchbox').fill('compose');
    const first = page.locator('.results > li').first();
    await first.locator('mark').first().waitFor();
    expect(await first.locator('.what a').textContent()).equals('compose');
    expect(page.url()).contains('q=compose');
  });

  for (const look of looks) {
    const name = `search-${look.theme}${look.width ? '-phone' : ''}`;
    it(`is for everybody, and nothing in it jumps: ${name}`, async () => {
      const page = await explorer().open('#/search?q=type', look);
      await page.locator('.results > li').first().waitFor();
      await expectAccessible(page);
      expect(await layoutShift(page)).below(0.05);
      await keepScreenshot(page, name);
    });
  }
});
