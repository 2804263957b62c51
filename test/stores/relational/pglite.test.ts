import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPglite } from '../../../src/stores/relational/pglite.ts';
import type { RelationalStore } from '../../../src/stores/relational/port.ts';
import { relationalStoreContract } from '../../contract/relational-store.ts';

describe('relational store: pglite', () => {
  let folder: string;
  let store: RelationalStore;
  const open = async () => {
    store = await openPglite({ folder: join(folder, 'postgres') });
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pglite-'));
    await open();
  });
  after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  relationalStoreContract(
    () => store,
    async () => {
      await store.close();
      await open();
    },
  );
});
