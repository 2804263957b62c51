import { git } from './git.ts';

/** What the commits say that a merge brought in, oldest first. */
export async function mergedMessages(gitDir: string, merge: string): Promise<string> {
  return git(
    [
      'log',
      '--no-merges',
      '--reverse',
      '--max-count=50',
      '--encoding=UTF-8',
      '--format=%B',
      `${merge}^1..${merge}`,
      '--',
    ],
    {
      gitDir,
    },
  );
}
