import { PassThrough } from 'node:stream';
import { git } from './git.ts';

/** Asks for stable patch ids: equal where white space and the lines around are all that differs. */
export interface PatchIds {
  add(id: string, patch: string): void;
  /** No more is added: who begins has to close it, whatever happens. */
  close(): void;
  /** After `close`: patch ids by the ids of what was added. */
  all(): Promise<ReadonlyMap<string, string>>;
}

/** Small writes cost more than all else. */
const charactersAtOnce = 1_048_576;

/** By one process, beside whatever else is done. */
export function patchIds(gitDir: string): PatchIds {
  const input = new PassThrough();
  // It is silent while it is given nothing.
  const answer = git(['patch-id', '--stable'], { gitDir, input, idleMs: 86_400_000 });
  // Whether it fails is of interest to who waits for it.
  answer.catch(() => {});
  let waiting = '';
  return {
    add(id, patch) {
      waiting += `commit ${id}\n${patch}`;
      if (waiting.length < charactersAtOnce) return;
      input.write(waiting);
      waiting = '';
    },
    close: () => void input.end(waiting),
    async all() {
      const lines = (await answer).split('\n').filter(Boolean);
      return new Map(
        lines.map((line) => {
          const [patchId = '', id = ''] = line.split(' ');
          return [id, patchId];
        }),
      );
    },
  };
}
