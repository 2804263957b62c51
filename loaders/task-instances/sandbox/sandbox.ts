import type { Isolation } from '../../../src/model/task-instance.ts';

/** What is run in a sandbox. */
export interface SandboxRequest {
  /** For bash, started in `/testbed`. */
  command: string;
  /** Copied to `/testbed`, so that nothing can change it. */
  tree: string;
  /** What `keep` of an earlier run has; laid under the tree and the home folder. */
  layer?: string;
  /** A folder that gets what the command adds to the tree and to the home folder, if it exits with 0. */
  keep?: string;
  /** All that the command knows of the environment, but PATH, HOME, OUT and the like. */
  env?: Readonly<Record<string, string>>;
  /** A glob of reports within the tree; those in `$OUT` are always read. */
  reports?: string;
  network?: boolean;
  /** Milliseconds after which it is ended. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** What a command in a sandbox did. */
export interface SandboxResult {
  /** Null where a signal or the time limit ended it. */
  exitCode: number | null;
  timedOut: boolean;
  durationMs: number;
  /** The beginning and the end of what it printed. */
  log: string;
  logSha256: string;
  /** Regular files by their paths below `out/` and `testbed/`. */
  reports: ReadonlyMap<string, Buffer>;
  /** Why not all reports are there. */
  reportsProblem: string | null;
}

/** Runs commands that nobody vouches for. */
export interface Sandbox {
  readonly isolation: Isolation;
  /** Throws `SandboxError` where the machine fails; whatever the command does is a result. */
  run(request: SandboxRequest): Promise<SandboxResult>;
}

/** Why a command could not be run as it should; a closed list. */
export type SandboxErrorCode =
  /** This machine can't keep commands apart. */
  | 'unavailable'
  /** It broke before the command began. */
  | 'not_started'
  /** Memory or disk for its files was used up. */
  | 'out_of_space'
  /** The environment was not set up before. */
  | 'not_prepared';

/** A failure of the machine, which says nothing of the tests. */
export class SandboxError extends Error {
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SandboxError';
    this.code = code;
  }
}
