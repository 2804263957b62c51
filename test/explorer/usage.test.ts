import { expect } from 'chai';
import type { UsageAnswer } from '../../src/control-plane/usage.ts';
import { describeExplorer, expectAccessible, keepScreenshot, layoutShift, looks } from '../support/explorer.ts';

describeExplorer('explorer: usage', 1, (explorer) => {
  let key = '';
  const call = (path: string) => explorer().service.send(path, { headers: { authorization: `Bearer ${key}` } });
  before(async () => {
    ({ api_key: key } = await explorer().service.createKey('explorer-usage', 'viewer'));
    for (const path of ['/api/graph', '/api/search?q=koa', '/api/search?q=compose', '/api/search?page=0'])
      await call(path);
    // One more of a product and a day that have calls already, which costs nothing.
    const test = await explorer().service.createKey('explorer-usage', 'viewer', null, 'tester', {
      environment: 'test',
    });
    await explorer().service.send('/api/search?q=koa', { headers: { authorization: `Bearer ${test.api_key}` } });
  });

  it('has every call and credit by product and day, as the API has them', async () => {
    const { json } = await call('/v1/billing/usage?group_by=product_day');
    const { totals, meters } = json as unknown as UsageAnswer;
    expect(totals).includes({ calls: 5, test_calls: 1, credits_used: 7 });
    const page = await explorer().open('#/usage', { key });
    const rows = page.locator('.small-multiples li');
    await rows.first().waitFor();
    expect((await rows.allInnerTexts()).map((text) => text.split(/\s+/))).deep.equals([
      ['code-search', '4'],
      ['code-graph', '1'],
    ]);
    await page.getByRole('button', { name: 'Credits' }).click();
    await page.waitForURL(/unit=credits/);
    expect((await rows.allInnerTexts()).map((text) => text.split(/\s+/))).deep.equals([
      ['code-graph', '5'],
      ['code-search', '2'],
    ]);
    await page.getByText('as a table').click();
    expect(await page.locator('tbody tr').count()).equals(meters.length);
    // A bar a day, and none for days that have not come.
    const days = new Date().getUTCDate();
    expect(await page.locator('.tall .slot').count()).equals(days);
    await page.getByRole('img', { name: /^7 credits from / }).waitFor();
  });

  it('a month in which nothing was called says so', async () => {
    const page = await explorer().open('#/usage?month=2026-01', { key });
    await page.getByText('Nothing was called in this month').waitFor();
  });

  for (const look of looks)
    it(`is for everybody, and nothing in it jumps: ${look.theme}${look.width ? ', on a phone' : ''}`, async () => {
      const page = await explorer().open('#/usage', { ...look, key });
      await page.locator('.small-multiples li').first().waitFor();
      await expectAccessible(page);
      expect(await layoutShift(page)).below(0.05);
      await keepScreenshot(page, `usage-${look.theme}${look.width ? '-phone' : ''}`);
    });
});
