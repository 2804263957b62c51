import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { describeExplorer, expectAccessible, keepScreenshot, layoutShift, looks } from '../support/explorer.ts';

describeExplorer('explorer: search', 15, (explorer) => {
  it('finds as one types, lets go of what is outdated, and marks the words', async () => {
    const page = await explorer().open('#/search');
    await page.locator('.results > li').first().waitFor();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/search') asked.push(searchParams.get('q') ?? '');
    });
    await page.getByRole('searchbox').pressSequentially('compose');
    // A part of it finds the same.
    await page.waitForURL(/q=compose\b/);
    const first = page.locator('.results > li').first();
    await first.locator('mark', { hasText: 'compose' }).first().waitFor();
    expect(await first.locator('.what a').textContent()).equals('compose');
    expect(asked.at(-1)).equals('compose');
    expect(asked.length).below('compose'.length);
  });

  it('keeps what is typed while the address follows', async () => {
    const page = await explorer().open('#/search');
    await page.locator('.results > li').first().waitFor();
    await page.evaluate(`addEventListener('hashchange', () => {
      const box = document.getElementById('q');
      box.value += 'e';
      box.dispatchEvent(new Event('input', { bubbles: true }));
    }, { once: true })`);
    await page.getByRole('searchbox').fill('compos');
    await page.waitForURL(/q=compose\b/);
    expect(await page.getByRole('searchbox').inputValue()).equals('compose');
    // Who comes by a link or goes back gets what is asked for there.
    await page.evaluate(`location.hash = '#/search?q=parse'`);
    await eventually(async () => expect(await page.getByRole('searchbox').inputValue()).equals('parse'));
    await page.goBack();
    await eventually(async () => expect(await page.getByRole('searchbox').inputValue()).equals('compose'));
  });

  it('says what each score is made of', async () => {
    const { open, service } = explorer();
    const page = await open('#/search?q=parse');
    const { json } = await service.get('/api/search?q=parse');
    const [item] = json['items'] as { score: number; score_breakdown: Record<string, number> }[];
    const details = page.locator('.results details').first();
    await details.locator('summary').click();
    expect(await details.locator('summary').textContent()).contains(item?.score.toFixed(1).replace(/\.0$/, ''));
    expect(await details.locator('dt').allTextContents()).include.members(Object.keys(item?.score_breakdown ?? {}));
  });

  it('narrows by facets, which stay in the address', async () => {
    const { open, service } = explorer();
    const page = await open('#/search?q=type');
    await page.getByRole('checkbox', { name: /^koa ?\d+$/ }).check();
    await page
      .getByRole('group', { name: 'Type' })
      .getByRole('checkbox', { name: /^function/ })
      .check();
    const { json } = await service.get('/api/search?q=type&repo=koa&type=Function');
    await page.getByText(`${String(json['total'])} results`, { exact: true }).waitFor();
    expect(page.url()).contains('repo=koa').and.contains('type=Function');
    await page.reload();
    await page.getByText(`${String(json['total'])} results`, { exact: true }).waitFor();
    expect(await page.getByRole('checkbox', { name: /^koa ?\d+$/ }).isChecked()).equals(true);
  });

  it('suggests how to go on, goes down the results by keys, and leads to what is found', async () => {
    const page = await explorer().open('#/search');
    await page.getByRole('searchbox').fill('negot');
    const suggestion = page.getByRole('group', { name: 'Suggestions' }).getByRole('button').first();
    const completion = (await suggestion.textContent()) ?? '';
    // Else the results of before might still be there, and go while one is among them.
    await Promise.all([
      page.waitForResponse((response) => {
        const { pathname, searchParams } = new URL(response.url());
        return pathname === '/api/search' && searchParams.get('q') === completion;
      }),
      suggestion.click(),
    ]);
    expect(await page.getByRole('searchbox').inputValue()).equals(completion);
    await page.locator('[aria-label=Results][aria-busy=false] .results mark').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const chosen = await page.evaluate<string>('document.activeElement.textContent');
    expect(chosen).equals(await page.locator('.results .what a').first().textContent());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: chosen }).waitFor();
  });

  it('finds lines of code, leads from the box to the first by one key, and back to what was looked for', async () => {
    const { open, service } = explorer();
    const page = await open('#/search?q=preferredEncodings');
    await page.getByRole('link', { name: 'Lines of code' }).click();
    const { json } = await service.get('/api/search/text?q=preferredEncodings');
    const files = json['items'] as {
      repository: string;
      path: string;
      lines: { line: number; text: string; ranges: [number, number][] }[];
    }[];
    const first = files[0]?.lines[0];
    await page.getByText(`${String(json['total_lines'])} lines in ${String(json['total'])} files`).waitFor();
    expect(await page.locator('.code-hits .what a').allTextContents()).deep.equals(files.map(({ path }) => path));
    // Several files are in sight: of each the first lines, and the others where they are asked for.
    expect(await page.locator('.code-hits .number').count()).equals(
      files.map(({ lines: { length } }) => (length > 8 ? 6 : length)).reduce((sum, shown) => sum + shown, 0),
    );
    const more = page.locator('.code-hits').getByRole('button', { name: /^\d+ lines more$/ });
    expect(await more.count()).equals(files.filter(({ lines }) => lines.length > 8).length);
    while ((await more.count()) > 0) await more.first().click();
    expect(await page.locator('.code-hits .number').allTextContents()).deep.equals(
      files.flatMap(({ lines }) => lines.map(({ line }) => String(line))),
    );
    expect(await page.locator('.code-hits mark').allTextContents()).deep.equals(
      files.flatMap(({ lines }) =>
        lines.flatMap(({ text, ranges }) => ranges.map(([from, before]) => text.slice(from, before))),
      ),
    );
    await expectAccessible(page);
    await page.getByRole('searchbox').press('Enter');
    await page.locator(`.code .marked[data-line="${first?.line}"]`).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.code-hits mark').first().waitFor();
    expect(page.url()).contains('in=code');
    // What was opened for one search is not open for the next.
    const other = (await service.get('/api/search/text?q=encodings')).json;
    await page.getByRole('searchbox').fill('encodings');
    await page.getByText(`${String(other['total_lines'])} lines in ${String(other['total'])} files`).waitFor();
    const shown = (other['items'] as { lines: unknown[] }[]).map(({ lines: { length } }) => (length > 8 ? 6 : length));
    expect(await page.locator('.code-hits .number').count()).equals(shown.reduce((sum, each) => sum + each, 0));
    await page.getByRole('searchbox').fill('/(/');
    await page.getByText('/(/ is no regular expression').waitFor();
  });

  it('leads to the function that has a message, as it is typed', async () => {
    const page = await explorer().open(`#/search?q=${encodeURIComponent('"called multiple times"')}`);
    const { json } = await explorer().service.get(`/api/search?q=${encodeURIComponent('"called multiple times"')}`);
    const [first] = json['items'] as { name: string; type: string }[];
    expect(first?.type).equals('Function');
    await page.locator('.results > li').first().waitFor();
    expect(await page.locator('.results > li .what a').first().textContent()).contains(first?.name);
  });

  it('looks in all lines for what no code has', async () => {
    const text = encodeURIComponent('"async function support"');
    const page = await explorer().open(`#/search?q=${text}`);
    const { json } = await explorer().service.get(`/api/search/text?q=${text}`);
    expect(json['total']).above(0);
    await page.getByText('Nothing is called so, but it stands in the code').waitFor();
    expect(await page.locator('.code-hits').count()).equals(json['total']);
  });

  it('breaks the longest names on the smallest screens', async () => {
    const page = await explorer().open('#/search?q=type', { theme: 'light', width: 320 });
    await page.locator('.results > li').first().waitFor();
    // None of these repositories has a name as long as others have.
    await page.evaluate(
      `document.querySelector('.results .what a').textContent = 'test_' + 'passes_special_values_'.repeat(5)`,
    );
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).most(0);
  });

  it('says honestly that there is nothing, and what may help', async () => {
    const page = await explorer().open('#/search?q=zzqqxx&repo=koa');
    await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('link', { name: 'Look without the filters' }).getAttribute('href')).equals(
      '#/search?q=zzqqxx',
    );
  });

  for (const look of looks) {
    const name = `search-${look.theme}${look.width ? '-phone' : ''}`;
    it(`is for everybody, and nothing in it jumps: ${name}`, async () => {
      const page = await explorer().open('#/search?q=type', look);
      await page.locator('.results > li').first().waitFor();
      await page.locator('.results summary').first().click();
      await expectAccessible(page);
      expect(await layoutShift(page)).below(0.05);
      await keepScreenshot(page, name);
    });
  }
});
