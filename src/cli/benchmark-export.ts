import { Command, Option } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import type { Config } from '../config.ts';
import { place, runnableOf, sourcesOf } from './benchmark-tasks.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';
import { storedTaskInstances } from './stored-task-instances.ts';

/** Those that are a folder a task. */
const folders = ['sweb-task-repo', 'harbor', 'terminal-bench'] as const;
const formats = ['native', 'swebench', 'parquet', ...folders] as const;

interface Options extends OrganizationFlag {
  format: (typeof formats)[number];
  output?: string;
  dataset?: string;
  repository?: Record<string, string>;
  name: string;
  repo?: string;
}

export function benchmarkExportCommand(config: Config, io: Io): Command {
  return new Command('export')
    .description('write tasks for other harnesses, or for another repo-intel')
    .addOption(
      new Option(
        '--format <format>',
        'swebench: JSON lines that SWE-bench 5 loads; parquet: the same as one; sweb-task-repo: its folder a task; harbor, terminal-bench: theirs',
      )
        .choices(formats)
        .default('swebench'),
    )
    .option('-o, --output <path>', 'file, or for folders of tasks a new one (default: stdout)')
    .option('--dataset <file>', 'tasks from a file or folder as import takes it (default: those that are kept)')
    .option('--repo <owner/name>', 'only of this repository')
    .option('--repository <name=path>', 'where a repository of the tasks is (default: where it was minted)', place)
    .addOption(organizationOption(config))
    .option('--name <name>', 'of the dataset, in a task repository', 'repo-intel/tasks')
    .addHelpText('after', examples)
    .action(async ({ format, output, dataset, name, repo, repository, organization }: Options, command: Command) => {
      if ((isOfFolders(format) || format === 'parquet') && output === undefined)
        command.error(`error: ${format} is not for stdout: say where with --output`, { exitCode: 2 });
      const { readTaskInstances } = await import('../../loaders/task-instances/exchange/read-task-instances.ts');
      const all =
        dataset === undefined
          ? await storedTaskInstances(config, io, { organization })
          : await readTaskInstances(dataset);
      const wanted = all.filter((instance) => repo === undefined || instance.repo === repo);
      if (wanted.length === 0) throw new Error('There is no task: repo-intel benchmark mint makes some.');
      if (format === 'native') {
        await writeLines(io, wanted, output);
        return;
      }
      // Other harnesses run them.
      const instances = runnableOf(io, wanted, {});
      if (isOfFolders(format)) {
        const to = output ?? '.';
        const ids = new Set(instances.map(({ instance_id: id }) => id));
        const of = { organization, ...(repository ? { repository } : {}) };
        const checkout = await sourcesOf(config, io, instances, ids, of).catch((error: unknown) => {
          // Of public ones whoever builds the images finds the sources where they are.
          const isPublic = instances.every(({ provenance }) => provenance.origin === 'public');
          if (format === 'sweb-task-repo' && isPublic && repository === undefined) return null;
          throw error;
        });
        if (format === 'sweb-task-repo') {
          const { writeTaskRepo } = await import('../../loaders/task-instances/exchange/task-repo.ts');
          await writeTaskRepo(to, name, instances, checkout);
        } else if (checkout) {
          const { writeTaskFolders } = await import('../../loaders/task-instances/exchange/task-folders.ts');
          await writeTaskFolders(to, format, instances, checkout);
        }
      } else {
        const { toSwebench } = await import('../../loaders/task-instances/exchange/swebench.ts');
        if (format === 'parquet') {
          const { parquetOf } = await import('../../loaders/task-instances/exchange/parquet.ts');
          await writeFileAtomic(output ?? '', parquetOf(instances.map(toSwebench)));
          io.say(`${instances.length} tasks written: ${output}.`);
          return;
        }
        await writeLines(io, instances.map(toSwebench), output);
        return;
      }
      io.say(`${instances.length} tasks written: ${output}.`);
    });
}

async function writeLines(io: Io, rows: readonly object[], output: string | undefined): Promise<void> {
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
  if (output === undefined) for (const line of lines) await io.out(line);
  else await writeFileAtomic(output, lines.join(''));
  io.say(`${rows.length} tasks${output === undefined ? '' : ` written: ${output}`}.`);
}

const isOfFolders = (format: Options['format']): format is (typeof folders)[number] =>
  folders.some((one) => one === format);

const examples = `
Of SWE-bench's two forms nothing is lost: import makes the same tasks of what export wrote. In both its unmodified harness runs and
grades them; a file named test.jsonl in a folder of its own is a dataset for datasets.load_dataset. Folders hold the tree of the
base, so that their images are built without the repository and without build arguments.

Examples:
  $ repo-intel benchmark export --format swebench -o tasks/test.jsonl
  $ repo-intel benchmark export --format sweb-task-repo -o task-repo --name acme/tasks
  $ repo-intel benchmark export --format harbor -o harbor-tasks`;
