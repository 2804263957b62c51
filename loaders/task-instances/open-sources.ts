import { checkout } from '../snapshot/checkout.ts';
import { openRepository } from '../snapshot/open-repository.ts';

/** Opens the repositories of instances; gives what writes the base of one of them, without history, into a folder. */
export async function openSources(
  repos: ReadonlySet<string>,
  sources: ReadonlyMap<string, string>,
  cloneFolder: string,
): Promise<(instance: { repo: string; base_commit: string }, folder: string) => Promise<string[]>> {
  const gitDirs = new Map<string, string>();
  for (const repo of repos) {
    const source = sources.get(repo);
    if (source === undefined)
      throw new Error(`It is not known where ${repo} is: say it with --repository ${repo}=PATH.`);
    gitDirs.set(repo, (await openRepository(source, { cloneFolder })).gitDir);
  }
  return async ({ repo, base_commit: commit }, folder) => {
    const gitDir = gitDirs.get(repo);
    if (gitDir === undefined) throw new Error(`${repo} was not opened.`);
    return checkout({ gitDir, commit, folder });
  };
}
