import { Command } from 'commander';
import type { Config } from '../config.ts';
import { isProven } from '../model/task-instance.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';

export function benchmarkImportCommand(config: Config, io: Io): Command {
  return new Command('import')
    .description(
      'keep the tasks of a file or folder that mint or export wrote, or of a public dataset in SWE-bench’s form',
    )
    .argument('<path...>', 'JSON lines, a JSON list, Parquet, or a task repository')
    .addOption(organizationOption(config))
    .addHelpText('after', examples)
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
          const open = instances.filter((instance) => !isProven(instance)).length;
          if (open > 0) io.say(`${open} of them are not validated: repo-intel benchmark validate proves them here.`);
        }
      } finally {
        await session.close();
      }
    });
}

const examples = `
Rows of SWE-bench, Lite, Verified and what has their form do not say how their tests are run: until \`benchmark validate\` has proven
them they are kept as not validated, and not evaluated.

Examples:
  $ repo-intel benchmark import tasks.jsonl
  $ repo-intel benchmark import swe-bench-verified.parquet`;
