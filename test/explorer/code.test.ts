import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeExplorer, expectAccessible, keepScreenshot, layoutShift, looks } from '../support/explorer.ts';

const codeOf = (page: Page) => page.locator('.code pre');
const symbol = 'negotiator/index.js#Negotiator';
const placeOf = (id: string) => `#/code?symbol=${encodeURIComponent(id)}`;

describeExplorer('explorer: code', 15, (explorer) => {
  it('leads from the search box to the line of code in two keys, and back in one', async () => {
    const page = await explorer().open('#/portfolio');
    await page.getByRole('heading', { level: 1, name: 'Due diligence' }).waitFor();
    await page.keyboard.press('/');
    await page.locator('#q:focus').waitFor();
    await page.keyboard.type('preferredEncodings');
    await page.keyboard.press('Enter');
    await codeOf(page).waitFor();
    expect(await page.locator('.code .line').first().textContent()).contains('preferredEncodings');
    await page.locator('#code:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.results mark').first().waitFor();
    expect(await page.getByRole('searchbox').inputValue()).equals('preferredEncodings');
  });

  it('shows the code of a symbol as it is kept, in colours, and ties names to what the graph knows', async () => {
    const { open, service } = explorer();
    const page = await open(placeOf(symbol));
    const source = await service.get(`/api/source/negotiator?symbol=${encodeURIComponent(symbol)}`);
    const lines = source.json['lines'] as { line: number; text: string }[];
    await page.locator('.code .hljs-keyword').first().waitFor();
    expect(await codeOf(page).textContent()).equals(`${lines.map(({ text }) => text).join('\n')}\n`);
    expect(await page.locator('.code .line').first().getAttribute('data-line')).equals(String(lines[0]?.line));

    await page.goto(page.url().replace(/#.*/, '#/code?repo=negotiator&path=index.js&line=40'));
    await page.locator('.code .marked[data-line="40"]').waitFor();
    const { json } = await service.get('/api/graph/occurrences/negotiator?path=index.js');
    const references = json['references'] as { type: string; line: number; to: { id: string; name: string } }[];
    const calls = references.filter(({ type }) => type === 'CALLS');
    expect(calls.length).above(0);
    for (const { line, to } of calls) {
      const link = page.locator(`.code .line[data-line="${line}"] a`, { hasText: to.name }).first();
      expect(new URLSearchParams((await link.getAttribute('href'))?.split('?')[1]).get('symbol')).equals(to.id);
    }
    await page
      .locator(`.code .line[data-line="${calls[0]?.line}"] a`, { hasText: calls[0]?.to.name ?? '' })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: calls[0]?.to.name ?? '' }).waitFor();
  });

  it('names who uses it with their lines, and opens to the ways on which a change reaches further', async () => {
    const { open, service } = explorer();
    const id = 'negotiator/lib/encoding.js#preferredEncodings';
    const page = await open(placeOf(id));
    const { json } = await service.get(`/api/graph/references/${encodeURIComponent(id)}`);
    const references = json['references'] as { node: { id: string }; path: string; line: number; text: string }[];
    const items = page.getByRole('region', { name: 'Used by' }).locator('.references > li');
    await items.first().waitFor();
    expect(await items.locator('.place').allTextContents()).deep.equals(
      references.map(({ path, line }) => `${path}:${line}`),
    );
    expect(await items.locator('.text').allTextContents()).deep.equals(references.map(({ text }) => text));
    const impact = await service.get(`/api/graph/impact/${encodeURIComponent(id)}`);
    await page.getByText(`A change affects ${String(impact.json['total_affected'])} symbol`).waitFor();
    await items
      .getByRole('button', { name: /^Who refers to/ })
      .first()
      .click();
    await page.locator('.references .references > li, .references .quiet').first().waitFor();
  });

  it('is there before any drawing, hardly later than what it asks for', async () => {
    const { open } = explorer();
    const page = await open(placeOf(symbol));
    await page.locator('.code .line').first().waitFor();
    const scripts = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))`,
    );
    expect(scripts.filter((name) => /\/(?:graph|inside|parts|treemap|portfolio)[\w-]*\.js$/.test(name))).deep.equals(
      [],
    );
    // From a click on a name to the code of what it names, beside the same questions without a page.
    const ratios: number[] = [];
    for (let round = 0; round < 5; round++) {
      await page.goto(page.url().replace(/#.*/, '#/code?repo=negotiator&path=index.js'));
      await page.locator('.code a.definition').first().waitFor();
      ratios.push(
        await page.evaluate<number>(`(async () => {
          const until = (selector) => new Promise((resolve) => {
            const look = () => (document.querySelector(selector) ? resolve() : requestAnimationFrame(look));
            look();
          });
          const before = performance.now();
          document.querySelector('.code a.definition').click();
          await until('.symbol .references, .symbol [aria-label="Used by"] .quiet');
          const shown = performance.now() - before;
          const id = new URLSearchParams(location.hash.split('?')[1]).get('symbol');
          const headers = { authorization: 'Bearer ' + sessionStorage.getItem('repo-intel-key') };
          const asked = performance.now();
          for (const path of ['source/negotiator?symbol=', 'source/negotiator/history?symbol=', 'graph/references/'])
            await (await fetch('api/' + path + encodeURIComponent(id), { headers, cache: 'no-store' })).text();
          return shown / (performance.now() - asked);
        })()`),
      );
    }
    console.info(`        the page of a symbol takes ${Math.min(...ratios).toFixed(1)} times what its answers take`);
    expect(Math.min(...ratios)).below(4);
  });

  it('says who wrote the lines of a symbol, and with which commits, as the API tells it', async () => {
    const { open, service } = explorer();
    const { json } = await service.get(`/api/source/negotiator/history?symbol=${encodeURIComponent(symbol)}`);
    const { authors, commits } = json as {
      authors: { name: string }[];
      commits: { id: string; subject: string; lines: number }[];
    };
    expect(authors.length).above(0);
    const page = await open(placeOf(symbol));
    const history = page.getByRole('region', { name: 'History' });
    await history.getByRole('heading', { name: 'Authors' }).waitFor();
    expect(await history.locator('.line-owners a').allTextContents()).deep.equals(authors.map(({ name }) => name));
    const told = await history.locator('.line-commits li').allInnerTexts();
    expect(told).lengthOf(commits.length);
    for (const [index, { id, subject, lines }] of commits.entries())
      expect(told[index]).contains(subject).and.contains(id.slice(0, 8)).and.contains(`${lines} line`);
    await history.locator('.line-owners a').first().click();
    await page.getByRole('complementary', { name: `About ${authors[0]?.name}` }).waitFor();
  });

  it('tells beside each line who wrote it, and the text that is copied has none of it', async () => {
    const { open, service } = explorer();
    const { json } = await service.get('/api/source/negotiator/history?path=index.js');
    const { stretches, commits } = json as {
      stretches: { from: number; to: number; commit: string | null }[];
      commits: { id: string; subject: string; author: { name: string } }[];
    };
    const page = await open('#/code?repo=negotiator&path=index.js', { width: 1440 });
    await page.getByRole('button', { name: 'Blame' }).click();
    await page.waitForURL(/blame=1/);
    await page.locator('.code .blame').first().waitFor();
    expect(stretches.length).above(0);
    for (const { from, commit } of stretches) {
      const { author, subject } = commits.find(({ id }) => id === commit) ?? expect.fail(`${commit} is not told.`);
      const mark = page.locator(`.line[data-line="${from}"] .blame`);
      expect(await mark.getAttribute('data-says')).contains(author.name);
      expect(await mark.getAttribute('title')).contains(subject);
    }
    const source = (await service.get('/api/source/negotiator?path=index.js')).json['lines'] as { text: string }[];
    expect(await codeOf(page).textContent()).equals(`${source.map(({ text }) => text).join('\n')}\n`);
    await expectAccessible(page);
    await keepScreenshot(page, 'code-blame');
  });

  it('has an address for each line and for several, in which the page stays where it was', async () => {
    const page = await explorer().open('#/code?repo=negotiator&path=index.js', { width: 1440 });
    await page.locator('.code .hljs-keyword').first().waitFor();
    const before = await page.evaluate<number>('scrollY');
    await page.getByRole('link', { name: 'Line 12', exact: true }).click();
    await page.waitForURL(/line=12$/);
    await page.getByRole('link', { name: 'Line 9', exact: true }).click({ modifiers: ['Shift'] });
    await page.waitForURL(/line=9-12$/);
    expect(await page.locator('.marked').count()).equals(4);
    expect(await page.evaluate<number>('scrollY')).equals(before);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Link copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).equals(page.url());
    // What is no line marks none.
    await page.goto(page.url().replace('9-12', '12-9'));
    await page.locator('.marked').first().waitFor({ state: 'detached' });
  });

  it('has what is beside the file, and what lies in it with its lines', async () => {
    const page = await explorer().open('#/code?repo=negotiator&path=lib/encoding.js', { width: 1440 });
    const files = page.getByRole('navigation', { name: 'Files' });
    expect(await files.locator('[aria-current=page]').textContent()).equals('encoding.js');
    await page.getByRole('link', { name: 'preferredEncodings, line ' }).click();
    await page.waitForURL(/line=\d+$/);
    expect(await page.locator('.marked').textContent()).contains('preferredEncodings');
    // Folders that are known are not paid for again.
    const levels: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/graph/hierarchy/')) levels.push(request.url());
    });
    await files.getByRole('link', { name: 'charset.js' }).click();
    await page.getByRole('heading', { level: 1, name: 'charset.js' }).waitFor();
    await files.locator('[aria-current=page]', { hasText: 'charset.js' }).waitFor();
    expect(levels).deep.equals([]);
    await page
      .getByRole('navigation', { name: 'Where this is' })
      .getByRole('link', { name: 'lib', exact: true })
      .click();
    await page.waitForURL(/inside\?repo=negotiator&at=lib%2F/);
  });

  it('is printed whole and on white, whatever the screen', async () => {
    const page = await explorer().open('#/code?repo=negotiator&path=index.js', { theme: 'dark', width: 390 });
    await page.locator('.code .hljs-keyword').first().waitFor();
    const cutOff = () =>
      page.evaluate<number>(
        `(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => Math.max(scrollHeight - clientHeight, scrollWidth - clientWidth))(document.querySelector('.code pre'))`,
      );
    expect(await cutOff()).above(0);
    await page.emulateMedia({ media: 'print' });
    expect(await cutOff()).most(0);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).equals('rgb(255, 255, 255)');
    expect(await page.locator('.bar').isVisible()).equals(false);
  });

  it('says of a symbol and of a file that is not there that there is none', async () => {
    const page = await explorer().open(placeOf('negotiator/index.js#nothing'));
    await page.getByRole('heading', { name: 'There is no such symbol' }).waitFor();
    await page.goto(page.url().replace(/#.*/, '#/code?repo=negotiator&path=nothing.js'));
    await page.getByRole('heading', { name: 'There is no code to show' }).waitFor();
  });

  for (const look of looks) {
    const name = `code-${look.theme}${look.width ? '-phone' : ''}`;
    it(`is for everybody, fits, and nothing in it jumps: ${name}`, async () => {
      const page = await explorer().open(placeOf(symbol), look);
      await page.locator('.code .hljs-keyword').first().waitFor();
      await page.locator('.references > li').first().waitFor();
      await expectAccessible(page);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).equals(true);
      expect(await layoutShift(page)).below(0.05);
      await keepScreenshot(page, name);
    });
  }
});
