import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { describeExplorer, expectAccessible, keepScreenshot, layoutShift, looks } from '../support/explorer.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';

/** Compressed, of all that the first view needs. */
const maxScriptBytes = 300 * 1024;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describeExplorer('explorer: the frame', 15, (explorer) => {
  for (const look of looks) {
    const name = `key-${look.theme}${look.width ? '-phone' : ''}`;
    it(`asks for a key, for everybody: ${name}`, async () => {
      const page = await explorer().open('', { ...look, key: null });
      await heading(page, 'Repository Intelligence').waitFor();
      await expectAccessible(page);
      await keepScreenshot(page, name);
    });
  }

  it('says so where the program does not come, and no more once it is there', async () => {
    const page = await explorer().open('#/search');
    await heading(page, 'Search').waitFor();
    expect(await page.getByText('The explorer is being loaded').count()).equals(0);
    await page.route('**/explorer/**/*.js', () => undefined);
    await page.reload({ waitUntil: 'commit' });
    await page.getByText('The explorer is being loaded').waitFor();
  });

  it('takes a key that is right, says of a wrong one that it is not, and keeps it nowhere but in the tab', async () => {
    const { key, open } = explorer();
    const page = await open('#/search', { key: null });
    const field = page.getByLabel('API key');
    await field.fill('ris_live_wrong');
    await field.press('Enter');
    await page.getByText('This key is not taken').waitFor();
    expect(await field.getAttribute('aria-invalid')).equals('true');
    await field.fill(`  ${key} `);
    await page.getByRole('button', { name: 'Open' }).click();
    await heading(page, 'Search').waitFor();
    const places = await page.evaluate<string[]>(
      '[document.documentElement.outerHTML, location.href, document.cookie, JSON.stringify(localStorage), JSON.stringify(history.state)]',
    );
    expect(places.filter((place) => place.includes(key))).deep.equals([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await field.waitFor();
    expect(await page.evaluate('sessionStorage.length')).equals(0);
  });

  it('of a key that expires meanwhile it says so, and goes on where one was with another', async () => {
    const { key, service, open } = explorer();
    let lifeMs = 2_000;
    // A key that lives for longer than this machine takes to open a page.
    const { page, expiresAt } = await eventually(async () => {
      const expires = new Date(Date.now() + (lifeMs *= 2));
      const soon = await service.createKey('explorer', 'owner', expires.toISOString());
      const opened = await open('#/search', { key: soon.api_key });
      await opened.locator('.results > li').first().waitFor({ timeout: lifeMs });
      return { page: opened, expiresAt: expires.getTime() };
    });
    await page.waitForTimeout(Math.max(0, expiresAt - Date.now()) + 50);
    await page.getByRole('searchbox').fill('koa');
    await page.getByText('Your key has expired.').waitFor();
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('API key').press('Enter');
    await page.locator('.results mark').first().waitFor();
  });

  it('while the service is away it says so and waits, and once it is back answers what was asked', async () => {
    const { service, open } = explorer();
    const proxy = await openTcpProxy(`http://127.0.0.1:${service.port}/`);
    try {
      const page = await open('#/search', { address: proxy.url.replace(/\/$/, '') });
      await page.locator('.results > li').first().waitFor();
      proxy.cut();
      await page.getByRole('searchbox').fill('keygrip');
      await page.getByText('The service does not answer.').waitFor();
      await keepScreenshot(page, 'away');
      expect(await page.locator('.results > li').count()).above(0);
      proxy.restore();
      await page.locator('.results mark').first().waitFor();
      expect(await page.getByText('The service does not answer.').count()).equals(0);
    } finally {
      proxy.close();
    }
  });

  it('says no more that the service is away once any question is answered', async () => {
    const { service, open } = explorer();
    const proxy = await openTcpProxy(`http://127.0.0.1:${service.port}/`);
    try {
      const page = await open('#/search', { address: proxy.url.replace(/\/$/, '') });
      await page.locator('.results > li').first().waitFor();
      await page.route('**/readyz', () => undefined);
      proxy.cut();
      await page.getByRole('searchbox').fill('nothing');
      await page.getByText('The service does not answer.').waitFor();
      proxy.restore();
      await page.getByRole('searchbox').fill('keygrip');
      await page.locator('.results mark').first().waitFor();
      expect(await page.getByText('The service does not answer.').count()).equals(0);
    } finally {
      proxy.close();
    }
  });

  it('has its first content before any answer, by scripts of at most 300 KB, and moves none of it', async () => {
    const { open } = explorer();
    const page = await open('', { key: null });
    // The service takes its time.
    await page.route(/\/(?:api\/.*)?$/, () => {});
    await page.evaluate(`sessionStorage.setItem('repo-intel-key', 'any')`);
    await page.reload();
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    const paint = await page.evaluate<number>(`new Promise((resolve) =>
      new PerformanceObserver((list) =>
        list.getEntriesByName('first-contentful-paint').forEach(({ startTime }) => resolve(startTime)),
      ).observe({ type: 'paint', buffered: true }))`);
    const whole = await open('');
    await whole.getByText(/\d+ repositories, \d+ links/).waitFor();
    const bytes = await whole.evaluate<number>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
    console.info(`        first content after ${Math.round(paint)} ms, ${Math.round(bytes / 1024)} KB of script`);
    expect(bytes).within(10_000, maxScriptBytes);
    expect(await layoutShift(whole)).below(0.05);
  });

  it('is gone through by keys alone, and each view begins at its top', async () => {
    const page = await explorer().open('#/graph');
    await page.getByText(/\d+ repositories, \d+ links/).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).equals('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).equals('main');
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { level: 1, name: 'Due diligence' }).waitFor();
    expect(await page.title()).contains('Due diligence');
    await page.keyboard.press('g');
    await page.keyboard.press('g');
    await page.getByText(/\d+ repositories, \d+ links/).waitFor();
    expect(await page.evaluate('document.activeElement.id')).equals('main');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).equals('Find anything');
    await page.keyboard.press('Escape');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Shortcuts are on').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    expect(await page.title()).contains('Map');
  });

  it('is dark or light as one likes, also the next time', async () => {
    const page = await explorer().open('#/search');
    await heading(page, 'Search').waitFor();
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByRole('button', { name: 'Dark or light' }).click();
    expect(await ground()).not.equals(light);
    const dark = await ground();
    await page.reload();
    await heading(page, 'Search').waitFor();
    expect(await ground()).equals(dark);
  });

  it('says of an address that names no view that there is none, and offers those that there are', async () => {
    const page = await explorer().open('#/nonsense');
    await heading(page, 'No such view').waitFor();
    // What an address names and is not there is the heading of its page, too.
    for (const place of ['#/inside?repo=none', '#/repository?repo=none', '#/code', '#/task?id=none', '#/attempt']) {
      await page.goto(page.url().replace(/#.*/, place));
      await page.locator('.state').waitFor();
      expect(await page.locator('h1').count(), place).equals(1);
      await expectAccessible(page);
    }
    await page.goto(page.url().replace(/#.*/, '#/nothing'));
    await heading(page, 'No such view').waitFor();
    expect(await page.title()).contains('No such view');
    await page.locator('#main').getByRole('link', { name: 'Due diligence' }).click();
    await heading(page, 'Due diligence').waitFor();
  });

  it('goes back and forth as the browser does', async () => {
    const page = await explorer().open('#/search?q=keygrip');
    await page.locator('.results mark').first().waitFor();
    await page.getByRole('link', { name: 'Map' }).click();
    await page.getByText(/\d+ repositories, \d+ links/).waitFor();
    await page.goBack();
    await page.locator('.results mark').first().waitFor();
    expect(await page.getByRole('searchbox').inputValue()).equals('keygrip');
  });
});

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()');
