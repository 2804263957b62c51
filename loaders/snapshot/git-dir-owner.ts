import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { git } from './git.ts';
import { SnapshotError } from './snapshot-error.ts';

/**
 * A folder may come from anywhere, and its `.git` may say that it is a work tree of any repository on this machine, which would then
 * be loaded in its place. So a git directory outside of the folder must name the folder in turn, as git writes it for linked
 * worktrees and submodules; and what it is made of lies in it. Throws SnapshotError. `folder` and `gitDir` are real paths.
 */
export async function mustBelongTo(folder: string, gitDir: string): Promise<void> {
  const own = await realpath(gitDir);
  const common = await commonDirOf(own);
  const isWorktree = common !== own && dirname(dirname(own)) === common && basename(dirname(own)) === 'worktrees';
  const belongs =
    isInside(own, folder) || (isWorktree ? await isWorktreeAt(own, folder) : await isSubmoduleAt(own, folder));
  if (!belongs || (common !== own && !isWorktree))
    throw new SnapshotError(
      'not_a_repository',
      `${folder} has a .git that leads to ${belongs ? common : own}, which is outside of it and does not name it: name that repository itself; where this is a work tree of it that was moved, run \`git worktree repair\` there first.`,
    );
  const outside = await firstOutside(common);
  if (outside !== null)
    throw new SnapshotError(
      'not_a_repository',
      `${outside} is a link that leads out of its repository, as git makes none: name the repository that it leads to.`,
    );
}

const isInside = (path: string, folder: string) => path === folder || path.startsWith(folder.replace(/\/?$/, sep));

/** Where objects and branches are: in the directory itself, unless it is a linked worktree's. */
async function commonDirOf(gitDir: string): Promise<string> {
  const named = await readFile(join(gitDir, 'commondir'), 'utf8').catch(() => null);
  return named === null ? gitDir : realpath(resolve(gitDir, named.trim()));
}

async function isWorktreeAt(gitDir: string, folder: string): Promise<boolean> {
  const dotGit = await readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => '');
  return dotGit !== '' && (await isSame(dirname(resolve(gitDir, dotGit.trim())), folder));
}

async function isSubmoduleAt(gitDir: string, folder: string): Promise<boolean> {
  const named = await git(['config', '--file', join(gitDir, 'config'), '--get', 'core.worktree']).catch(() => '');
  return named !== '' && isSame(resolve(gitDir, named.replace(/\n$/, '')), folder);
}

const isSame = (path: string, folder: string) =>
  realpath(path).then(
    (real) => real === folder,
    () => false,
  );

/** The first of what a repository is made of that is a link to somewhere else. Objects of another may be shared by `alternates`. */
async function firstOutside(common: string): Promise<string | null> {
  const refs = await readdir(join(common, 'refs'), { withFileTypes: true, recursive: true }).catch(() => []);
  const links = refs.filter((entry) => entry.isSymbolicLink()).map(({ parentPath, name }) => join(parentPath, name));
  for (const path of [...['objects', 'refs', 'packed-refs', 'HEAD'].map((name) => join(common, name)), ...links]) {
    const real = await realpath(path).catch(() => null);
    if (real !== null && relative(common, real).startsWith('..')) return path;
  }
  return null;
}
