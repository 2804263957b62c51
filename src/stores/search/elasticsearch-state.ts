import type { Versions } from '../elasticsearch-versions.ts';

/** What readers see; searches look up `versions` and `hidden` in it. */
export interface State extends Versions {
  versions: string[];
  /** Keys of contributors' documents that are not shown: another repository, first by name, has the same contributor. */
  hidden: string[];
  shown: (Versions['shown'][number] & { count: number })[];
}

export const emptyState: State = { versions: [], hidden: [], shown: [], writing: [], retired: [] };
