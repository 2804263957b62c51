import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
// What an agent is given of the environment is named by whoever runs it; none of our settings come this way.
import { env } from 'node:process';
import { Command } from 'commander';
import { uuidv7 } from 'uuidv7';
import writeFileAtomic from 'write-file-atomic';
import type { Attempt } from '../../loaders/task-instances/run-agent.ts';
import { ConfigError } from '../config.ts';
import type { Config } from '../config.ts';
import type { ProvenTask, TaskInstance } from '../model/task-instance.ts';
import { wilson } from '../model/wilson.ts';
import {
  datasetOf,
  evaluateAs,
  keepAndPrint,
  runFlags,
  runnableOf,
  sourcesOf,
  wholeNumber,
} from './benchmark-tasks.ts';
import type { Evaluated, ResultFlags } from './benchmark-tasks.ts';
import { interrupted } from './interrupted.ts';
import type { Io } from './io.ts';
import { openSuiteRunner, sandboxFlags } from './suite-runner.ts';
import type { SandboxFlags } from './suite-runner.ts';

interface Options extends SandboxFlags, ResultFlags {
  agent: string;
  agentEnv?: string[];
  model?: string;
  samples: number;
  timeLimit: number;
}

export function benchmarkRunCommand(config: Config, io: Io): Command {
  const command = new Command('run')
    .description('give tasks to an agent, each in a workspace of its own, and say how many it solves')
    .requiredOption(
      '--agent <command>',
      'for bash, in the tree of a task’s base; oracle: applies the fix itself; nop: does nothing',
    )
    .option('--agent-env <name...>', 'variables of your environment that the agent gets, such as a model’s key')
    .option('--model <name>', 'what results are told under (default: the first word of the command)')
    .option('--samples <number>', 'attempts at each task', wholeNumber, 1)
    .option('--time-limit <seconds>', 'for one attempt', wholeNumber, 1_800)
    .option('--resume', 'take the attempts and verdicts that a run of this --run-id has already')
    .option('-o, --output <folder>', 'for attempts, logs and reports (default: benchmark in the data folder)')
    .option('--json', 'the summary of each sample as a JSON line')
    .addHelpText('after', examples)
    .action(async (options: Options) => {
      const agentEnv = Object.fromEntries((options.agentEnv ?? []).map((name) => [name, valueOf(name)]));
      const { chosen, results } = await run(config, io, options, agentEnv);
      await keepAndPrint(config, io, options, chosen, results);
      if (!options.json) await io.out(overall(results, chosen.length, options.samples));
    });
  return sandboxFlags(runFlags(command, config));
}

async function run(config: Config, io: Io, options: Options, agentEnv: Readonly<Record<string, string>>) {
  const { totalUsage } = await import('../../loaders/task-instances/run-agent.ts');
  const instances = await datasetOf(config, io, options);
  const chosen = runnableOf(io, instances, options);
  const folder = options.output ?? join(config.dataDir, 'benchmark');
  const runId = options.runId ?? uuidv7();
  const model = options.model ?? /^\S+/.exec(options.agent)?.[0] ?? 'agent';
  const runner = await openSuiteRunner(config, options, (sentence) => io.say(sentence));
  const hosts = options.allowHost ?? [];
  io.say(`Run ${runId}: an agent reaches ${hosts.length > 0 ? hosts.join(', ') : 'no network'}.`);
  const ids = new Set(chosen.map(({ instance_id: id }) => id));
  const checkout = await sourcesOf(config, io, instances, ids, options);
  const signal = interrupted(io, `Interrupted. With --run-id ${runId} --resume it goes on where it was.`);
  const results: Evaluated[] = [];
  for (let sample = 1; sample <= options.samples; sample++) {
    const sampleId = options.samples === 1 ? runId : `${runId}.${sample}`;
    const attempts = await attemptAll(chosen, join(folder, 'attempts', sampleId), io, {
      ...options,
      runner,
      checkout,
      given: agentEnv,
      signal,
    });
    const predictions = attempts.map(({ instance_id, patch }) => ({ instance_id, model, patch }));
    const usage = totalUsage(attempts);
    const result = await evaluateAs(config, io, options, {
      runId: sampleId,
      instances: chosen,
      predictions,
      runner,
      checkout,
      usage: new Map(usage === null ? [] : [[model, usage]]),
      signal,
    });
    results.push({
      ...result,
      attempts: {
        folder: join(folder, 'attempts', sampleId),
        told: new Map(attempts.map((attempt) => [attempt.instance_id, attempt])),
      },
    });
  }
  return { chosen, results };
}

type Work = Omit<Options, 'agentEnv'> & {
  runner: Awaited<ReturnType<typeof openSuiteRunner>>;
  checkout: (instance: TaskInstance, folder: string) => Promise<unknown>;
  given: Readonly<Record<string, string>>;
  signal: AbortSignal;
};

/** One attempt at each task; those that are there already are taken where that is asked for. */
async function attemptAll(chosen: readonly ProvenTask[], folder: string, io: Io, work: Work): Promise<Attempt[]> {
  const { inParallel } = await import('../../loaders/task-instances/in-parallel.ts');
  const { runAgent } = await import('../../loaders/task-instances/run-agent.ts');
  const { agent, given, runner, checkout, timeLimit, signal } = work;
  const attempts = new Map<string, Attempt>();
  await inParallel(chosen, work.workers, async (instance) => {
    signal.throwIfAborted();
    const own = join(folder, instance.instance_id);
    const known = work.resume === true ? await attemptIn(own) : null;
    const attempt =
      known ??
      (await runAgent(instance, {
        runner,
        checkout: (tree) => checkout(instance, tree),
        command: builtIn[agent] ?? agent,
        env: agent === 'oracle' ? { ...given, GOLD_PATCH: instance.patch } : given,
        timeLimitSeconds: timeLimit,
        folder: own,
        signal,
      }));
    if (attempt.problem !== null) io.say(`${instance.instance_id}: ${attempt.problem}`);
    attempts.set(instance.instance_id, attempt);
    io.progress({
      repository: 'tasks',
      phase: 'evaluating',
      done: attempts.size,
      total: chosen.length,
      detail: 'attempted',
    });
  });
  const all = chosen.flatMap(({ instance_id: id }) => attempts.get(id) ?? []);
  await mkdir(folder, { recursive: true });
  const lines = all.map(({ instance_id, patch }) =>
    JSON.stringify({ instance_id, model_name_or_path: work.model ?? agent, model_patch: patch }),
  );
  await writeFileAtomic(join(folder, 'preds.jsonl'), lines.map((line) => `${line}\n`).join(''));
  return all;
}

/** Agents by which the tasks themselves are tried: all solved by the first, none by the second. */
const builtIn: Readonly<Record<string, string>> = {
  oracle: `printf '%s' "$GOLD_PATCH" | git apply --whitespace=nowarn`,
  nop: 'true',
};

async function attemptIn(folder: string): Promise<Attempt | null> {
  const text = await readFile(join(folder, 'attempt.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Attempt);
}

/** Of all samples: how often a task is solved at the first attempt, and how many are solved by any. */
function overall(results: readonly Evaluated[], tasks: number, samples: number): string {
  const resolved = results.flatMap(({ evaluated }) => evaluated.filter(({ status }) => status === 'resolved'));
  const solvedByAny = new Set(resolved.map(({ instance_id: id }) => id)).size;
  const inPercent = (share: number) => (share * 100).toFixed(1);
  const of = (name: string, solved: number, tried: number) => {
    const [low, high] = wilson(solved, tried);
    return `${name}\t${inPercent(solved / tried)} % (95 % interval ${inPercent(low)} to ${inPercent(high)})\n`;
  };
  if (samples === 1) return of('pass@1', solvedByAny, tasks);
  // Attempts at one task are no independent cases: the interval is that of tasks.
  return `pass@1\t${inPercent(resolved.length / (tasks * samples))} % of ${tasks * samples} attempts\n${of(`pass@${samples}`, solvedByAny, tasks)}`;
}

function valueOf(name: string): string {
  const value = /^[A-Za-z_]\w*$/.test(name) ? env[name] : undefined;
  if (value === undefined) throw new ConfigError(`--agent-env ${name}: there is no such variable.`);
  return value;
}

const examples = `
An agent is a command. It starts in the tree of the base, a git repository of one commit, with what the task's setup installed; it finds
  PROBLEM_STATEMENT, PROBLEM_STATEMENT_FILE   what was wrong
  INSTANCE_ID, TIME_LIMIT_S                   the task, and the seconds it has
  TRAJECTORY_FILE                             may write what it did there: it is kept
  USAGE_FILE                                  may write {"input_tokens", "output_tokens", "cost_usd"} there: it is summed
What it changed in the tree is its answer, evaluated as any other. It sees neither patch nor tests, and no network but hosts named by
--allow-host: not even registries, where the version that has the fix may be.

Examples:
  $ repo-intel benchmark run --agent oracle                    # are the tasks sound? all must be solved
  $ repo-intel benchmark run --agent 'my-agent --yes "$PROBLEM_STATEMENT_FILE"' --agent-env API_KEY --allow-host api.example.com
  $ repo-intel benchmark run --agent ./agent.sh --model coder-1 --samples 4 --run-id coder-1`;
