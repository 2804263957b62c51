import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { SuiteRunner } from '../../loaders/task-instances/suite.ts';
import type { Config } from '../config.ts';

/** How tests are kept apart from the machine, where it is not by the best that works. */
export interface SandboxFlags {
  container?: { program: string; image: string };
  unsafeNoSandbox?: boolean;
}

/** Adds the flags to a command that runs tests. */
export const sandboxFlags = (command: Command): Command =>
  command
    .option(
      '--container <docker|podman:image>',
      'run the tests in containers of this image, which has the tools',
      container,
    )
    .option('--unsafe-no-sandbox', 'run the tests as you, with all that you may do, where there is no sandbox');

/** What runs tests for the commands; what setups made is kept in the data folder. */
export async function openSuiteRunner(config: Config, flags: SandboxFlags = {}): Promise<SuiteRunner> {
  const { createSuiteRunner } = await import('../../loaders/task-instances/suite.ts');
  return createSuiteRunner({
    folder: join(config.dataDir, 'benchmark', 'environments'),
    unsafe: flags.unsafeNoSandbox === true,
    ...(flags.container ? { container: flags.container } : {}),
  });
}

function container(text: string): { program: string; image: string } {
  const [, program, image] = /^(docker|podman):([\w][\w./:@-]*)$/.exec(text) ?? [];
  if (program === undefined || image === undefined) throw new InvalidArgumentError('docker:node:24 or podman:IMAGE');
  return { program, image };
}
