import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import type { EvaluatedPrediction, EvaluationProgress } from '../../loaders/task-instances/evaluate.ts';
import { ConfigError } from '../config.ts';
import type { Config } from '../config.ts';
import type { EvaluationRun } from '../model/evaluation-run.ts';
import type { TaskInstance } from '../model/task-instance.ts';
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
  runId?: string;
  instanceIds?: string[];
  workers: number;
}

/** Adds the flags to a command. */
export const taskFlags = (command: Command, config: Config): Command =>
  command
    .option('--dataset <file>', 'tasks from a file or folder that mint or export wrote (default: those that are kept)')
    .option('--repository <name=path>', 'where a repository of the tasks is (default: where it was minted)', place)
    .addOption(organizationOption(config))
    .option('--instance-ids <id...>', 'only these tasks')
    .option('--run-id <id>', 'name of the run (default: a new one)', runId)
    .option('--workers <number>', 'tasks that are worked on at once', wholeNumber, defaultWorkers());

/** What runs on these tasks are called by, where their models are kept. */
export const datasetName = (dataset: string | undefined): string =>
  dataset === undefined ? 'internal' : basename(dataset).replace(/\.jsonl?$/, '');

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
  { repository: places = {}, organization }: TaskFlags,
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

export function chosenOf(instances: readonly TaskInstance[], { instanceIds }: TaskFlags): readonly TaskInstance[] {
  if (instanceIds === undefined) return instances;
  const wanted = new Set(instanceIds);
  const found = instances.filter(({ instance_id: id }) => wanted.delete(id));
  if (wanted.size > 0) throw new ConfigError(`Not in the dataset: ${[...wanted].join(', ')}.`);
  return found;
}

export const shown = ({ done, total, counts }: EvaluationProgress) => ({
  repository: 'tasks',
  phase: 'evaluating' as const,
  done,
  total,
  detail: `${counts.resolved} solved`,
});

export function sentenceOf({
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

export function tableOf(run: EvaluationRun): string {
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

function place(text: string, places: Record<string, string> = {}): Record<string, string> {
  const [, name, path] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || path === undefined) throw new InvalidArgumentError('acme/payments=/path/to/payments');
  return { ...places, [name]: path };
}
