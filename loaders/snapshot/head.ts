import { git, GitFailure } from './git.ts';

/** The id of the commit that is checked out in this work tree; null where there is none yet, or git can't tell. */
export async function headOf(root: string): Promise<string | null> {
  try {
    return (
      await git(['rev-parse', '--verify', '--quiet', 'HEAD'], { cwd: root, config: [`safe.directory=${root}`] })
    ).trim();
  } catch (error) {
    if (error instanceof GitFailure) return null;
    throw error;
  }
}
