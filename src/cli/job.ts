import { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';

export function jobCommand(config: Config, io: Io): Command {
  return new Command('job')
    .description('do one job that the service hands over on standard input; the service starts it by itself')
    .addHelpText('after', '\nExample:\n  $ repo-intel load --enqueue URL')
    .action(async () => {
      const { doJob } = await import('./do-job.ts');
      await doJob(config, io);
    });
}
