/** Why a snapshot could not be opened or read; a closed list. */
export type SnapshotErrorCode =
  /** No such path, branch, tag or commit. */
  | 'not_found'
  /** A file, or something with a damaged `.git`. */
  | 'not_a_repository'
  /** A repository in which nothing was committed yet. */
  | 'no_commits'
  /** Not one file in it. */
  | 'empty'
  /** There, but no permission, or damaged. */
  | 'unreadable'
  /** The URL's host has no such repository or wants other credentials. */
  | 'clone_failed'
  /** The URL's host can't be reached now, or broke off. */
  | 'unreachable'
  /** Another repository has this name. */
  | 'name_taken'
  /** No repository may be called so. */
  | 'bad_name'
  /** While it was loaded. */
  | 'removed'
  /** More than is looked at. */
  | 'too_large'
  | 'git_failed'
  | 'git_missing'
  | 'timeout';

/** A failure whose message is one sentence for the person who named the repository: what is wrong and what to do. */
export class SnapshotError extends Error {
  readonly code: SnapshotErrorCode;

  constructor(code: SnapshotErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SnapshotError';
    this.code = code;
  }
}
