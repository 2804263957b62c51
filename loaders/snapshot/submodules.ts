import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { git, GitFailure } from './git.ts';

/** A submodule of a commit, and the repository in which `git submodule` keeps it. */
export interface Submodule {
  /** In the commit's tree. */
  path: string;
  commit: string;
  gitDir: string;
  /** Whether its commit is there; nothing is fetched for it. */
  isAtHand: boolean;
}

/** The submodules of a commit, without their own. Names and paths that would lead out of a folder are left out, as git refuses them. */
export async function submodulesOf(gitDir: string, commit: string): Promise<Submodule[]> {
  const found: Submodule[] = [];
  for (const [name, path] of await named(gitDir, commit)) {
    const environment = { GIT_LITERAL_PATHSPECS: '1' };
    const entry = await git(['ls-tree', '-z', '--full-tree', commit, '--', path], { gitDir, environment });
    const [, linked] = /^160000 commit ([0-9a-f]+)\t[^\0]*\0$/.exec(entry) ?? [];
    if (linked === undefined) continue;
    const kept = join(gitDir, 'modules', name);
    found.push({ path, commit: linked, gitDir: kept, isAtHand: await hasCommit(kept, linked) });
  }
  return found;
}

/** Paths of the submodules of a commit, and of theirs, whose commit is not at hand: a checkout has empty folders there. */
export async function missingSubmodules(gitDir: string, commit: string): Promise<string[]> {
  const missing: string[] = [];
  for (const { path, isAtHand, ...submodule } of await submodulesOf(gitDir, commit)) {
    const deeper = isAtHand ? await missingSubmodules(submodule.gitDir, submodule.commit) : [];
    missing.push(...(isAtHand ? deeper.map((each) => `${path}/${each}`) : [path]));
  }
  return missing;
}

/** Paths by the names under which they are kept, of the commit's `.gitmodules`. */
async function named(gitDir: string, commit: string): Promise<[name: string, path: string][]> {
  const listing = [
    'config',
    '--blob',
    `${commit}:.gitmodules`,
    '-z',
    '--get-regexp',
    String.raw`^submodule\..*\.path$`,
  ];
  const printed = await git(listing, { gitDir }).catch((error: unknown) => {
    // It has none, or nothing that can be read.
    if (error instanceof GitFailure) return '';
    throw error;
  });
  const paths = printed.split('\0').flatMap((record): [string, string][] => {
    const [, name, path] = /^submodule\.([^\n]+)\.path\n([\s\S]+)$/.exec(record) ?? [];
    return name !== undefined && path !== undefined && staysInside(name) && staysInside(path) ? [[name, path]] : [];
  });
  // Of two with one name git takes the last.
  return [...new Map(paths)];
}

const staysInside = (path: string) =>
  path.split(/[/\\]/).every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git');

async function hasCommit(gitDir: string, commit: string): Promise<boolean> {
  if ((await stat(gitDir).catch(() => null)) === null) return false;
  return git(['cat-file', '-e', `${commit}^{commit}`], { gitDir }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof GitFailure) return false;
      throw error;
    },
  );
}
