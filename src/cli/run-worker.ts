import { once } from 'node:events';
import { ConfigError } from '../config.ts';
import type { Config } from '../config.ts';
import { createLogger } from '../operations/logger.ts';
import { openPgBoss } from '../stores/jobs/pg-boss.ts';
import { changeJob } from './change-job.ts';
import type { Io } from './io.ts';
import { listJob } from './list-job.ts';
import { mintJob } from './mint-job.ts';
import { loadJob } from './load-job.ts';
import { openTelemetry } from './open-telemetry.ts';
import { openSession } from './session.ts';
import type { ContainmentFlags } from './suite-runner.ts';

/** For the jobs under way when the worker is told to end; the others wait for another worker. */
const drainMs = 25_000;

/** Takes jobs until SIGINT or SIGTERM, then finishes those under way or gives them back. */
export async function runWorker(
  config: Config,
  io: Io,
  { concurrency, ...flags }: { concurrency: number } & ContainmentFlags,
): Promise<void> {
  const { databaseUrl } = config;
  if (databaseUrl === undefined)
    throw new ConfigError(
      'Workers share their jobs through a PostgreSQL server: set DATABASE_URL; without one the service does its jobs itself',
    );
  const logger = createLogger({ name: 'repo-intel-worker', level: config.workerLogLevel, secrets: config.secrets });
  const stop = Promise.race((['SIGINT', 'SIGTERM'] as const).map((signal) => once(process, signal).then(() => signal)));
  const telemetry = await openTelemetry(config, { name: 'repo-intel-worker', logger, registry: null });
  const jobs = await openPgBoss({ url: databaseUrl });
  jobs.onError((err) => logger.error({ err }, 'jobs'));
  try {
    const session = await openSession(config, io);
    try {
      await jobs.work({
        load: { handle: loadJob(config, session, logger), concurrency },
        change: { handle: changeJob(config, session, logger), concurrency: 1 },
        list: { handle: listJob(config, session, logger), concurrency: 1 },
        // Its tests have the processors to themselves, as far as that goes.
        mint: { handle: mintJob(config, session, logger, flags), concurrency: 1 },
      });
      logger.info({ concurrency }, 'waiting for jobs');
      const signal = await stop;
      logger.info({ signal }, 'finishing the jobs under way');
      await jobs.stop({ drainMs });
    } finally {
      await session.close();
    }
  } finally {
    await jobs.stop({ drainMs: 0 });
    await telemetry?.stop();
  }
  logger.info('ended');
  logger.flush();
  // A load that was given back still has its parsers at work.
  process.exit();
}
