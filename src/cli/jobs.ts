import { Command } from 'commander';
import type { Config } from '../config.ts';
import { tableRow } from './io.ts';
import type { Io } from './io.ts';

export function jobsCommand(config: Config, io: Io): Command {
  const jobs = new Command('jobs').description('what is loaded and minted in the background');
  jobs
    .command('list')
    .description('list the jobs of the last two weeks, the newest first, with what went wrong')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  $ repo-intel jobs list')
    .action(async ({ json }: { json?: boolean }) => {
      const { withJobs } = await import('./open-jobs.ts');
      await withJobs(config, io, async (queue) => {
        const records = await queue.list();
        if (json) {
          await io.out(`${JSON.stringify(records, null, 2)}\n`);
          return;
        }
        if (records.length === 0) io.say('There is no job: repo-intel load --enqueue URL');
        for (const { kind, state, attempts, created_at, source, organization, error } of records) {
          const more = [organization, error].filter((each) => each !== null);
          await io.out(tableRow(state, attempts, created_at, kind, source, ...more));
        }
      });
    });
  return jobs;
}
