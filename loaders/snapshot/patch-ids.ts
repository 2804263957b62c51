import { git } from './git.ts';

/** The stable patch ids of diffs, by the ids of the commits that they are named after: equal where white space and lines around are all that differs. */
export async function patchIds(
  gitDir: string,
  patches: readonly { id: string; patch: string }[],
): Promise<ReadonlyMap<string, string>> {
  const input = patches.map(({ id, patch }) => `commit ${id}\n${patch}`).join('');
  const lines = (await git(['patch-id', '--stable'], { gitDir, input })).split('\n');
  return new Map(
    lines.filter(Boolean).map((line) => {
      const [patchId = '', id = ''] = line.split(' ');
      return [id, patchId];
    }),
  );
}
