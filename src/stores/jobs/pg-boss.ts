import { tracingChannel } from 'node:diagnostics_channel';
import { types } from 'pg';
import type { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import type { ConstructorOptions, JobWithMetadata } from 'pg-boss';
import type { Job, JobHandler, JobQueue, JobRecord, JobResult } from './port.ts';

/** A queue of its own for each kind: who mints for hours keeps nobody from loading. */
const kinds = ['load', 'mint', 'change', 'list'] as const satisfies Job['kind'][];

const options = {
  // One job of a source and organization in each state: a repository that changed while it is loaded can be asked for once more.
  policy: 'stately',
  // A worker that is silent for so long has died.
  heartbeatSeconds: 30,
  expireInSeconds: 6 * 3600,
  retryLimit: 5,
  retryDelay: 5,
  retryDelayMax: 600,
  retryBackoff: true,
  deleteAfterSeconds: 14 * 86_400,
} as const;

/** One try of a job, for whoever traces. */
export interface TracedJob {
  readonly kind: Job['kind'];
  readonly id: string;
  readonly attempt: number;
  /** Null before it ends, and where it broke off. */
  outcome: JobResult['status'] | null;
}
export const jobChannel = tracingChannel<unknown, TracedJob>('repo-intel:job');

/**
 * The jobs in PostgreSQL, in tables of their own, which are made when they are missing: on a server by its URL, or on the one connection
 * of an embedded one, whose only process this is.
 */
export async function openPgBoss(database: { url: string } | { pool: Pool }): Promise<JobQueue> {
  const embedded = 'pool' in database ? over(database.pool) : null;
  const connection: ConstructorOptions =
    'url' in database
      ? {
          connectionString: database.url,
          application_name: 'repo-intel-jobs',
          max: 4,
          connectionTimeoutMillis: 5_000,
        }
      : { ...(embedded && { db: embedded.db }), backend: 'pglite' };
  const boss = new PgBoss({
    ...connection,
    schema: 'jobs',
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // In it stands which sources are worked on: one that a killed process was at waits for as long.
    queueCacheIntervalSeconds: 5,
  });
  // Unheard, an error would end the process; the queue goes on by itself.
  boss.on('error', () => undefined);
  await boss.start();
  // Made once; the options of one that is there are brought up to date, its policy is fixed.
  const { policy: _, ...changeable } = options;
  for (const kind of kinds) {
    await boss.createQueue(kind, options);
    await boss.updateQueue(kind, changeable);
    if (embedded) await giveBackOrphans(boss, kind);
  }

  /** Of the jobs that this process does, by id. */
  const cancelling = new Map<string, AbortController>();
  /** Those that were taken, and not begun. */
  const cancelled = new Set<string>();

  return {
    onError: (hear) => void boss.on('error', hear),

    enqueue: async (job) => (await boss.send(job.kind, job, { singletonKey: placeOf(job) })) !== null,

    async work(handlers) {
      for (const kind of kinds) {
        const worker = handlers[kind];
        if (worker === undefined) continue;
        // A queue has jobs of its own kind alone.
        const handle = worker.handle as JobHandler;
        await boss.work<Job, JobResult, typeof workOptions & { localConcurrency: number }>(
          kind,
          { ...workOptions, localConcurrency: worker.concurrency },
          (jobs) =>
            Promise.all(
              jobs.map(async ({ id, data, signal, retryCount }) => {
                const job = { ...data, kind, id, attempt: retryCount + 1 } as Job & { id: string; attempt: number };
                const traced: TracedJob = { kind, id, attempt: job.attempt, outcome: null };
                const cancel = new AbortController();
                cancelling.set(id, cancel);
                if (cancelled.delete(id)) cancel.abort(new Error(wasCancelled));
                const result = await jobChannel
                  .tracePromise(async () => {
                    // Who handles it hears of what comes later alone.
                    cancel.signal.throwIfAborted();
                    const done = await handle(job, AbortSignal.any([signal, cancel.signal]));
                    traced.outcome = done.status;
                    return done;
                  }, traced)
                  .finally(() => {
                    // An earlier try of it may end later.
                    if (cancelling.get(id) === cancel) cancelling.delete(id);
                  });
                // "deadletter" is a failure that is not tried again; there is no queue of dead letters.
                const failure = result.status === 'failed' && result.retry ? 'failed' : 'deadletter';
                return { id, status: result.status === 'done' ? 'completed' : failure, output: result };
              }),
            ),
        );
      }
    },

    async cancel(kind, isSo) {
      const over = ['completed', 'cancelled', 'failed'];
      const open = (await boss.findJobs<Job>(kind)).filter(({ state }) => !over.includes(state));
      const jobs = open.filter(({ data }) => isSo({ ...data, kind } as Parameters<typeof isSo>[0]));
      const ids = jobs.map(({ id }) => id);
      if (ids.length > 0) await boss.cancel(kind, ids);
      for (const { id, state } of jobs) {
        const running = cancelling.get(id);
        if (running) running.abort(new Error(wasCancelled));
        else if (state === 'active') cancelled.add(id);
      }
      return ids.length;
    },

    async list() {
      const found = await Promise.all(kinds.map((kind) => boss.findJobs<Job>(kind)));
      return found
        .flat()
        .sort((a, b) => b.createdOn.getTime() - a.createdOn.getTime())
        .map(recordOf);
    },

    async stop({ drainMs }) {
      await boss.stop({ graceful: drainMs > 0, timeout: Math.max(drainMs, 1_000), close: true });
      await embedded?.close();
    },
  };
}

/** What runs on a database that nobody else has open ran in a process that has died: it need not be silent for long to be given back. */
async function giveBackOrphans(boss: PgBoss, kind: Job['kind']): Promise<void> {
  const orphans = (await boss.findJobs<Job>(kind)).filter(({ state }) => state === 'active').map(({ id }) => id);
  if (orphans.length > 0) await boss.fail(kind, orphans, { message: 'job heartbeat timeout' });
}

/**
 * pg-boss's way to a pool of ours: it reads times as the driver does unless told, and takes an error in one statement for the end of its
 * transaction. It may go on asking after it has stopped, of a job that it gave back; `close` waits for what it has asked, and refuses more.
 */
function over(pool: Pool): { db: NonNullable<ConstructorOptions['db']>; close: () => Promise<void> } {
  const asked = new Set<Promise<unknown>>();
  let isClosed = false;
  const ask = async (text: string, values: unknown[] | undefined) => {
    const client = await pool.connect();
    try {
      return await client.query({ text, ...(values ? { values } : {}), types });
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  };
  return {
    db: {
      executeSql(text, values) {
        if (isClosed) return Promise.reject(new Error('The jobs are closed.'));
        const asking = ask(text, values);
        const forget = () => void asked.delete(asking);
        asked.add(asking);
        asking.then(forget, forget);
        return asking;
      },
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(asked);
    },
  };
}

const wasCancelled = 'The job was cancelled.';

/** What is worked on but once at a time. */
const placeOf = (job: Job) => {
  const { organization, source } = job;
  const place = organization === undefined ? source : `${organization} ${source}`;
  if (job.kind === 'change') return `${place} ${job.base}..${job.head}`;
  // What is loaded by a name of its own is a further ref of the same source.
  return job.kind === 'load' && job.name !== undefined ? `${place} ${job.name}` : place;
};

const workOptions = {
  perJobResults: true,
  includeMetadata: true,
  pollingIntervalSeconds: 1,
  heartbeatRefreshSeconds: 7,
} as const;

const states = {
  created: 'waiting',
  retry: 'retrying',
  active: 'running',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<JobWithMetadata['state'], JobRecord['state']>;

function recordOf(job: JobWithMetadata<Job>): JobRecord {
  const output = (job.output ?? {}) as Partial<Record<string, unknown>>;
  const isTold = job.state !== 'created' && job.state !== 'completed';
  return {
    id: job.id,
    kind: kinds.find((kind) => kind === job.name) ?? 'load',
    source: job.data.source,
    organization: job.data.organization ?? null,
    state: states[job.state],
    attempts: job.startedOn ? job.retryCount + 1 : 0,
    repository: textOf(output['repository']),
    commit: textOf(output['commit']),
    minted: typeof output['minted'] === 'number' ? output['minted'] : null,
    error: isTold ? errorOf(output) : null,
    created_at: job.createdOn.toISOString(),
    started_at: (job.startedOn as Date | null)?.toISOString() ?? null,
    ended_at: job.completedOn?.toISOString() ?? null,
  };
}

/** Ours is a sentence; pg-boss has words of its own for a worker that died or was stopped. */
function errorOf(output: Partial<Record<string, unknown>>): string | null {
  const value = (output['value'] ?? {}) as Partial<Record<string, unknown>>;
  const said =
    textOf(output['error']) ?? textOf(value['message']) ?? textOf(output['message']) ?? textOf(output['value']);
  if (said === 'job heartbeat timeout') return 'Its worker went silent.';
  if (said === 'pg-boss shut down while active') return 'Its worker was stopped.';
  return said;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
