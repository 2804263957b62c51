import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { bundleFolder } from '../../src/explorer/bundle.ts';
import { openStores } from '../../src/stores/open.ts';
import type { Stores } from '../../src/stores/open.ts';
import { dataFolder } from './data-folder.ts';
import { effort } from './effort.ts';
import { whenAllIsDone } from './engines.ts';
import { fillPortfolio } from './explorer-portfolio.ts';
import { skipOrFail } from './required.ts';
import { useService } from './service.ts';
import type { TestService } from './service.ts';

/** How a page is opened. */
export interface Look {
  /** Of the tests' organization unless told; null shows the form that asks for one. */
  key?: string | null;
  theme?: 'light' | 'dark';
  width?: number;
  /** Where the service is reached, when not by its own port. */
  address?: string;
  /** Another place that it may lead to. */
  elsewhere?: string;
}

/** The explorer in a real browser. */
export interface Explorer {
  service: TestService;
  key: string;
  /** A page at this place, `#/search?q=x`, in a session of its own; what it did wrong fails the test. */
  open(place: string, look?: Look): Promise<Page>;
}

const phone = 390;

/** The sizes and themes that every view must stand. */
export const looks: readonly Look[] = effort({
  gate: [{ theme: 'light' }, { theme: 'dark', width: phone }],
  long: [{ theme: 'light' }, { theme: 'dark' }, { theme: 'light', width: phone }, { theme: 'dark', width: phone }],
});

/**
 * A suite on the explorer of a service with so many repositories, in Chromium: the one at CHROMIUM_PATH, else the system's; without
 * one it is skipped with the reason, or fails where REQUIRE_ENGINES=1 asks for all.
 */
export function describeExplorer(
  title: string,
  repositories: number,
  suite: (explorer: () => Explorer) => void,
  settings?: Parameters<typeof useService>[2],
): void {
  describe(`${title}, of ${repositories} ${repositories === 1 ? 'repository' : 'repositories'}`, function () {
    before(async function () {
      const absent = await findBrowser();
      if (absent === null) return;
      skipOrFail(this, absent);
    });
    describe('in Chromium', () => {
      const service = useService(() => openPortfolio(repositories), undefined, settings);
      const opened: { page: Page; wrong: string[] }[] = [];
      let key = '';
      before(async () => {
        key = (await service().createKey('explorer', 'owner')).api_key;
      });
      afterEach(async () => {
        const ending = opened.splice(0);
        for (const { page } of ending) await page.context().close();
        expect(ending.flatMap(({ wrong }) => wrong)).deep.equals([]);
      });
      suite(() => ({
        service: service(),
        key,
        async open(place, look = {}) {
          const address = look.address ?? `http://127.0.0.1:${service().port}`;
          const page = await newPage(address, { key, ...look });
          opened.push(page);
          await page.page.goto(`${address}/explorer${place}`);
          return page.page;
        },
      }));
    });
  });
}

let browser: Browser | undefined;

/** Starts it once a run; says why there is none. */
async function findBrowser(): Promise<string | null> {
  if (browser) return null;
  if (!existsSync(join(bundleFolder, 'index.html'))) throw new Error('The explorer is not built. Run: npm run prepare');
  const places = [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  const executablePath = places.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) return 'Chromium: CHROMIUM_PATH is not set, and none is installed.';
  const started = await chromium.launch({
    executablePath,
    // Only WebGL is drawn as a graphics card would: what draws the page itself that way takes three times as long.
    args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader'],
  });
  browser = started;
  whenAllIsDone(() => started.close());
  return null;
}

const portfolios = new Map<number, Promise<Stores>>();

/** Opened and filled once a run. */
function openPortfolio(repositories: number): Promise<Stores> {
  let opening = portfolios.get(repositories);
  if (opening === undefined) portfolios.set(repositories, (opening = fill(repositories)));
  return opening;
}

async function fill(repositories: number): Promise<Stores> {
  const folder = await dataFolder();
  const stores = await openStores({ dataDir: folder });
  whenAllIsDone(async () => {
    await stores.close();
    await rm(folder, { recursive: true });
  });
  await fillPortfolio(stores, repositories);
  return stores;
}

/** What a page does wrong, whatever it shows: errors, requests to other hosts. */
async function newPage(address: string, { key, theme = 'light', width = 1280, elsewhere = address }: Look) {
  if (browser === undefined) throw new Error('The browser is started before.');
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  if (key) await context.addInitScript(`sessionStorage.setItem('repo-intel-key', ${JSON.stringify(key)})`);
  // Longer than a machine that is busy with other things needs for a page.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // A refused key, a service that is away, and that drawing waits for reading are told by the browser itself.
    if (
      ['error', 'warning'].includes(message.type()) &&
      !/Failed to load resource|GPU stall due to ReadPixels/.test(message.text())
    )
      wrong.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const isOurs = [address, elsewhere].some((place) => request.url().startsWith(`${place}/`));
    if (!isOurs && !/^(?:blob|data):/.test(request.url())) wrong.push(`another host: ${request.url()}`);
  });
  return { page, wrong };
}

const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Lets axe-core look for what people with disabilities could not use. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const violations = await page.evaluate<string[]>(`axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`);
  expect(violations).deep.equals([]);
}

/** What was moved without anybody having touched it: Cumulative Layout Shift. */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) =>
      resolve(list.getEntries().filter(({ hadRecentInput }) => !hadRecentInput).reduce((sum, { value }) => sum + value, 0)),
    ).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
  })`);
}

/** Pairs of names that lie over each other, and names over the edge of the picture. */
export const misplacedNames = (page: Page, names: string) =>
  page.evaluate<string[]>(`(() => {
    const sheet = document.querySelector('${names}').closest('svg').getBoundingClientRect();
    const boxes = [...document.querySelectorAll('${names}')].map((each) => ({ text: each.textContent, box: each.getBoundingClientRect() }));
    return boxes.flatMap(({ text, box: a }, index) => [
      ...(a.left < sheet.left - 1 || a.right > sheet.right + 1 || a.top < sheet.top - 1 || a.bottom > sheet.bottom + 1 ? [text + ' is over the edge'] : []),
      ...boxes.slice(index + 1).filter(({ box: b }) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        .map((other) => text + ' over ' + other.text),
    ]);
  })()`);

/** The widths at which what is drawn must be readable. */
export const mapSizes: readonly Look[] = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
];

const screenshots = join(import.meta.dirname, '../../coverage/screenshots');

/** Keeps what the page looks like, for people to look at. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}
