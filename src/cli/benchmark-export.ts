import { Command, Option } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';
import { storedTaskInstances } from './stored-task-instances.ts';

interface Options extends OrganizationFlag {
  format: 'native' | 'swebench' | 'sweb-task-repo';
  output?: string;
  dataset?: string;
  name: string;
  repo?: string;
}

export function benchmarkExportCommand(config: Config, io: Io): Command {
  return new Command('export')
    .description('write tasks for other harnesses, or for another repo-intel')
    .addOption(
      new Option('--format <format>', 'swebench: JSON lines that SWE-bench 5 loads; sweb-task-repo: its folder a task')
        .choices(['native', 'swebench', 'sweb-task-repo'])
        .default('swebench'),
    )
    .option('-o, --output <path>', 'file, or for a task repository a new folder (default: stdout)')
    .option('--dataset <file>', 'tasks from a file or folder that mint or export wrote (default: those that are kept)')
    .option('--repo <owner/name>', 'only of this repository')
    .addOption(organizationOption(config))
    .option('--name <name>', 'of the dataset, in a task repository', 'repo-intel/tasks')
    .addHelpText('after', examples)
    .action(async ({ format, output, dataset, name, repo, organization }: Options, command: Command) => {
      if (format === 'sweb-task-repo' && output === undefined)
        command.error('error: a task repository is a folder: say which with --output', { exitCode: 2 });
      const { readTaskInstances } = await import('../../loaders/task-instances/exchange/read-task-instances.ts');
      const all =
        dataset === undefined
          ? await storedTaskInstances(config, io, { organization })
          : await readTaskInstances(dataset);
      const instances = all.filter((instance) => repo === undefined || instance.repo === repo);
      if (instances.length === 0) throw new Error('There is no task: repo-intel benchmark mint makes some.');
      if (format === 'sweb-task-repo') {
        const { writeTaskRepo } = await import('../../loaders/task-instances/exchange/task-repo.ts');
        await writeTaskRepo(output ?? '.', name, instances);
      } else {
        const { toSwebench } = await import('../../loaders/task-instances/exchange/swebench.ts');
        const rows: readonly object[] = format === 'swebench' ? instances.map(toSwebench) : instances;
        const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
        if (output === undefined) for (const line of lines) await io.out(line);
        else await writeFileAtomic(output, lines.join(''));
      }
      io.say(`${instances.length} tasks${output === undefined ? '' : ` written: ${output}`}.`);
    });
}

const examples = `
Nothing is lost: import makes the same tasks of what export wrote. In both forms the unmodified harness of SWE-bench 5 runs and
grades them; a file named test.jsonl in a folder of its own is a dataset for datasets.load_dataset.

Examples:
  $ repo-intel benchmark export --format swebench -o tasks/test.jsonl
  $ repo-intel benchmark export --format sweb-task-repo -o task-repo --name acme/tasks`;
