import { access, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mustBelongTo } from './git-dir-owner.ts';
import { git, GitFailure } from './git.ts';
import { SnapshotError } from './snapshot-error.ts';

/**
 * The git directory of the repository whose root this folder is (a work tree, a linked worktree, a bare repository);
 * null when it is none, also for a folder inside one.
 */
export async function gitDirOf(folder: string): Promise<string | null> {
  const hasDotGit = await exists(join(folder, '.git'));
  // Without these git has nothing to find, and need not be installed.
  if (!hasDotGit && !((await exists(join(folder, 'HEAD'))) && (await exists(join(folder, 'objects'))))) return null;
  const whole = await realpath(folder);
  try {
    const found = await git(['rev-parse', '--absolute-git-dir'], {
      cwd: whole,
      config: [`safe.directory=${folder}`, `safe.directory=${whole}`],
      environment: { GIT_CEILING_DIRECTORIES: dirname(whole) },
    });
    const gitDir = found.replace(/\n$/, '');
    await mustBelongTo(whole, gitDir);
    return gitDir;
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    if (!hasDotGit) return null;
    throw new SnapshotError(
      'not_a_repository',
      `${folder} has a .git that git can't read (${firstLine(error.stderr)}): run \`git -C ${folder} fsck\` or clone it again.`,
      { cause: error },
    );
  }
}

/** The nearest folder, from this one upwards, that is the root of a repository; null when there is none. */
export async function findRepository(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if (await exists(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').replace(/^fatal: /, '');
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
