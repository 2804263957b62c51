import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import type { Config } from '../config.ts';
import { isProven } from '../model/task-instance.ts';
import type { TaskInstance } from '../model/task-instance.ts';
import { chosenOf, datasetOf, inSession, sourcesOf, taskFlags, wholeNumber } from './benchmark-tasks.ts';
import type { TaskFlags } from './benchmark-tasks.ts';
import { interrupted } from './interrupted.ts';
import type { Io } from './io.ts';
import { mustBeWritable } from './must-be-writable.ts';
import { openSuiteRunner, sandboxFlags } from './suite-runner.ts';
import type { SandboxFlags } from './suite-runner.ts';
import { settingsOf, suiteSettingsFlags } from './suite-settings-flags.ts';
import type { SuiteSettingsFlags } from './suite-settings-flags.ts';

interface Options extends SandboxFlags, TaskFlags, SuiteSettingsFlags {
  output?: string;
}

/** As mint has it: all went well, and there is nothing. */
const noneValid = 2;

export function benchmarkValidateCommand(config: Config, io: Io): Command {
  const command = new Command('validate')
    .description('prove tasks of public datasets: the gold patch must solve each here, and no patch must not')
    .option('--runs <number>', 'run both so often, to tell flaky tests (default: 1)', wholeNumber)
    .option('--timeout <seconds>', 'for one run of the tests (default: 600)', wholeNumber)
    .option('-o, --output <file>', 'write the tasks there, a JSON line each, instead of keeping them')
    .addHelpText('after', examples)
    .action(async (options: Options) => {
      if (options.output !== undefined) await mustBeWritable(options.output);
      const dataset = await datasetOf(config, io, options);
      const named = chosenOf(dataset, options);
      // By name one is proven again.
      const chosen = options.instanceIds === undefined ? named.filter((instance) => !isProven(instance)) : named;
      if (chosen.length === 0) {
        io.say('All tasks are validated.');
        return;
      }
      const done = await validate(config, io, dataset, chosen, options);
      const valid = done.filter(isProven).length;
      io.say(`${valid} of ${chosen.length} tasks are valid.`);
      if (valid === 0) process.exitCode = noneValid;
    });
  return sandboxFlags(suiteSettingsFlags(taskFlags(command, config)));
}

/** Proves each and keeps what became of them, also of those that were proven before an interruption. */
async function validate(
  config: Config,
  io: Io,
  dataset: readonly TaskInstance[],
  chosen: readonly TaskInstance[],
  options: Options,
): Promise<TaskInstance[]> {
  const { inParallel } = await import('../../loaders/task-instances/in-parallel.ts');
  const { settingsFor } = await import('../../loaders/task-instances/mint-settings.ts');
  const { validateInstance } = await import('../../loaders/task-instances/validate-instance.ts');
  const runner = await openSuiteRunner(config, options, (sentence) => io.say(sentence));
  const ids = new Set(chosen.map(({ instance_id: id }) => id));
  const checkout = await sourcesOf(config, io, dataset, ids, options);
  const settings = await settingsFor(options.config ?? null, { ...settingsOf(options), runs: options.runs ?? 1 });
  const signal = interrupted(io, 'Interrupted. What was validated is kept.');
  const done = new Map<string, TaskInstance>();
  const valid = () => [...done.values()].filter(isProven).length;
  const tell = () =>
    io.progress({
      repository: 'tasks',
      phase: 'evaluating',
      done: done.size,
      total: chosen.length,
      detail: `${valid()} valid`,
    });
  tell();
  try {
    await inParallel(chosen, options.workers, async (instance) => {
      signal.throwIfAborted();
      const folder = join(config.dataDir, 'benchmark', instance.repo.replaceAll('/', '__'), 'logs');
      const logs = join(folder, instance.instance_id);
      const validated = await validateInstance(instance, {
        runner,
        checkout: (tree) => checkout(instance, tree),
        settings,
        signal,
        onLog: async (name, log) => {
          await mkdir(logs, { recursive: true });
          await writeFile(join(logs, `${name}.log`), log);
        },
      });
      done.set(instance.instance_id, validated);
      io.say(sentenceOf(validated, logs));
      tell();
    });
  } finally {
    io.done();
    await keep(config, io, dataset, done, options);
  }
  return [...done.values()];
}

function sentenceOf(
  { instance_id: id, verifying_tests: tests, validation: { status, problem, quarantined_tests: apart } }: TaskInstance,
  logs: string,
): string {
  if (status !== 'valid') return `${id}: not valid: ${problem} Logs: ${logs}`;
  const kept = `${tests.fail_to_pass.length} tests must be fixed and ${tests.pass_to_pass.length} kept`;
  return `${id}: valid; ${kept}${apart.length > 0 ? `, ${apart.length} that do not pass here are set apart` : ''}`;
}

async function keep(
  config: Config,
  io: Io,
  dataset: readonly TaskInstance[],
  done: ReadonlyMap<string, TaskInstance>,
  { output, organization }: Options,
): Promise<void> {
  if (output === undefined) {
    const instances = [...done.values()];
    await inSession(config, io, (session) => session.run('benchmark.save', { organization, instances }));
    return;
  }
  const lines = dataset.map((instance) => `${JSON.stringify(done.get(instance.instance_id) ?? instance)}\n`);
  await writeFileAtomic(output, lines.join(''));
  io.say(`Written: ${output}`);
}

const examples = `
A row of SWE-bench does not say how its tests are run. That is told from the files of its base, as mint does, or by --test-cmd and
--report. Tests that must pass before and after, and do not here, are set apart and counted.

Exits with 0 (at least one task is valid), 2 (none, or used wrongly) or 1 (failed).

Examples:
  $ repo-intel benchmark import swe-bench-lite.parquet
  $ repo-intel benchmark validate --repository psf/requests=~/src/requests --instance-ids psf__requests-2317
  $ repo-intel benchmark validate --dataset rows.jsonl --repository psf/requests=~/src/requests -o tasks.jsonl
  $ repo-intel benchmark evaluate --dataset tasks.jsonl --repository psf/requests=~/src/requests --predictions preds.jsonl`;
