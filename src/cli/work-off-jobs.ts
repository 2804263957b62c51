// A job is done by this very program.
// oxlint-disable no-restricted-imports
import { spawn } from 'node:child_process';
// oxlint-enable no-restricted-imports
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { argv, env, execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import type { Job, JobHandler, JobQueue, JobResult } from '../stores/jobs/port.ts';

/** What this process does already, by queue. */
const done = new WeakMap<JobQueue, Set<Job['kind']>>();

/**
 * The service's own work on its jobs of these kinds, where there is no server that workers could share them on: of each kind one at a
 * time, however often this is called.
 */
export async function workOffJobs(queue: JobQueue, config: Config, kinds: readonly Job['kind'][]): Promise<void> {
  const known = done.get(queue) ?? new Set();
  done.set(queue, known);
  const fresh = kinds.filter((kind) => !known.has(kind));
  for (const kind of fresh) known.add(kind);
  const one = { handle: inAnotherProcess(config), concurrency: 1 };
  await queue.work(Object.fromEntries(fresh.map((kind) => [kind, one])));
}

/**
 * Does a job in a process of its own, which hands its result to this one as any `load` beside the service does: so requests neither
 * wait for it nor have less memory, and where there is too little time for both, they come first. It ends with this process, however that ends.
 */
const inAnotherProcess =
  ({ dataDir }: Config): JobHandler =>
  async ({ id, attempt, ...job }, signal) => {
    const child = spawn(execPath, ['--max-semi-space-size=8', argv[1] ?? '', 'job'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...env, DATA_DIR: dataDir },
    });
    const end = () => child.kill('SIGKILL');
    signal.addEventListener('abort', end, { once: true });
    try {
      const closed = once(child, 'close') as Promise<[number | null]>;
      await once(child, 'spawn');
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
      // It may end before it has read it; its exit code says so.
      child.stdin.on('error', () => undefined);
      // Left open: when it ends, so does the job.
      child.stdin.write(`${JSON.stringify({ job, id, attempt })}\n`);
      const said = await text(child.stdout);
      const [code] = await closed;
      signal.throwIfAborted();
      if (code !== 0) return { status: 'failed', error: 'Its process ended before it was done.', retry: true };
      return JSON.parse(said) as JobResult;
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  };
