import { git } from './git.ts';

/** Asks for stable patch ids: equal where white space and the lines around are all that differs. */
export interface PatchIds {
  add(id: string, patch: string): void;
  /** By the ids of what was added. */
  all(): Promise<ReadonlyMap<string, string>>;
}

/** Characters of patches that one process is given. */
const atOnce = 16_777_216;

/** By a process for many patches, beside whatever else is done. */
export function patchIds(gitDir: string): PatchIds {
  const asked: Promise<string>[] = [];
  let patches: string[] = [];
  let length = 0;
  const ask = () => {
    const answer = git(['patch-id', '--stable'], { gitDir, input: patches.join('') });
    // Whether it fails is of interest to who waits for it.
    answer.catch(() => {});
    asked.push(answer);
    patches = [];
    length = 0;
  };
  return {
    add(id, patch) {
      patches.push(`commit ${id}\n`, patch);
      length += patch.length;
      if (length >= atOnce) ask();
    },
    async all() {
      if (patches.length > 0) ask();
      const lines = (await Promise.all(asked)).flatMap((text) => text.split('\n')).filter(Boolean);
      return new Map(
        lines.map((line) => {
          const [patchId = '', id = ''] = line.split(' ');
          return [id, patchId];
        }),
      );
    },
  };
}
