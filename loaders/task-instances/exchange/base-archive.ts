import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import type { TaskInstance } from '../../../src/model/task-instance.ts';

/** Writes an instance's base commit, without history, into a folder. */
export type Checkout = (instance: TaskInstance, folder: string) => Promise<unknown>;

/** What a Dockerfile beside it unpacks: the tree of the base as a repository of one commit, which holds nothing of the fix. */
export const baseArchive = 'base.tar.gz';

/** Writes the archive into a folder. */
export async function writeBase(instance: TaskInstance, checkout: Checkout, folder: string): Promise<void> {
  const tree = await mkdtemp(join(tmpdir(), 'repo-intel-base-'));
  try {
    await checkout(instance, tree);
    await create({ file: join(folder, baseArchive), cwd: tree, gzip: true, portable: true }, ['.']);
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}
