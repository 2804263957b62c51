import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { uuidv7 } from 'uuidv7';
import type { EvaluatedPrediction, EvaluationProgress } from '../../loaders/task-instances/evaluate.ts';
import type { Prediction } from '../../loaders/task-instances/read-predictions.ts';
import { ConfigError } from '../config.ts';
import type { Config } from '../config.ts';
import type { EvaluationRun } from '../model/evaluation-run.ts';
import type { TaskInstance } from '../model/task-instance.ts';
import { interrupted } from './interrupted.ts';
import { plain } from '../model/plain.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';
import type { Session } from './session.ts';
import { storedTaskInstances } from './stored-task-instances.ts';
import { openSuiteRunner, sandboxFlags } from './suite-runner.ts';
import type { SandboxFlags } from './suite-runner.ts';

interface Options extends SandboxFlags, OrganizationFlag {
  predictions: string;
  dataset?: string;
  repository?: Record<string, string>;
  runId?: string;
  instanceIds?: string[];
  workers: number;
  timeout?: number;
  resume?: boolean;
  retryP2p?: boolean;
  output?: string;
  json?: boolean;
}

export function benchmarkEvaluateCommand(config: Config, io: Io): Command {
  const command = new Command('evaluate')
    .description('run the tests of tasks on what models answered, and say how many are solved')
    .requiredOption(
      '--predictions <file>',
      'JSON or JSON lines of SWE-bench and its relatives; gold: the fixes themselves; empty: no patch at all',
    )
    .option('--dataset <file>', 'tasks from a file or folder that mint or export wrote (default: those that are kept)')
    .option('--repository <name=path>', 'where a repository of the tasks is (default: where it was minted)', place)
    .addOption(organizationOption(config))
    .option('--instance-ids <id...>', 'only these tasks')
    .option('--run-id <id>', 'name of the run (default: a new one)', runId)
    .option('--workers <number>', 'predictions that are evaluated at once', wholeNumber, defaultWorkers())
    .option('--timeout <seconds>', 'for one run of the tests (default: the task’s own)', wholeNumber)
    .option('--resume', 'take what earlier evaluations of the same patches said')
    .option('--retry-p2p', 'run the tests once more where all that fails passed before')
    .option('-o, --output <folder>', 'for logs and reports (default: benchmark in the data folder)')
    .option('--json', 'the summary of each model as a JSON line')
    .addHelpText('after', examples)
    .action(async (options: Options) => {
      const instances = await datasetOf(config, io, options);
      const { runs, evaluated, reports } = await run(config, io, instances, options);
      io.done();
      for (const one of evaluated) if (one.status !== 'resolved' || one.controlled === false) io.say(sentenceOf(one));
      await inSession(config, io, async (session) => {
        for (const summary of runs)
          await session.run('benchmark.evaluated', { organization: options.organization, run: summary });
      });
      for (const summary of runs) await io.out(options.json ? `${JSON.stringify(summary)}\n` : tableOf(summary));
      for (const report of reports) io.say(`Written: ${report}`);
    });
  return sandboxFlags(command);
}

async function run(config: Config, io: Io, instances: readonly TaskInstance[], options: Options) {
  const { evaluate } = await import('../../loaders/task-instances/evaluate.ts');
  const folder = join(config.dataDir, 'benchmark');
  const chosen = chosenOf(instances, options);
  const predictions = await predictionsOf(options.predictions, instances, chosen);
  return evaluate({
    runId: options.runId ?? uuidv7(),
    dataset: {
      name: options.dataset === undefined ? 'internal' : basename(options.dataset).replace(/\.jsonl?$/, ''),
      instances: chosen,
    },
    predictions,
    runner: await openSuiteRunner(config, options, (sentence) => io.say(sentence)),
    checkout: await sourcesOf(config, io, instances, predictions, options),
    folder: options.output ?? folder,
    cacheFolder: join(folder, 'evaluations'),
    resume: options.resume === true,
    workers: options.workers,
    timeoutSeconds: options.timeout,
    retryPassToPass: options.retryP2p,
    runEmpty: options.predictions === 'empty',
    onProgress: (progress) => io.progress(shown(progress)),
    signal: interrupted(io, 'Interrupted. With --resume it goes on where it was.'),
  });
}

/** Nobody else has the data folder to itself while tests run. */
async function inSession<T>(config: Config, io: Io, work: (session: Session) => Promise<T>): Promise<T> {
  const { openSession } = await import('./session.ts');
  const session = await openSession(config, io);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** The repositories of the tasks that are answered: where they are said to be, or were minted. */
async function sourcesOf(
  config: Config,
  io: Io,
  instances: readonly TaskInstance[],
  predictions: readonly Prediction[],
  { repository: places = {}, organization }: Options,
) {
  const { openSources } = await import('../../loaders/task-instances/open-sources.ts');
  const answered = new Set(predictions.map(({ instance_id: id }) => id));
  const repos = new Set(instances.filter(({ instance_id: id }) => answered.has(id)).map(({ repo }) => repo));
  const unsaid = [...repos].filter((repo) => places[repo] === undefined);
  const known = new Map(Object.entries(places));
  if (unsaid.length > 0)
    await inSession(config, io, async (session) => {
      for (const repo of unsaid) {
        const source = (await session.run('benchmark.source', { organization, repo })) as string | null;
        if (source !== null) known.set(repo, source);
      }
    });
  return openSources(repos, known, join(config.dataDir, 'clones'));
}

async function datasetOf(config: Config, io: Io, { dataset, ...of }: Options): Promise<TaskInstance[]> {
  const { readTaskInstances } = await import('../../loaders/task-instances/exchange/read-task-instances.ts');
  const all = dataset === undefined ? await storedTaskInstances(config, io, of) : await readTaskInstances(dataset);
  if (all.length === 0) throw new Error('There is no task: repo-intel benchmark mint makes some.');
  return all;
}

function chosenOf(instances: readonly TaskInstance[], { instanceIds }: Options): readonly TaskInstance[] {
  if (instanceIds === undefined) return instances;
  const wanted = new Set(instanceIds);
  const found = instances.filter(({ instance_id: id }) => wanted.delete(id));
  if (wanted.size > 0) throw new ConfigError(`Not in the dataset: ${[...wanted].join(', ')}.`);
  return found;
}

/** For the tasks chosen; the others may have some, what is in no dataset may not. */
async function predictionsOf(
  source: string,
  instances: readonly TaskInstance[],
  chosen: readonly TaskInstance[],
): Promise<Prediction[]> {
  if (source === 'gold' || source === 'empty')
    return chosen.map(({ instance_id, patch }) => ({
      instance_id,
      model: source,
      patch: source === 'gold' ? patch : null,
    }));
  const { PredictionsError, readPredictions } = await import('../../loaders/task-instances/read-predictions.ts');
  const idsOf = (some: readonly TaskInstance[]) => new Set(some.map(({ instance_id: id }) => id));
  try {
    const ids = idsOf(chosen);
    return (await readPredictions(source, idsOf(instances))).filter(({ instance_id: id }) => ids.has(id));
  } catch (error) {
    if (error instanceof PredictionsError) throw new ConfigError(error.message);
    throw error;
  }
}

const shown = ({ done, total, counts }: EvaluationProgress) => ({
  repository: 'tasks',
  phase: 'evaluating' as const,
  done,
  total,
  detail: `${counts.resolved} solved`,
});

function sentenceOf({
  instance_id: id,
  model,
  status,
  problem,
  dropped_paths: dropped,
  inconsistent,
  controlled,
  infra,
}: EvaluatedPrediction) {
  const reasons = [
    ...(problem === null ? [] : [problem.split('\n', 1)[0] ?? '']),
    ...(dropped.length > 0 ? [`left out: ${dropped.join(', ')}`] : []),
    ...(inconsistent ? ['the report of the tests contradicts their exit code'] : []),
    ...(controlled === false ? ['no control could be made of its tests, so that this is their word alone'] : []),
    ...(infra ? [`maybe the machine: ${infra.reason}`] : []),
  ];
  return `${id} (${model}): ${status.replaceAll('_', ' ')}${reasons.length > 0 ? `; ${reasons.join('; ')}` : ''}`;
}

function tableOf(run: EvaluationRun): string {
  const { model, solved, evaluated, solve_rate: rate, counts, total, uncontrolled, run_id: id } = run;
  const others = Object.entries(counts).filter(([status, count]) => status !== 'resolved' && count > 0);
  const rest = others.map(([status, count]) => `, ${count} ${status.replaceAll('_', ' ')}`).join('');
  const alone = uncontrolled ? `, ${uncontrolled} by the word of their tests alone` : '';
  return `${plain(model)}\t${solved} of ${evaluated} solved${alone} (${(rate * 100).toFixed(1)} %)${rest}; ${total} tasks in the dataset; run ${id}\n`;
}

function defaultWorkers(): number {
  return Math.min(24, Math.max(1, Math.floor(availableParallelism() * 0.75)));
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('a whole number, from 1');
  return Number(text);
}

function runId(text: string): string {
  if (!/^\w[\w.-]{0,99}$/.test(text)) throw new InvalidArgumentError('letters, digits, dots, dashes and underscores');
  return text;
}

function place(text: string, places: Record<string, string> = {}): Record<string, string> {
  const [, name, path] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || path === undefined) throw new InvalidArgumentError('acme/payments=/path/to/payments');
  return { ...places, [name]: path };
}

const examples = `
Predictions are in the form of SWE-bench, {"instance_id", "model_name_or_path", "model_patch"}, as JSON lines, a list, or an
object by id; those of SWE-agent, SWE-bench-Live, Multi-SWE-bench and SWE-bench Pro are read too. A patch loses what it has no
right to change: tests, and what controls how they are run. A task is solved when all of its tests pass.

Examples:
  $ repo-intel benchmark evaluate --predictions preds.jsonl --run-id coder-1
  $ repo-intel benchmark evaluate --predictions gold          # are the tasks sound? all must be solved
  $ repo-intel benchmark evaluate --predictions preds.json --dataset tasks.jsonl --repository acme/payments=~/src/payments`;
