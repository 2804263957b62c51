import { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';

export function benchmarkImportCommand(config: Config, io: Io): Command {
  return new Command('import')
    .description('keep the tasks of a file or folder that mint or export wrote')
    .argument('<path...>', 'JSON lines, or a task repository')
    .addOption(organizationOption(config))
    .addHelpText('after', '\nExample:\n  $ repo-intel benchmark import tasks.jsonl')
    .action(async (paths: string[], { organization }: OrganizationFlag) => {
      const { readTaskInstances } = await import('../../loaders/task-instances/exchange/read-task-instances.ts');
      const { openSession } = await import('./session.ts');
      const read = await Promise.all(paths.map((path) => readTaskInstances(path)));
      const session = await openSession(config, io);
      try {
        for (const [index, instances] of read.entries()) {
          const saved = (await session.run('benchmark.save', { organization, instances })) as Record<string, number>;
          io.say(
            `${paths[index]}: ${saved['added']} new, ${saved['changed']} changed, ${saved['unchanged']} as before.`,
          );
        }
      } finally {
        await session.close();
      }
    });
}
