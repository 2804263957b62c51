import { git } from './git.ts';

/** The stable id of a patch: equal where white space and the lines around are all that differs. */
export async function patchIdOf(gitDir: string, patch: string): Promise<string> {
  const [id = ''] = (await git(['patch-id', '--stable'], { gitDir, input: patch })).split(' ');
  return id;
}
