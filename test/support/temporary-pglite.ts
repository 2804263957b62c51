import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPglite } from '../../src/stores/relational/pglite.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';

/** A relational store on an empty folder for the tests of this `describe`. */
export function temporaryPglite(): () => RelationalStore {
  let folder: string;
  let store: RelationalStore;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pglite-'));
    store = await openPglite({ folder: join(folder, 'postgres') });
  });
  after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  return () => store;
}
