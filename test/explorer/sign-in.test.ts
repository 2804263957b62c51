import { expect } from 'chai';
import { unique } from '../contract/relational-store.ts';
import { describeExplorer, expectAccessible, keepScreenshot, looks } from '../support/explorer.ts';
import { freePort } from '../support/free-port.ts';
import { clientId, clientSecret, startOpenIdProvider } from '../support/openid-provider.ts';
import type { OpenIdServer } from '../support/openid-provider.ts';

let provider: OpenIdServer;
let baseUrl: string;

describe('explorer: signing in', () => {
  before(async () => {
    baseUrl = `http://127.0.0.1:${await freePort()}`;
    provider = await startOpenIdProvider({ redirect: `${baseUrl}/sign-in/callback`, left: `${baseUrl}/explorer` });
  });
  after(() => provider.close());

  describeExplorer(
    'with an identity provider',
    15,
    (explorer) => {
      for (const look of looks)
        it(`offers it beside the key: ${look.theme}${look.width ? ', on a phone' : ''}`, async () => {
          const page = await explorer().open('', { ...look, key: null });
          await page.getByRole('link', { name: 'Sign in' }).waitFor();
          await expectAccessible(page);
          await keepScreenshot(page, `sign-in-${look.theme}${look.width ? '-phone' : ''}`);
        });

      it('leads back to where one was, keeps nothing that a script could read, and ends', async () => {
        const { service, open } = explorer();
        const subject = unique('subject');
        await service.createKey(unique('org'), 'viewer', null, 'vera', { subject });
        provider.account = subject;
        const page = await open('#/usage', { key: null, elsewhere: provider.issuer });
        await page.getByRole('link', { name: 'Sign in' }).click();
        await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
        expect(page.url()).equals(`${baseUrl}/explorer#/usage`);
        expect(await page.evaluate('document.cookie + JSON.stringify(sessionStorage)')).equals('{}');
        // Another tab is signed in, too.
        await page.reload();
        await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.waitForURL((url) => url.origin === provider.issuer);
        await page.goto(`${baseUrl}/explorer`);
        await page.getByRole('link', { name: 'Sign in' }).waitFor();
      });

      it('opens a shared view for a colleague who signs in to the same organization, and for nobody else', async () => {
        const { service, open } = explorer();
        const acme = unique('org');
        const [anna, bo, eve] = [unique('anna'), unique('bo'), unique('eve')];
        await service.createKey(acme, 'viewer', null, 'anna', { subject: anna });
        await service.createKey(acme, 'viewer', null, 'bo', { subject: bo });
        await service.createKey(unique('org'), 'owner', null, 'eve', { subject: eve });
        const signedIn = async (subject: string, place: string) => {
          provider.account = subject;
          const page = await open(place, { key: null, elsewhere: provider.issuer });
          await page.getByRole('link', { name: 'Sign in' }).click();
          return page;
        };
        const hers = await signedIn(anna, '#/search?q=negotiate&type=Function');
        await hers.locator('.results > li').first().waitFor();
        const save = async (isShared: boolean) => {
          await hers.getByRole('button', { name: 'Save or share this view' }).click();
          const dialog = hers.getByRole('dialog', { name: 'Save this view' });
          expect(await dialog.getByLabel('Name').inputValue()).equals('Search: negotiate');
          if (isShared) await dialog.getByRole('checkbox').check();
          await dialog.getByRole('button', { name: 'Save' }).click();
          const link = await hers.getByRole('dialog', { name: 'Saved' }).getByLabel('Link').inputValue();
          await hers.getByRole('button', { name: 'Close' }).click();
          return new URL(link).hash;
        };
        const [shared, own] = [await save(true), await save(false)];
        expect(decodeURIComponent(shared + own)).not.includes('negotiate');

        const his = await signedIn(bo, shared);
        await his.locator('.results > li').first().waitFor();
        expect(his.url()).equals(`${baseUrl}/explorer#/search?q=negotiate&type=Function`);
        await his.goto(`${baseUrl}/explorer#/search`);
        const searches = his.getByRole('navigation', { name: 'Saved searches' });
        await searches.getByRole('link', { name: 'Search: negotiate' }).waitFor();
        await keepScreenshot(his, 'shared-searches');
        await his.goto(`${baseUrl}/explorer${own}`);
        await his.getByRole('heading', { name: 'This link does not open for you' }).waitFor();

        const others = await signedIn(eve, shared);
        await others.getByRole('heading', { name: 'This link does not open for you' }).waitFor();
        await expectAccessible(others);
        await keepScreenshot(others, 'not-shared-with-me');

        // Taken back, it opens for nobody else any more.
        await hers.goto(`${baseUrl}/explorer#/saved`);
        await hers.getByRole('button', { name: 'Stop sharing Search: negotiate' }).click();
        await hers.getByRole('cell', { name: 'everybody here' }).waitFor({ state: 'detached' });
        expect(await hers.locator('tbody tr').count()).equals(2);
        await his.goto(`${baseUrl}/explorer${shared}`);
        await his.reload();
        await his.getByRole('heading', { name: 'This link does not open for you' }).waitFor();
      });

      it('shows what is new since the last visit, and then no longer', async () => {
        const { service, open } = explorer();
        const { api_key: key, organization } = await service.createKey(unique('org'), 'viewer');
        const { repositories, runs, snapshots } = service.stores.relational;
        const stored = await snapshots.get('koa');
        if (!stored) throw new Error('It is loaded.');
        const info = { ...stored.info, name: await repositories.claim(organization.id, 'payments') };
        const fail = async (error: string) => runs.fail(await runs.begin(info), error);
        for (const grade of ['B', 'C']) {
          const measurements = { metrics: [], people: [], authorship: [] };
          await snapshots.save(info, grade, [Buffer.from(grade)], { run: await runs.begin(info), measurements, grade });
        }
        await fail('The remote hung up.');
        const page = await open('#/news', { key });
        await page.getByText('2 repositories loaded, 1 load failed, 1 grade changed in the last 90 days').waitFor();
        await page.getByRole('cell', { name: 'The remote hung up.' }).waitFor();
        await page.reload();
        await page.getByText('Nothing is new since your last visit').waitFor();
        await fail('No disk.');
        await page.reload();
        await page.getByText('1 load failed since your last visit').waitFor();
        const fresh = page.getByRole('table', { name: 'New since your last visit' });
        expect(await fresh.locator('tbody tr').count()).equals(1);
        await snapshots.remove(info.name);
        await repositories.remove(info.name);
        for (const look of looks) {
          const name = `${look.theme}${look.width ? '-phone' : ''}`;
          const each = await open('#/news', { ...look, key });
          await each.getByRole('table').first().waitFor();
          await expectAccessible(each);
          expect(await each.evaluate('document.documentElement.scrollWidth <= innerWidth')).equals(true);
          await keepScreenshot(each, `news-${name}`);
          await each.goto(`${baseUrl}/explorer#/saved`);
          await each.getByRole('heading', { name: 'Nothing is saved yet' }).waitFor();
          await each.getByRole('button', { name: 'Save or share this view' }).click();
          await keepScreenshot(each, `save-${name}`);
          await each.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
          await each.getByRole('dialog', { name: 'Saved' }).waitFor();
          await expectAccessible(each);
          await each.getByRole('button', { name: 'Close' }).click();
          await each.reload();
          await each.getByRole('button', { name: 'Remove Saved' }).waitFor();
          await expectAccessible(each);
          await keepScreenshot(each, `saved-${name}`);
          await each.getByRole('button', { name: 'Remove Saved' }).click();
          await each.getByRole('heading', { name: 'Nothing is saved yet' }).waitFor();
        }
      });
    },
    () => ({ baseUrl, openIdProvider: { issuer: provider.issuer, clientId, clientSecret } }),
  );
});
