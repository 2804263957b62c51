import { ConfigError } from '../config.ts';
import type { Config } from '../config.ts';
import type { JobQueue } from '../stores/jobs/port.ts';

/** Opens the jobs that all workers share; says what is missing where there is no server to share them on. */
export async function openJobs({ databaseUrl }: Config, onError?: (error: Error) => void): Promise<JobQueue> {
  if (databaseUrl === undefined) {
    throw new ConfigError(
      'Jobs are shared through a PostgreSQL server: set DATABASE_URL, or load without jobs (repo-intel load)',
    );
  }
  const { openPgBoss } = await import('../stores/jobs/pg-boss.ts');
  return openPgBoss({ url: databaseUrl, ...(onError ? { onError } : {}) });
}
