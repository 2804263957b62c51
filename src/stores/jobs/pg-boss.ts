import { PgBoss } from 'pg-boss';
import type { JobWithMetadata } from 'pg-boss';
import type { Job, JobHandler, JobQueue, JobRecord, JobResult } from './port.ts';

/** A queue of its own for each kind: who mints for hours keeps nobody from loading. */
const kinds = ['load', 'mint'] as const satisfies Job['kind'][];

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

/** The jobs in PostgreSQL, in tables of their own, which are made when they are missing. */
export async function openPgBoss({
  url,
  onError = () => undefined,
}: {
  url: string;
  /** Told what goes wrong in the background; the queue goes on by itself. */
  onError?: (error: Error) => void;
}): Promise<JobQueue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'repo-intel-jobs',
    max: 4,
    connectionTimeoutMillis: 5_000,
    schema: 'jobs',
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on('error', onError);
  await boss.start();
  // Made once; the options of one that is there are brought up to date, its policy is fixed.
  const { policy: _, ...changeable } = options;
  for (const kind of kinds) {
    await boss.createQueue(kind, options);
    await boss.updateQueue(kind, changeable);
  }

  return {
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
                const result = await handle(
                  { ...data, kind, id, attempt: retryCount + 1 } as Job & { id: string; attempt: number },
                  signal,
                );
                // "deadletter" is a failure that is not tried again; there is no queue of dead letters.
                const failure = result.status === 'failed' && result.retry ? 'failed' : 'deadletter';
                return { id, status: result.status === 'done' ? 'completed' : failure, output: result };
              }),
            ),
        );
      }
    },

    async list() {
      const found = await Promise.all(kinds.map((kind) => boss.findJobs<Job>(kind)));
      return found
        .flat()
        .sort((a, b) => b.createdOn.getTime() - a.createdOn.getTime())
        .map(recordOf);
    },

    stop: ({ drainMs }) => boss.stop({ graceful: drainMs > 0, timeout: Math.max(drainMs, 1_000), close: true }),
  };
}

/** What is worked on but once at a time. */
const placeOf = ({ organization, source }: Job) => (organization === undefined ? source : `${organization} ${source}`);

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
