import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import type { TaskEnvironment } from '../../src/model/task-instance.ts';
import { memoryProblem, type Containment } from './containment.ts';
import { openEnvironments } from './environment.ts';
import { mochaOneByOne } from './mocha-one-by-one.ts';
import { openSandbox, type SandboxOptions } from './sandbox/open-sandbox.ts';
import {
  SandboxError,
  type Sandbox,
  type SandboxLimits,
  type SandboxNetwork,
  type SandboxRequest,
  type SandboxResult,
} from './sandbox/sandbox.ts';
import { scopedCommand } from './scoped-command.ts';
import { suiteEnvironment } from './suite-environment.ts';
import { readTestReports } from './test-reports/read-test-reports.ts';

/** What became of one test. A test that is expected to fail and does is `xfailed`, which counts as passed. */
export type TestStatus = 'passed' | 'failed' | 'error' | 'skipped' | 'xfailed';

/** What one run of a test command said. */
export interface SuiteResult {
  /** Null where a signal or the time limit ended it. */
  exit_code: number | null;
  timed_out: boolean;
  /** Whether it was ended as it took more memory than it may. */
  out_of_memory: boolean;
  duration_ms: number;
  /** By the test's id, whose form is its reader's (test-reports/). Empty where no report could be read. */
  tests: ReadonlyMap<string, TestStatus>;
  /** Why there are no results or not all; null where the report was read whole. */
  problem: string | null;
  /** What the command printed: its beginning and its end, 1 MiB each at most. */
  log: string;
  /** Hexadecimal, of all that was printed. */
  log_sha256: string;
  /** The text of what it was read from, one file behind the other. */
  report: string;
}

/** What an environment's setup commands did. */
export interface SetupResult {
  /** Null where they succeeded; a failure is kept too, so that it is not tried for each instance. */
  problem: string | null;
  duration_ms: number;
  log: string;
  /** What its commands reached. */
  network: SandboxNetwork;
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
  readonly containment: Containment;
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

/** Runs other commands where tests run. */
export interface Workshop {
  /** Runs a command on a prepared environment; of the network it has the hosts that a person allowed, and no registry. */
  work(
    request: SuiteRequest &
      Pick<SandboxRequest, 'into' | 'timeoutMs'> &
      Required<Pick<SandboxRequest, 'command' | 'env'>>,
  ): Promise<SandboxResult>;
}

/** How suites are run. */
export interface SuiteRunnerOptions extends SandboxOptions {
  /** Holds what setups made. */
  folder: string;
  /** What is kept of them, at most; 20 GiB by default. */
  maxBytes?: number;
  /** For one setup; 900 by default. */
  setupTimeoutSeconds?: number;
  /** What setups reach, `proxy` by default; tests reach nothing. */
  setupNetwork?: SandboxNetwork;
}

/** Opens a sandbox and runs suites in it; throws `SandboxError` where this machine has none. */
export async function createSuiteRunner(options: SuiteRunnerOptions): Promise<SuiteRunner & Workshop> {
  const sandbox = await openSandbox(options);
  const containment: Containment = {
    // Where nothing is apart, the network is not either.
    setup_network: sandbox.isolation === 'none' ? 'host' : (options.setupNetwork ?? 'proxy'),
    allowed_hosts: options.allowedHosts ?? [],
    limits: sandbox.limits,
  };
  const environments = openEnvironments(sandbox, {
    folder: options.folder,
    maxBytes: options.maxBytes ?? 20 * 1024 ** 3,
    timeoutMs: (options.setupTimeoutSeconds ?? 900) * 1_000,
    containment,
  });
  let versions: Promise<Record<string, string>> | null = null;
  let workshop: Promise<Sandbox> | null = null;
  const preparedLayer = async (environment: TaskEnvironment) => {
    const layer = await environments.layerOf(environment);
    if (layer === null && environment.setup_cmds.length > 0)
      throw new SandboxError('not_prepared', 'The environment was not set up, or that failed: prepare it first.');
    return layer === null ? {} : { layer };
  };
  return {
    isolation: sandbox.isolation,
    containment,
    runtime: () => (versions ??= toolVersions(sandbox)),
    prepare: (request) => environments.prepare(request),
    async work({ tree, environment, env, signal, ...request }) {
      const network = (options.allowedHosts ?? []).length > 0 ? 'proxy' : 'none';
      workshop ??= openSandbox({ ...options, withoutRegistries: true });
      return (await workshop).run({
        ...request,
        tree,
        network,
        env: { ...(await suiteEnvironment(environment, network !== 'none')), ...env },
        ...(await preparedLayer(environment)),
        ...(signal ? { signal } : {}),
      });
    },
    async run(request) {
      const { tree, environment, files, signal } = request;
      const layer = await preparedLayer(environment);
      const { format, path } = environment.report;
      const inOut = path.startsWith('$OUT/') ? path.slice('$OUT/'.length) : null;
      const started = performance.now();
      const perform = async (command: string, timeoutMs: number) =>
        sandbox.run({
          command,
          tree,
          timeoutMs,
          env: await suiteEnvironment(environment, false),
          ...layer,
          ...(inOut === null ? { reports: path } : {}),
          ...(signal ? { signal } : {}),
        });
      const limitMs = environment.timeout_s * 1_000;
      const first = await perform(scopedCommand(environment.test_cmd, files), limitMs);
      const result = suiteResult(first, format, inOut === null ? 'testbed/**' : `out/${inOut}`, sandbox.limits);
      const oneByOne = format === 'mocha_json' ? mochaOneByOne(environment.test_cmd, files) : null;
      if (oneByOne === null || result.tests.size > 0 || result.problem === null || first.timedOut || first.outOfMemory)
        return result;
      const second = await perform(oneByOne, limitMs - (performance.now() - started));
      const again = suiteResult(second, format, `out/*/${inOut ?? '*.json'}`, sandbox.limits);
      const unloadable = second.reports.get('out/unloadable')?.toString('utf8').split('\n').filter(Boolean) ?? [];
      if (again.tests.size + unloadable.length === 0) return result;
      const tests = new Map(again.tests);
      for (const file of unloadable) tests.set(`${file} > [suite load]`, 'failed');
      return {
        ...again,
        tests,
        duration_ms: result.duration_ms + again.duration_ms,
        problem: again.tests.size > 0 ? again.problem : result.problem,
      };
    },
  };
}

function suiteResult(
  run: SandboxResult,
  format: TaskEnvironment['report']['format'],
  glob: string,
  limits: SandboxLimits,
): SuiteResult {
  const ended = run.timedOut ? 'it took longer than it may' : run.outOfMemory ? memoryProblem(limits) : null;
  const files = new Map([...run.reports].filter(([path]) => matchesGlob(path, glob)));
  const { tests, problem } = readTestReports(format, files);
  const large = run.tooLarge.find((path) => matchesGlob(path, glob));
  const unread = large === undefined ? null : `its report ${JSON.stringify(large)} has 128 MiB or more`;
  return {
    exit_code: run.exitCode,
    timed_out: run.timedOut,
    out_of_memory: run.outOfMemory,
    duration_ms: run.durationMs,
    tests,
    problem: ended ?? run.reportsProblem ?? unread ?? problem,
    log: run.log,
    log_sha256: run.logSha256,
    report: [...files.values()].map((file) => file.toString('utf8')).join('\n'),
  };
}

const versionCommands: Readonly<Record<string, string>> = {
  node: 'node --version',
  npm: 'npm --version',
  python: 'python3 --version',
  go: 'go version',
  cargo: 'cargo --version',
  java: 'java -version',
  maven: 'mvn --version',
};

/** Asks each tool that is there; one that does not answer is left out. */
async function toolVersions(sandbox: Sandbox): Promise<Record<string, string>> {
  const tree = await mkdtemp(join(tmpdir(), 'repo-intel-tools-'));
  try {
    const lines = Object.entries(versionCommands).map(
      ([tool, command]) => `echo "${tool} $(${command} 2>&1 </dev/null | head -n 3 | tr '\\n' ' ')" &`,
    );
    const { log } = await sandbox.run({ command: [...lines, 'wait'].join('\n'), tree, timeoutMs: 60_000 });
    const found = log.split('\n').flatMap((line) => {
      const [, tool, version] = /^(\w+) .*?(?<!\d)(\d+(?:\.\d+)+)/.exec(line) ?? [];
      return tool === undefined || version === undefined ? [] : [[tool, version] as const];
    });
    return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    await rm(tree, { recursive: true });
  }
}
