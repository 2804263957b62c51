import { Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';
import { containmentFlags } from './suite-runner.ts';
import type { ContainmentFlags } from './suite-runner.ts';

export function workerCommand(config: Config, io: Io): Command {
  const command = new Command('worker')
    .description('load and mint what was asked for with --enqueue, on as many machines as you like; needs DATABASE_URL')
    .option('--concurrency <count>', 'repositories loaded at once; beside them one is minted from', positiveInteger, 2)
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgres://… repo-intel worker --concurrency 4')
    .action(async (options: { concurrency: number } & ContainmentFlags) => {
      const { runWorker } = await import('./run-worker.ts');
      await runWorker(config, io, options);
    });
  return containmentFlags(command);
}

function positiveInteger(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count;
  throw new InvalidArgumentError('It takes a whole number from 1 to 64.');
}
