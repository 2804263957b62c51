import { expect } from 'chai';
import { Client } from 'pg';
import { StoreUnavailable } from '../../../src/stores/errors.ts';
import type { RelationalStore } from '../../../src/stores/relational/port.ts';
import { openPostgres } from '../../../src/stores/relational/postgres.ts';
import { checkoutSessionsContract } from '../../contract/checkout-sessions.ts';
import { failure, relationalStoreContract, repository, unique } from '../../contract/relational-store.ts';
import { pairingsContract } from '../../contract/pairings.ts';
import { keyPlacesContract } from '../../contract/key-places.ts';
import { waitlistsContract } from '../../contract/waitlists.ts';
import { purgeContract } from '../../contract/purge.ts';
import { repositoriesContract } from '../../contract/repositories.ts';
import { reportsContract } from '../../contract/reports.ts';
import { rowLevelSecurityContract } from '../../contract/row-level-security.ts';
import { eventsContract } from '../../contract/events.ts';
import { measuredChangesContract } from '../../contract/measured-changes.ts';
import { sourcesContract } from '../../contract/sources.ts';
import { plansContract } from '../../contract/plans.ts';
import { usageContract } from '../../contract/usage.ts';
import { taskInstancesContract } from '../../contract/task-instances.ts';
import { viewsContract } from '../../contract/views.ts';
import { webhookDeliveriesContract } from '../../contract/webhook-deliveries.ts';
import { webhookInboxContract } from '../../contract/webhook-inbox.ts';
import { onEngine } from '../../support/engines.ts';
import { openTcpProxy } from '../../support/tcp-proxy.ts';

onEngine('postgres', (server) => {
  let url = '';
  let store: RelationalStore;
  const administer = async (statement: string) => {
    const client = new Client({ connectionString: server() });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  const database = unique('repo_intel_test').replaceAll('-', '_');
  const timeoutMs = 30_000;
  const open = async () => {
    // The time of one question depends on who else runs on the machine: here the answers count.
    store = await openPostgres({ url, timeoutMs });
  };
  const reopen = async () => {
    await store.close();
    await open();
  };
  before(async () => {
    await administer(`CREATE DATABASE ${database}`);
    url = Object.assign(new URL(server()), { pathname: `/${database}` }).href;
    await open();
  });
  after(async () => {
    // Nothing is open when the suite was skipped.
    if (!url) return;
    await store.close();
    await administer(`DROP DATABASE ${database} WITH (FORCE)`);
  });

  checkoutSessionsContract(() => store);
  taskInstancesContract(() => store);
  repositoriesContract(() => store);
  webhookInboxContract(() => store, reopen);
  webhookDeliveriesContract(() => store, reopen);
  viewsContract(() => store);

  pairingsContract(() => store);

  reportsContract(() => store);

  measuredChangesContract(() => store);
  sourcesContract(() => store);

  eventsContract(() => store);

  const administerOnce = async (statement: string) => {
    const { ask, close } = await beside();
    await ask(statement);
    await close();
  };
  purgeContract(() => store, administerOnce);
  keyPlacesContract(() => store, administerOnce);
  waitlistsContract(() => store, administerOnce);

  const beside = async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    return {
      ask: async (statement: string, values?: unknown[]): Promise<Record<string, unknown>[]> =>
        (await client.query(statement, values)).rows,
      close: () => client.end(),
    };
  };
  rowLevelSecurityContract(() => store, beside);

  usageContract(() => store);
  plansContract(() => store);
  relationalStoreContract(() => store, reopen);

  it('makes the tables once when many processes start on an empty database at once', async () => {
    const empty = unique('repo_intel_test').replaceAll('-', '_');
    await administer(`CREATE DATABASE ${empty}`);
    const stores = await Promise.all(
      Array.from({ length: 5 }, () =>
        openPostgres({ url: Object.assign(new URL(server()), { pathname: `/${empty}` }).href, timeoutMs }),
      ),
    );
    await Promise.all(stores.map((one) => one.ping()));
    await Promise.all(stores.map((one) => one.close()));
    await administer(`DROP DATABASE ${empty}`);
  });

  it('opens when nobody listens, says that the store is unavailable, and names no address', async () => {
    const other = await openPostgres({ url: 'postgres://ann:secret@127.0.0.1:1/none' });
    const error = await failure(other.ping());
    expect(error).to.be.instanceOf(StoreUnavailable).with.property('message', "The relational store can't be reached.");
    await other.close();
  });

  it('makes the tables when the server comes, for all who ask at once', async () => {
    const empty = unique('repo_intel_test').replaceAll('-', '_');
    await administer(`CREATE DATABASE ${empty}`);
    const proxy = await openTcpProxy(Object.assign(new URL(server()), { pathname: `/${empty}` }).href);
    proxy.cut();
    const other = await openPostgres({ url: proxy.url });
    expect(await failure(other.accounts.organizations())).to.be.instanceOf(StoreUnavailable);
    proxy.restore();
    expect(await Promise.all(Array.from({ length: 5 }, () => other.accounts.organizations()))).to.deep.equal(
      Array.from({ length: 5 }, () => []),
    );
    await other.close();
    proxy.close();
    await administer(`DROP DATABASE ${empty}`);
  });

  it('says that the store is unavailable when its connections are cut, idle or at work, and works again afterwards', async () => {
    const name = unique('repo');
    const bytes = async function* () {
      for (let part = 0; part < 20; part += 1) yield Buffer.alloc(500_000, part);
      await cut();
      for (let part = 0; part < 20; part += 1) yield Buffer.alloc(500_000, part);
    };
    const cut = () =>
      administer(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND pid <> pg_backend_pid()`,
      );
    const outcomes = await Promise.all(
      [
        store.snapshots.save(repository(name), 'g', bytes()),
        ...Array.from({ length: 300 }, () => store.accounts.organizations()),
      ].map((query) => query.then(() => null).catch((error: unknown) => error)),
    );
    for (const error of outcomes) if (error !== null) expect(error).to.be.instanceOf(StoreUnavailable);
    await cut();
    await store.accounts.organizations().catch((error: unknown) => expect(error).to.be.instanceOf(StoreUnavailable));
    expect(await store.accounts.organizations()).to.be.an('array');
  });

  it('says that the store is unavailable when the server falls silent, and works again afterwards', async () => {
    const proxy = await openTcpProxy(url);
    const other = await openPostgres({ url: proxy.url });
    await other.ping();
    proxy.freeze();
    const begin = performance.now();
    expect(await failure(other.accounts.organizations())).to.be.instanceOf(StoreUnavailable);
    expect(await failure(other.accounts.organizations())).to.be.instanceOf(StoreUnavailable);
    expect(performance.now() - begin).to.be.below(20_000);
    proxy.restore();
    expect(await other.accounts.organizations()).to.be.an('array');
    await other.close();
    proxy.close();
  });
});
