import type { TaskEnvironment } from '../../src/model/task-instance.ts';

/** What became of one test. A test that is expected to fail and does is `xfailed`, which counts as passed. */
export type TestStatus = 'passed' | 'failed' | 'error' | 'skipped' | 'xfailed';

/** What one run of a test command said. */
export interface SuiteResult {
  /** Null where a signal or the time limit ended it. */
  exit_code: number | null;
  timed_out: boolean;
  duration_ms: number;
  /** By the test's id (benchmark.md 2.3). Empty where no report could be read. */
  tests: ReadonlyMap<string, TestStatus>;
  /** Why there are no results or not all; null where the report was read whole. */
  problem: string | null;
  /** What the command printed: its beginning and its end, 1 MiB each at most. */
  log: string;
  /** Hexadecimal, of all that was printed. */
  log_sha256: string;
}

/** Runs test commands, each in a sandbox of its own. */
export interface SuiteRunner {
  readonly isolation: TaskEnvironment['isolation'];
  /**
   * Runs the environment's test command on a tree, which the tests may change: each run gets its own. `files` narrows it to
   * these test files; null runs the whole suite. Never throws for what the tests do; throws `SandboxError` where the machine fails.
   */
  run(request: {
    tree: string;
    environment: TaskEnvironment;
    files: readonly string[] | null;
    signal?: AbortSignal;
  }): Promise<SuiteResult>;
}
