/** One repository to load. */
export interface LoadJob {
  /** A URL, or a path that every worker has. */
  source: string;
  name?: string;
  ref?: string;
}

/** What became of a job, in the end or in this try. */
export type JobResult =
  | { status: 'done'; repository: string; commit: string | null; changed: boolean }
  /** `retry`: the same may go well later. */
  | { status: 'failed'; error: string; retry: boolean };

export interface JobRecord {
  id: string;
  source: string;
  state: 'waiting' | 'running' | 'retrying' | 'done' | 'failed' | 'cancelled';
  /** Tries begun. */
  attempts: number;
  repository: string | null;
  commit: string | null;
  /** One sentence; of a job that is tried again, what the last try said. */
  error: string | null;
  /** RFC 3339, UTC. */
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
}

/** Does one job. The signal tells that the job was given to somebody else, or that the worker ends. */
export type JobHandler = (job: LoadJob & { id: string; attempt: number }, signal: AbortSignal) => Promise<JobResult>;

/**
 * The jobs that any number of workers share. Promises: of a source at most one job waits and at most one runs; a job whose worker
 * died is given to another; a failure that may pass is tried again, later each time, a few times; one that can't is final.
 */
export interface JobQueue {
  /** False when a job for this source waits already. */
  enqueue(job: LoadJob): Promise<boolean>;
  /** Takes jobs, so many at once, until `stop`. */
  work(handler: JobHandler, options: { concurrency: number }): Promise<void>;
  /** The newest first. */
  list(): Promise<JobRecord[]>;
  /** Takes no more jobs and waits for those under way; those not done in time are given back. */
  stop(options: { drainMs: number }): Promise<void>;
}
