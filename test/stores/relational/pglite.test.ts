import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import { rowLevelSecurityContract } from '../../contract/row-level-security.ts';
import { openPglite } from '../../../src/stores/relational/pglite.ts';
import type { RelationalStore } from '../../../src/stores/relational/port.ts';
import { checkoutSessionsContract } from '../../contract/checkout-sessions.ts';
import { failure, relationalStoreContract, repository, unique } from '../../contract/relational-store.ts';
import { pairingsContract } from '../../contract/pairings.ts';
import { keyPlacesContract } from '../../contract/key-places.ts';
import { waitlistsContract } from '../../contract/waitlists.ts';
import { purgeContract } from '../../contract/purge.ts';
import { repositoriesContract } from '../../contract/repositories.ts';
import { reportsContract } from '../../contract/reports.ts';
import { eventsContract } from '../../contract/events.ts';
import { measuredChangesContract } from '../../contract/measured-changes.ts';
import { sourcesContract } from '../../contract/sources.ts';
import { plansContract } from '../../contract/plans.ts';
import { usageContract } from '../../contract/usage.ts';
import { taskInstancesContract } from '../../contract/task-instances.ts';
import { viewsContract } from '../../contract/views.ts';
import { webhookDeliveriesContract } from '../../contract/webhook-deliveries.ts';
import { webhookInboxContract } from '../../contract/webhook-inbox.ts';

describe('relational store: pglite', () => {
  let folder: string;
  let store: RelationalStore;
  const open = async () => {
    store = await openPglite({ folder: join(folder, 'postgres') });
  };
  const reopen = async () => {
    await store.close();
    await open();
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pglite-'));
    await open();
  });
  after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
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

  usageContract(() => store);
  plansContract(() => store);
  relationalStoreContract(() => store, reopen);

  it('answers others while a large snapshot is saved', async () => {
    let saving = true;
    let answered = 0;
    /** How many answers there had been at the begin of each part. */
    const seen: number[] = [];
    const bytes = (function* () {
      for (let part = 0; part < 40; part += 1) {
        seen.push(answered);
        yield Buffer.alloc(1_000_000, part);
      }
    })();
    const saved = store.snapshots.save(repository(unique('repo')), 'g', bytes).finally(() => {
      saving = false;
    });
    while (saving) {
      await store.accounts.organizations();
      answered += 1;
      await sleep(1);
    }
    await saved;
    const meanwhile = Object.values(Object.groupBy(seen, String)).map((parts) => parts?.length ?? 0);
    expect(Math.max(...meanwhile), 'parts between two answers').to.be.below(seen.length / 3);
  });

  it('says in one sentence which folder it cannot open, and why', async () => {
    const file = join(folder, 'file');
    await writeFile(file, 'no folder');
    const error = await failure(openPglite({ folder: join(file, 'postgres') }));
    expect(error)
      .to.have.property('message')
      .that.matches(/^The database in .*file.postgres can't be opened: .*(ENOTDIR|EEXIST)/);
  });
});

describe('relational store: pglite, seen from beside', () => {
  let folder: string;
  let store: RelationalStore;
  const open = async () => {
    store = await openPglite({ folder: join(folder, 'postgres') });
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pglite-'));
    await open();
  });
  after(() => rm(folder, { recursive: true }));

  const beside = async () => {
    await store.close();
    const database = await PGlite.create({ dataDir: join(folder, 'postgres') });
    return {
      ask: async (statement: string, values?: unknown[]) =>
        (await database.query<Record<string, unknown>>(statement, values)).rows,
      administer: (statement: string) => database.exec(statement),
      close: () => database.close(),
    };
  };

  const administerOnce = async (statement: string) => {
    const { administer, close } = await beside();
    await administer(statement);
    await close();
    await open();
  };
  purgeContract(() => store, administerOnce);
  keyPlacesContract(() => store, administerOnce);
  waitlistsContract(() => store, administerOnce);

  rowLevelSecurityContract(() => store, beside);
});
