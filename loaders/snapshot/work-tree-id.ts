import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from './git.ts';

/** The id of the tree that a checkout's files make now, committed or not; its own index stays as it is. */
export async function workTreeId(folder: string, signal?: AbortSignal): Promise<string> {
  const temporary = await mkdtemp(join(tmpdir(), 'repo-intel-index-'));
  try {
    const index = join(temporary, 'index');
    // It knows which files did not change since; by its own time it knows what it can't be sure of.
    await cp(join(folder, '.git', 'index'), index, { preserveTimestamps: true });
    const environment = { GIT_INDEX_FILE: index, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    const options = { cwd: folder, environment, config: [`safe.directory=${folder}`], ...(signal ? { signal } : {}) };
    await git(['add', '--all', '--force', '.'], options);
    return (await git(['write-tree'], options)).trim();
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
