import { rm } from 'node:fs/promises';
import { relationalFolder } from '../../src/stores/open.ts';
import { openPglite } from '../../src/stores/relational/pglite.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import { dataFolder } from './data-folder.ts';

/** A relational store on an empty folder for the tests of this `describe`. */
export function temporaryPglite(): () => RelationalStore {
  let folder: string;
  let store: RelationalStore | undefined;
  before(async () => {
    folder = await dataFolder();
    store = await openPglite({ folder: relationalFolder({ dataDir: folder }) });
  });
  after(async () => {
    // Nothing is open in a suite that was skipped.
    if (!store) return;
    await store.close();
    await rm(folder, { recursive: true });
  });
  return () => {
    if (!store) throw new Error('The store is open from before to after.');
    return store;
  };
}
