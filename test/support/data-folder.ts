import { cpSync, rmSync } from 'node:fs';
import { relationalFolder } from '../../src/stores/open.ts';
import { openPglite } from '../../src/stores/relational/pglite.ts';
import { temporaryFolder } from './git-repository.ts';

let made: Promise<string> | undefined;

/** A data folder as a first start leaves it, with nothing loaded: copied, as to make the database anew takes a second of CPU. */
export async function dataFolder(folder = temporaryFolder()): Promise<string> {
  cpSync(await (made ??= make()), folder, { recursive: true });
  return folder;
}

/** Once a run. */
async function make(): Promise<string> {
  const dataDir = temporaryFolder();
  process.once('exit', () => rmSync(dataDir, { recursive: true }));
  const store = await openPglite({ folder: relationalFolder({ dataDir }) });
  await store.close();
  return dataDir;
}
