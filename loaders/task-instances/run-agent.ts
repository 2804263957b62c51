import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { usageSchema, type Usage } from '../../src/model/evaluation-run.ts';
import type { ProvenTask } from '../../src/model/task-instance.ts';
import type { SuiteRunner, Workshop } from './suite.ts';

/** What an agent made of a task. */
export interface Attempt {
  instance_id: string;
  /** The difference to the base; empty where it changed nothing, null where there was no attempt. */
  patch: string | null;
  /** Null where the time limit or a signal ended it. */
  exit_code: number | null;
  timed_out: boolean;
  /** Milliseconds. */
  duration_ms: number;
  /** What it says that it took; null where it does not. */
  usage: Usage | null;
  /** Why there is no attempt or not a whole one; null where there is. */
  problem: string | null;
}

/** How agents work. */
export interface AgentOptions {
  runner: Pick<SuiteRunner, 'prepare'> & Workshop;
  /** Writes the instance's base commit, without history, into this folder. */
  checkout(folder: string): Promise<unknown>;
  /** For bash, in the tree of the base. */
  command: string;
  /** What the agent finds in its environment beside what is told of the task. */
  env: Readonly<Record<string, string>>;
  timeLimitSeconds: number;
  /** Gets the patch, what the agent printed, and its trajectory. */
  folder: string;
  signal?: AbortSignal | undefined;
}

/** For the difference and what is read, after the agent's own time. */
const maxSecondsAround = 120;

/**
 * Around the agent: it has a repository of one commit, whose files alone are in the difference; what the setup installed is not. The id of
 * that commit is where the agent can't change it, and its own settings of git count for nothing.
 */
const workspace = String.raw`
tree=$PWD base=$(git rev-parse HEAD)
mkdir -p .git/info
git -c core.quotePath=false ls-files --others --exclude-standard --directory | sed 's/[][*?!#\\ ]/\\&/g; s|^|/|' >>.git/info/exclude
printf '%s\n' "$PROBLEM_STATEMENT" >"$HOME/problem_statement.md"
export PROBLEM_STATEMENT_FILE=$HOME/problem_statement.md TRAJECTORY_FILE=$OUT/trajectory.json USAGE_FILE=$OUT/usage.json
limit=$TIME_LIMIT_S agent=$AGENT_COMMAND
unset AGENT_COMMAND
timeout --kill-after=5 "$limit" bash -c "$agent" </dev/null
echo $? >"$OUT/exit_code"
cd "$tree"
rm -f .git/index.lock
own() { git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c diff.external= "$@"; }
own add --all . && own diff --cached --binary --full-index --no-renames --no-ext-diff --no-textconv "$base" >"$OUT/patch.diff"
`;

/** Where a sandbox has the trajectory. */
const steps = 'out/trajectory.json';
const tooManySteps = 'Its trajectory has 128 MiB or more, and is not kept.';

const timedOutCode = [124, 137];

/** Gives a task to an agent, in a sandbox with its environment, and takes what it changed. Whatever the agent does is an attempt. */
export async function runAgent(instance: ProvenTask, options: AgentOptions): Promise<Attempt> {
  const { runner, command, env, timeLimitSeconds, folder, signal } = options;
  const { environment, instance_id: id, problem_statement: statement } = instance;
  const own = await mkdtemp(join(tmpdir(), 'repo-intel-agent-'));
  const none = { instance_id: id, patch: null, exit_code: null, timed_out: false, duration_ms: 0, usage: null };
  await mkdir(folder, { recursive: true });
  try {
    const tree = join(own, 'tree');
    await options.checkout(tree);
    const request = { tree, environment, ...(signal ? { signal } : {}) };
    const prepared = await runner.prepare(request);
    if (prepared.problem !== null) return { ...none, problem: `The setup failed: ${prepared.problem}` };
    const result = await runner.work({
      ...request,
      command: workspace,
      env: {
        ...env,
        AGENT_COMMAND: command,
        INSTANCE_ID: id,
        PROBLEM_STATEMENT: statement,
        TIME_LIMIT_S: String(timeLimitSeconds),
      },
      timeoutMs: (timeLimitSeconds + maxSecondsAround) * 1_000,
      into: { [steps]: join(folder, 'trajectory.json') },
    });
    const out = (name: string) => result.reports.get(`out/${name}`)?.toString('utf8') ?? null;
    const patch = out('patch.diff');
    const code = out('exit_code')?.trim() ?? '';
    const exitCode = /^\d+$/.test(code) ? Number(code) : null;
    const timedOut = result.timedOut || (exitCode !== null && timedOutCode.includes(exitCode));
    const attempt: Attempt = {
      instance_id: id,
      patch,
      exit_code: timedOut ? null : exitCode,
      timed_out: timedOut,
      duration_ms: Math.round(result.durationMs),
      usage: usageIn(out('usage.json')),
      problem: patch === null ? problemOf(result) : result.tooLarge.includes(steps) ? tooManySteps : null,
    };
    const files = {
      'attempt.json': `${JSON.stringify(attempt, null, 2)}\n`,
      'patch.diff': patch,
      'agent.log': result.log,
    };
    for (const [name, text] of Object.entries(files)) if (text !== null) await writeFile(join(folder, name), text);
    return attempt;
  } catch (error) {
    signal?.throwIfAborted();
    return { ...none, problem: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

function problemOf({ outOfMemory, timedOut }: { outOfMemory: boolean; timedOut: boolean }): string {
  if (outOfMemory) return 'It took more memory than it may.';
  return timedOut ? 'It left no difference within its time.' : 'No difference to the base could be made.';
}

const told = z.object({
  input_tokens: usageSchema.shape.input_tokens.default(null),
  output_tokens: usageSchema.shape.output_tokens.default(null),
  cost_usd: usageSchema.shape.cost_usd.default(null),
});

/** What an agent wrote of what it took; null where that is none of it. */
function usageIn(text: string | null): Usage | null {
  try {
    return text === null ? null : (told.safeParse(JSON.parse(text)).data ?? null);
  } catch {
    return null;
  }
}

/** Together; null where nothing is told of it by any. */
export function totalUsage(attempts: readonly Pick<Attempt, 'usage'>[]): Usage | null {
  const all = attempts.flatMap(({ usage }) => usage ?? []);
  if (all.length === 0) return null;
  const sum = (name: keyof Usage) => {
    const values = all.flatMap((usage) => usage[name] ?? []);
    return values.length === 0 ? null : values.reduce((a, b) => a + b, 0);
  };
  return { input_tokens: sum('input_tokens'), output_tokens: sum('output_tokens'), cost_usd: sum('cost_usd') };
}
