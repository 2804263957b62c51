import { git, GitFailure } from './git.ts';

/** The tag from which a commit is reached by the fewest steps; null where there is none. */
export async function nearestTag(gitDir: string, commit: string): Promise<string | null> {
  try {
    return (await git(['describe', '--tags', '--abbrev=0', commit], { gitDir })).trim();
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}
