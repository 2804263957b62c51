import { z } from 'zod';
import { listingSchema } from '../../model/listing.ts';
import { reportFormatSchema } from '../../model/task-instance.ts';

const whole = z.int().min(1).exactOptional();
const text = z.string().exactOptional();

/** A repository that somebody wants to be worked on. */
const ofRepository = z.object({
  /** A URL, or a path that every worker has. */
  source: z.string(),
  name: text,
  ref: text,
  /** The slug of the organization that it is for; that of the worker, where none is named. */
  organization: text,
});

/** One repository to load. */
const loadJobSchema = ofRepository.extend({
  kind: z.literal('load'),
  /** Whether the text of its files is kept; as at the last load, where it is not said. */
  keep_source: z.boolean().exactOptional(),
  trend: z.int().exactOptional(),
  /** It is not even fetched where its commit is the one that is loaded. */
  only_if_changed: z.boolean().exactOptional(),
  /** Its address is of somebody who does not run the service. */
  public_only: z.boolean().exactOptional(),
});
export type LoadJob = z.infer<typeof loadJobSchema>;

/** One repository to mint task instances from. */
const mintJobSchema = ofRepository.extend({
  kind: z.literal('mint'),
  /** Only fixes between these times. */
  since: text,
  until: text,
  max_candidates: whole,
  /** In place of what the repository says itself: how its tests are run, and how often. */
  settings: z.object({
    setup_cmds: z.array(z.string()).exactOptional(),
    test_cmd: text,
    report: z.object({ format: reportFormatSchema, path: z.string() }).exactOptional(),
    runs: whole,
    timeout_s: whole,
  }),
});
export type MintJob = z.infer<typeof mintJobSchema>;

/** A change of one repository to measure. */
const changeJobSchema = ofRepository.extend({
  kind: z.literal('change'),
  organization: z.string(),
  /** What its organization calls it. */
  repository: z.string(),
  /** Branches, tags or commits. */
  base: z.string(),
  head: z.string(),
  /** Of whoever asks: another one may measure something else. */
  analyzer: z.string(),
  /** Its address is of somebody who does not run the service. */
  public_only: z.boolean(),
});
export type ChangeJob = z.infer<typeof changeJobSchema>;

/** What a forge or a folder has, to make sources of. */
const listJobSchema = ofRepository.omit({ name: true, ref: true }).extend({
  kind: z.literal('list'),
  listing: listingSchema,
  /** It was named by somebody who does not run the service: no token is used. */
  public_only: z.boolean(),
});
export type ListJob = z.infer<typeof listJobSchema>;

export const jobSchema = z.discriminatedUnion('kind', [loadJobSchema, mintJobSchema, changeJobSchema, listJobSchema]);
export type Job = z.infer<typeof jobSchema>;

/** What became of a job, in the end or in this try. */
export type JobResult =
  | { status: 'done'; repository: string | null; commit: string | null; changed: boolean; minted?: number }
  /** `retry`: the same may go well later. */
  | { status: 'failed'; error: string; retry: boolean };

export interface JobRecord {
  id: string;
  kind: Job['kind'];
  source: string;
  /** Null where none was named. */
  organization: string | null;
  state: 'waiting' | 'running' | 'retrying' | 'done' | 'failed' | 'cancelled';
  /** Tries begun. */
  attempts: number;
  repository: string | null;
  commit: string | null;
  /** Task instances; null where none were looked for. */
  minted: number | null;
  /** One sentence; of a job that is tried again, what the last try said. */
  error: string | null;
  /** RFC 3339, UTC. */
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
}

/** Does one job. The signal tells that the job was given to somebody else, or that the worker ends. */
export type JobHandler<J extends Job = Job> = (
  job: J & { id: string; attempt: number },
  signal: AbortSignal,
) => Promise<JobResult>;

/** Who does jobs of each kind, and how many of them at once. */
export type JobHandlers = {
  [Kind in Job['kind']]?: { handle: JobHandler<Extract<Job, { kind: Kind }>>; concurrency: number };
};

/**
 * The jobs that any number of workers share. Promises: of a source, kind and organization (and name, or change) at most one job waits and at most one runs; a job whose worker
 * died is given to another; a failure that may pass is tried again, later each time, a few times; one that can't is final.
 */
export interface JobQueue {
  /** False when a job of this kind for this source and organization waits already. */
  enqueue(job: Job): Promise<boolean>;
  /** Takes jobs of these kinds until `stop`. */
  work(handlers: JobHandlers): Promise<void>;
  /**
   * Ends those of a kind that are so, whether they wait or run, and returns how many. One that runs is told by its signal: at once where it
   * runs in this process, else within seconds.
   */
  cancel<Kind extends Job['kind']>(kind: Kind, isSo: (job: Extract<Job, { kind: Kind }>) => boolean): Promise<number>;
  /** The newest first. */
  list(): Promise<JobRecord[]>;
  /** Told what goes wrong in the background; the queue goes on by itself. */
  onError(hear: (error: Error) => void): void;
  /** Takes no more jobs and waits for those under way; those not done in time are given back. */
  stop(options: { drainMs: number }): Promise<void>;
}
