import type { TaskEnvironment } from '../../src/model/task-instance.ts';
import type { Candidate } from './candidates.ts';
import { detectRunner } from './detect-runner.ts';
import { environmentKey } from './environment-key.ts';
import type { MintSettings } from './mint-settings.ts';
import type { SuiteRunner } from './suite.ts';

/** How the tests of a tree are run. */
export interface DescribedEnvironment {
  environment: TaskEnvironment;
  framework: string;
}

/**
 * How the tests of a checked out base are run: as the settings say, else as its own files tell; null where they don't. `asOf` is when
 * its dependencies are to be from: those of its own time, or any.
 */
export async function describeEnvironment(
  tree: string,
  { base, committedAt }: Pick<Candidate, 'base' | 'committedAt'>,
  settings: MintSettings,
  runner: Pick<SuiteRunner, 'isolation' | 'runtime'>,
  asOf: 'its time' | 'any time' = 'its time',
): Promise<DescribedEnvironment | null> {
  const before = asOf === 'its time' ? nextMonth(committedAt) : null;
  const detected = commandsOf(settings) ?? (await detectRunner(tree, before));
  if (detected === null) return null;
  const { framework, ...commands } = detected;
  const runtime = await runner.runtime();
  const environment: TaskEnvironment = {
    environment_setup_commit: base,
    ...commands,
    ...(settings.setup_cmds ? { setup_cmds: settings.setup_cmds } : {}),
    // What would take the time of the run for that of the sources gets the same each time.
    env: { SOURCE_DATE_EPOCH: String(Math.floor(Date.parse(committedAt) / 1000)), ...settings.env },
    runtime,
    env_key: '',
    image: null,
    timeout_s: settings.timeout_s,
    network: false,
    isolation: runner.isolation,
  };
  return {
    environment: { ...environment, env_key: await environmentKey(tree, environment.setup_cmds, runtime) },
    framework,
  };
}

function commandsOf({ test_cmd: command, report, setup_cmds: setup = [] }: MintSettings) {
  if (command === undefined || report === undefined) return null;
  return { framework: report.format, setup_cmds: setup, test_cmd: command, report };
}

/** Versions as of a month are as good as those of the day, and one setup serves all of its commits. */
function nextMonth(time: string): string {
  const date = new Date(time);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
}
