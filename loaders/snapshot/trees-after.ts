import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { git, GitFailure } from './git.ts';

/**
 * The ids of a commit's tree and of what it becomes by each of these patches in turn; null from the first that does not apply.
 * An index and objects of its own hold what is made on the way: the repository stays as it is.
 */
export async function treesAfter(options: {
  gitDir: string;
  commit: string;
  patches: readonly string[];
  signal?: AbortSignal;
}): Promise<(string | null)[]> {
  const { gitDir, commit, patches, signal } = options;
  const folder = await mkdtemp(join(tmpdir(), 'repo-intel-tree-'));
  try {
    const given = { gitDir, ...(signal ? { signal } : {}) };
    const objects = resolve(gitDir, (await git(['rev-parse', '--git-path', 'objects'], given)).replace(/\n$/, ''));
    const environment = {
      GIT_INDEX_FILE: join(folder, 'index'),
      GIT_OBJECT_DIRECTORY: folder,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects),
    };
    const run = (args: readonly string[], input = '') => git(args, { ...given, environment, input });
    const writeTree = async () => (await run(['write-tree'])).trim();
    await run(['read-tree', commit]);
    const trees: (string | null)[] = [await writeTree()];
    for (const patch of patches) {
      const applied =
        trees.at(-1) !== null &&
        (await run(['apply', '--cached', '--whitespace=nowarn', '-'], patch).then(
          () => true,
          (error: unknown) => {
            if (error instanceof GitFailure) return false;
            throw error;
          },
        ));
      trees.push(applied ? await writeTree() : null);
    }
    return trees;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The id of a commit's tree. */
export async function treeOf(gitDir: string, commit: string): Promise<string> {
  return (await git(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`], { gitDir })).trim();
}
