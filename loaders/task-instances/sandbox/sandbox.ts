import type { Isolation } from '../../../src/model/task-instance.ts';

/**
 * What a command reaches: nothing but its own loopback; some registries beside it, through a proxy that the machine has
 * (../network/); or all that the machine does.
 */
export type SandboxNetwork = 'none' | 'proxy' | 'host';

/** How much a run may take beside its files. */
export interface SandboxLimits {
  memory_bytes: number;
  /** Threads count, too. */
  processes: number;
  /** Who ends what takes more memory: the container's own limit; or this process, that looks at it ten times a second. */
  enforced_by: 'container' | 'watcher';
}

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
  /** Files that get reports, by the path that these have in the result: `{"out/steps.json": "/kept/steps.json"}`. They are not in memory then. */
  into?: Readonly<Record<string, string>>;
  /** By default `none`. Where nothing keeps a command apart from the machine it is always `host`. */
  network?: SandboxNetwork;
  /** Milliseconds after which it is ended. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** What a command in a sandbox did. */
export interface SandboxResult {
  /** Null where a signal or the time limit ended it. */
  exitCode: number | null;
  timedOut: boolean;
  /** Whether it was ended as it took more memory than it may. */
  outOfMemory: boolean;
  network: SandboxNetwork;
  /** Hosts that the proxy refused, with the reason. */
  refused: readonly string[];
  durationMs: number;
  /** The beginning and the end of what it printed. */
  log: string;
  logSha256: string;
  /** Regular files by their paths below `out/` and `testbed/`. */
  reports: ReadonlyMap<string, Buffer>;
  /** Paths of files of 128 MiB and more, the first hundred: they are not handed out. */
  tooLarge: readonly string[];
  /** Why not all reports are there. */
  reportsProblem: string | null;
}

/** Runs commands that nobody vouches for. */
export interface Sandbox {
  readonly isolation: Isolation;
  readonly limits: SandboxLimits;
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
  /** The machine has next to no memory left. */
  | 'machine_short_of_memory'
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
