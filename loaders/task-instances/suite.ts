import type { TaskEnvironment } from '../../src/model/task-instance.ts';

/** What became of one test. A test that is expected to fail and does is `xfailed`, which counts as passed. */
export type TestStatus = 'passed' | 'failed' | 'error' | 'skipped' | 'xfailed';

/** What one run of a test command said. */
export interface SuiteResult {
  /** Null where a signal or the time limit ended it. */
  exit_code: number | null;
  timed_out: boolean;
  duration_ms: number;
  /** By the test's id, whose form is its reader's (test-reports/). Empty where no report could be read. */
  tests: ReadonlyMap<string, TestStatus>;
  /** Why there are no results or not all; null where the report was read whole. */
  problem: string | null;
  /** What the command printed: its beginning and its end, 1 MiB each at most. */
  log: string;
  /** Hexadecimal, of all that was printed. */
  log_sha256: string;
}

/** What an environment's setup commands did. */
export interface SetupResult {
  /** Null where they succeeded; a failure is kept too, so that it is not tried for each instance. */
  problem: string | null;
  duration_ms: number;
  log: string;
}

/** A tree with what is needed to run its tests. */
export interface SuiteRequest {
  /** A folder that the tests may not change: each run gets its own copy. */
  tree: string;
  environment: TaskEnvironment;
  signal?: AbortSignal;
}

/** Runs test commands, each in a sandbox of its own. Throws `SandboxError` where the machine fails, never for what the tests do. */
export interface SuiteRunner {
  readonly isolation: TaskEnvironment['isolation'];
  /** Versions of the tools that commands find in the sandbox: `{"node": "24.21.0"}`. */
  runtime(): Promise<Record<string, string>>;
  /**
   * Runs the setup commands, once for each `env_key`: what they add to the tree and to the home folder is there in each run.
   * The tree is a clean one of the setup commit, never one to which an untrusted patch was applied.
   */
  prepare(request: SuiteRequest): Promise<SetupResult>;
  /**
   * Runs the test command on a prepared environment, without network. `files` narrows it to these test files where the command
   * has a placeholder for them (scoped-command.ts); null runs the whole suite.
   */
  run(request: SuiteRequest & { files: readonly string[] | null }): Promise<SuiteResult>;
}
