/** What readers see, in one document, so that it changes at one moment; searches look up `versions` and `hidden` in it. */
export interface State {
  versions: string[];
  /** Keys of contributors' documents that are not shown: another repository, first by name, has the same contributor. */
  hidden: string[];
  shown: { repository: string; generation: string; version: string; count: number }[];
  /** Versions that are being written, or wait to be deleted; since when. */
  writing: { version: string; at: number }[];
  retired: { version: string; at: number }[];
}

export const emptyState: State = { versions: [], hidden: [], shown: [], writing: [], retired: [] };
