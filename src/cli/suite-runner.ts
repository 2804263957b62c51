import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { limitsIn, networkIn } from '../../loaders/task-instances/containment.ts';
import { namedHost } from '../../loaders/task-instances/network/allowed-hosts.ts';
import type { SuiteRunner, Workshop } from '../../loaders/task-instances/suite.ts';
import type { Config } from '../config.ts';

/** How much of the machine setups and tests get. A repository can't say any of it. */
export interface ContainmentFlags {
  allowHost?: string[];
  /** Bytes. */
  memory?: number;
  maxProcesses?: number;
  unsafeHostNetwork?: boolean;
}

/** How tests are kept apart from the machine, where it is not by the best that works. */
export interface SandboxFlags extends ContainmentFlags {
  container?: { program: string; image: string };
  unsafeNoSandbox?: boolean;
}

/** Adds the flags to a command that runs tests, here or later. */
export const containmentFlags = (command: Command): Command =>
  command
    .option(
      '--allow-host <host[:port]>',
      'setups reach it, too, beside the registries that your own tools say they use; may be repeated',
      allowHost,
    )
    .option('--memory <size>', 'of a setup or a run of tests, beside its files: 512m, 4g (default: 2g)', memory)
    .option('--max-processes <number>', 'of a setup or a run of tests, threads too (default: 512)', processes)
    .option('--unsafe-host-network', 'setups reach all that this machine does, its own services too');

/** The same and those that choose the sandbox. */
export const sandboxFlags = (command: Command): Command =>
  containmentFlags(
    command
      .option(
        '--container <docker|podman:image>',
        'run the tests in containers of this image, which has the tools',
        container,
      )
      .option('--unsafe-no-sandbox', 'run the tests as you, with all that you may do, where there is no sandbox'),
  );

/** What runs tests for the commands; what setups made is kept in the data folder. Says what is between them and the machine. */
export async function openSuiteRunner(
  config: Config,
  flags: SandboxFlags,
  say: (sentence: string) => void,
): Promise<SuiteRunner & Workshop> {
  const { createSuiteRunner } = await import('../../loaders/task-instances/suite.ts');
  const runner = await createSuiteRunner({
    folder: join(config.dataDir, 'benchmark', 'environments'),
    unsafe: flags.unsafeNoSandbox === true,
    setupNetwork: flags.unsafeHostNetwork === true ? 'host' : 'proxy',
    ...(flags.allowHost === undefined ? {} : { allowedHosts: flags.allowHost }),
    ...(flags.memory === undefined ? {} : { memoryBytes: flags.memory }),
    ...(flags.maxProcesses === undefined ? {} : { processes: flags.maxProcesses }),
    ...(flags.container ? { container: flags.container } : {}),
  });
  const { setup_network: network, limits } = runner.containment;
  say(`Sandbox: ${runner.isolation}, ${limitsIn(limits)}; setups reach ${networkIn(network)}.`);
  return runner;
}

function container(text: string): { program: string; image: string } {
  const [, program, image] = /^(docker|podman):([\w][\w./:@-]*)$/.exec(text) ?? [];
  if (program === undefined || image === undefined) throw new InvalidArgumentError('docker:node:24 or podman:IMAGE');
  return { program, image };
}

function allowHost(text: string, hosts: string[] = []): string[] {
  if (namedHost(text) === null)
    throw new InvalidArgumentError('a host, or a host and a port: example.com, example.com:8443');
  return [...hosts, text];
}

function memory(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6}(?:\.\d+)?)([mg])(?:i?b)?$/i.exec(text) ?? [];
  const bytes = Math.round(Number(number) * (unit.toLowerCase() === 'g' ? 1024 ** 3 : 1024 ** 2));
  if (bytes < 128 * 1024 ** 2) throw new InvalidArgumentError('a size from 128m: 512m, 4g');
  return bytes;
}

function processes(text: string): number {
  if (!/^\d{2,6}$/.test(text) || Number(text) < 32) throw new InvalidArgumentError('a whole number, from 32');
  return Number(text);
}
