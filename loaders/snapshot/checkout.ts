import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { git } from './git.ts';
import { submodulesOf } from './submodules.ts';

/** What a checkout must not take from the machine: filters and hooks are programs. */
const alone = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_LFS_SKIP_SMUDGE: '1' };

/**
 * Writes one commit into a new folder, as a repository that holds this commit and nothing else: neither what led to it nor what
 * came after it is anywhere in it, nor where it comes from. Its submodules that are at hand are written in the same way; the others
 * are empty folders, and their paths are given back.
 */
export async function checkout(options: {
  gitDir: string;
  commit: string;
  folder: string;
  signal?: AbortSignal;
}): Promise<string[]> {
  const { gitDir, commit, folder, signal } = options;
  await mkdir(folder, { recursive: true });
  const given = { cwd: folder, ...(signal ? { signal } : {}) };
  await git(['init', '--quiet', '--template=', '--initial-branch=main'], { ...given, environment: alone });
  const fetch = [
    'fetch',
    '--quiet',
    '--depth=1',
    '--no-tags',
    '--no-write-fetch-head',
    '--',
    pathToFileURL(gitDir).href,
  ];
  await git([...fetch, commit], { ...given, protocols: 'file', environment: { GIT_PROTOCOL: 'version=2' } });
  await git(['checkout', '--quiet', '--detach', commit], { ...given, environment: alone });
  const missing: string[] = [];
  for (const { path, isAtHand, ...submodule } of await submodulesOf(gitDir, commit)) {
    const inside = join(folder, path);
    // A link of the same tree may stand on the way.
    const isInside = (await realpath(inside).catch(() => null)) === join(await realpath(folder), path);
    if (!isAtHand) missing.push(path);
    else if (isInside) {
      const deeper = await checkout({ ...submodule, folder: inside, ...(signal ? { signal } : {}) });
      missing.push(...deeper.map((each) => `${path}/${each}`));
    }
  }
  return missing;
}
