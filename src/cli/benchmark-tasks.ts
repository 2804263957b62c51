import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import type { EvaluatedPrediction, Evaluation, EvaluationProgress } from '../../loaders/task-instances/evaluate.ts';
import { ConfigError } from '../config.ts';
import type { Config } from '../config.ts';
import type { EvaluationOutcome } from '../model/evaluation-outcome.ts';
import type { EvaluationRun, Usage } from '../model/evaluation-run.ts';
import { isProven } from '../model/task-instance.ts';
import type { ProvenTask, TaskInstance } from '../model/task-instance.ts';
import { plain } from '../model/plain.ts';
import type { Io } from './io.ts';
import { organizationOption } from './organization-option.ts';
import type { OrganizationFlag } from './organization-option.ts';
import type { Session } from './session-on.ts';
import { storedTaskInstances } from './stored-task-instances.ts';

/** Which tasks a command works on, and how. */
export interface TaskFlags extends OrganizationFlag {
  dataset?: string;
  repository?: Record<string, string>;
  instanceIds?: string[];
  workers: number;
}

/** What a command that evaluates does with what comes of it. */
export interface ResultFlags extends TaskFlags {
  runId?: string;
  resume?: boolean;
  output?: string;
  json?: boolean;
}

/** What came of the evaluation of one run. */
export interface Evaluated {
  runs: EvaluationRun[];
  evaluated: EvaluatedPrediction[];
  /** What an agent made: the folder that has those of its attempts, and what these took, and lack, by their task. */
  attempts?: { folder: string; told: ReadonlyMap<string, { usage: Usage | null; problem: string | null }> };
}

/** Adds the flags to a command. */
export const taskFlags = (command: Command, config: Config): Command =>
  command
    .option('--dataset <file>', 'tasks from a file or folder as import takes it (default: those that are kept)')
    .option('--repository <name=path>', 'where a repository of the tasks is (default: where it was minted)', place)
    .addOption(organizationOption(config))
    .option('--instance-ids <id...>', 'only these tasks')
    .option('--workers <number>', 'tasks that are worked on at once', wholeNumber, defaultWorkers());

/** The same for one that evaluates. */
export const runFlags = (command: Command, config: Config): Command =>
  taskFlags(command, config).option('--run-id <id>', 'name of the run (default: a new one)', runId);

/** Nobody else has the data folder to itself while tests run. */
export async function inSession<T>(config: Config, io: Io, work: (session: Session) => Promise<T>): Promise<T> {
  const { openSession } = await import('./session.ts');
  const session = await openSession(config, io);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** The repositories of the tasks with these ids: where they are said to be, or were minted. */
export async function sourcesOf(
  config: Config,
  io: Io,
  instances: readonly TaskInstance[],
  answered: ReadonlySet<string>,
  { repository: places = {}, organization }: Pick<TaskFlags, 'repository' | 'organization'>,
) {
  const { openSources } = await import('../../loaders/task-instances/open-sources.ts');
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

export async function datasetOf(config: Config, io: Io, { dataset, ...of }: TaskFlags): Promise<TaskInstance[]> {
  const { readTaskInstances } = await import('../../loaders/task-instances/exchange/read-task-instances.ts');
  const all = dataset === undefined ? await storedTaskInstances(config, io, of) : await readTaskInstances(dataset);
  if (all.length === 0) throw new Error('There is no task: repo-intel benchmark mint makes some.');
  return all;
}

/** Those chosen that can be run; says of the others that they can't, and refuses them where they were asked for by name. */
export function runnableOf(
  io: Io,
  instances: readonly TaskInstance[],
  flags: Pick<TaskFlags, 'instanceIds'>,
): readonly ProvenTask[] {
  const chosen = chosenOf(instances, flags);
  const proven = chosen.filter(isProven);
  if (proven.length === chosen.length) return proven;
  const others = `${chosen.length - proven.length} of ${chosen.length} tasks are not validated: repo-intel benchmark validate proves them.`;
  if (proven.length === 0 || flags.instanceIds !== undefined) throw new ConfigError(others);
  io.say(`Left out: ${others}`);
  return proven;
}

export function chosenOf(
  instances: readonly TaskInstance[],
  { instanceIds }: Pick<TaskFlags, 'instanceIds'>,
): readonly TaskInstance[] {
  if (instanceIds === undefined) return instances;
  const wanted = new Set(instanceIds);
  const found = instances.filter(({ instance_id: id }) => wanted.delete(id));
  if (wanted.size > 0) throw new ConfigError(`Not in the dataset: ${[...wanted].join(', ')}.`);
  return found;
}

/** An evaluation as the flags say it. */
export async function evaluateAs(
  config: Config,
  io: Io,
  flags: ResultFlags,
  evaluation: Omit<Evaluation, 'dataset' | 'folder' | 'cacheFolder' | 'resume' | 'workers' | 'onProgress'> & {
    instances: readonly TaskInstance[];
  },
) {
  const { evaluate } = await import('../../loaders/task-instances/evaluate.ts');
  const folder = join(config.dataDir, 'benchmark');
  const { instances, ...given } = evaluation;
  return evaluate({
    ...given,
    dataset: {
      name: flags.dataset === undefined ? 'internal' : basename(flags.dataset).replace(/\.jsonl?$/, ''),
      instances,
    },
    folder: flags.output ?? folder,
    cacheFolder: join(folder, 'evaluations'),
    resume: flags.resume === true,
    workers: flags.workers,
    onProgress: (progress) => io.progress(shown(progress)),
  });
}

/** Says which predictions did not plainly solve their tasks, keeps what became of all for the API, and prints a summary of each run. */
export async function keepAndPrint(
  config: Config,
  io: Io,
  { organization, json, output = join(config.dataDir, 'benchmark') }: ResultFlags,
  instances: readonly TaskInstance[],
  results: readonly Evaluated[],
): Promise<void> {
  io.done();
  for (const { evaluated } of results)
    for (const one of evaluated) if (one.status !== 'resolved' || one.controlled === false) io.say(sentenceOf(one));
  const byId = new Map(instances.map((instance) => [instance.instance_id, instance]));
  const { readAttempt } = await import('../../loaders/task-instances/read-attempt.ts');
  await inSession(config, io, async (session) => {
    for (const { runs, evaluated, attempts } of results)
      for (const run of runs) {
        const own = evaluated.filter(({ model }) => model === run.model);
        const outcomes = own.flatMap((one) => {
          const instance = byId.get(one.instance_id);
          return instance ? outcomeOf(instance, one, attempts?.told.get(one.instance_id)) : [];
        });
        await session.run('benchmark.evaluated', { organization, run, outcomes });
        // One after the other: together they may be larger than memory.
        for (const { instance_id: id, logs } of outcomes) {
          const trajectory = attempts === undefined ? null : join(attempts.folder, id, 'trajectory.json');
          const attempt = await readAttempt(id, { logs: join(output, logs), trajectory });
          await session.run('benchmark.attempted', { organization, run, attempt });
        }
      }
  });
  for (const { runs } of results)
    for (const run of runs) await io.out(json ? `${JSON.stringify(run)}\n` : tableOf(run));
}

function outcomeOf(
  { repo, language, difficulty, created_at: committed }: TaskInstance,
  { instance_id, status, controlled, problem, dropped_paths, infra, logs }: EvaluatedPrediction,
  attempt: { usage: Usage | null; problem: string | null } = { usage: null, problem: null },
): EvaluationOutcome {
  const task = { instance_id, repo, language, difficulty, committed_at: committed };
  return {
    ...task,
    status,
    controlled,
    problem: problem ?? attempt.problem,
    dropped_paths,
    infra: infra?.reason ?? null,
    logs,
    usage: attempt.usage,
  };
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
    ...(controlled === false && problem === null
      ? ['no control could be made of its tests, so that this is their word alone']
      : []),
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

export function defaultWorkers(): number {
  return Math.min(24, Math.max(1, Math.floor(availableParallelism() * 0.75)));
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('a whole number, from 1');
  return Number(text);
}

export function runId(text: string): string {
  if (!/^\w[\w.-]{0,99}$/.test(text)) throw new InvalidArgumentError('letters, digits, dots, dashes and underscores');
  return text;
}

export function place(text: string, places: Record<string, string> = {}): Record<string, string> {
  const [, name, path] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || path === undefined) throw new InvalidArgumentError('acme/payments=/path/to/payments');
  return { ...places, [name]: path };
}
