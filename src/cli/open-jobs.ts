import type { Config } from '../config.ts';
import { openPgBoss } from '../stores/jobs/pg-boss.ts';
import type { Job, JobQueue, JobRecord } from '../stores/jobs/port.ts';
import type { Io } from './io.ts';
import { withSession } from './with-session.ts';

/** Does something with the jobs: on their server, or through the process that has the data folder. */
export async function withJobs(
  config: Config,
  io: Io,
  work: (jobs: Pick<JobQueue, 'enqueue' | 'list'>) => Promise<void>,
): Promise<void> {
  const { databaseUrl } = config;
  if (databaseUrl === undefined)
    return withSession(config, io, ({ run }) =>
      work({
        enqueue: async (job: Job) => (await run('jobs.enqueue', job)) as boolean,
        list: async () => (await run('jobs.list', {})) as JobRecord[],
      }),
    );
  // No other server need be there.
  const jobs = await openPgBoss({ url: databaseUrl });
  try {
    await work(jobs);
  } finally {
    await jobs.stop({ drainMs: 0 });
  }
}
