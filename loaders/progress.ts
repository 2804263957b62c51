/** How far the work on one repository is; `done` of `total` in files, commits or bytes, as the phase has them. */
export interface Progress {
  repository: string;
  phase:
    | 'opening'
    | 'cloning'
    | 'parsing'
    | 'resolving'
    | 'history'
    | 'trend'
    | 'writing'
    | 'candidates'
    | 'minting'
    | 'evaluating'
    | 'done';
  done: number;
  total: number;
  /** Said beside the numbers where they are drawn. */
  detail?: string;
}
