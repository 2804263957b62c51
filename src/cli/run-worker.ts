import { once } from 'node:events';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createLogger } from '../operations/logger.ts';
import type { JobHandler, LoadJob } from '../stores/jobs/port.ts';
import type { Io } from './io.ts';
import { loadSource, sentenceOf } from './load-sources.ts';
import { mintJob } from './mint-job.ts';
import { openJobs } from './open-jobs.ts';
import { openSession } from './session.ts';
import type { Session } from './session-on.ts';
import type { ContainmentFlags } from './suite-runner.ts';

/** For the jobs under way when the worker is told to end; the others wait for another worker. */
const drainMs = 25_000;

/** Takes jobs until SIGINT or SIGTERM, then finishes those under way or gives them back. */
export async function runWorker(
  config: Config,
  io: Io,
  { concurrency, ...flags }: { concurrency: number } & ContainmentFlags,
): Promise<void> {
  const logger = createLogger({ name: 'repo-intel-worker', level: config.workerLogLevel, secrets: config.secrets });
  const stop = Promise.race((['SIGINT', 'SIGTERM'] as const).map((signal) => once(process, signal).then(() => signal)));
  const jobs = await openJobs(config, (err) => logger.error({ err }, 'jobs'));
  try {
    const session = await openSession(config, io);
    try {
      await jobs.work({
        load: { handle: loadJob(config, session, logger), concurrency },
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
  }
  logger.info('ended');
  logger.flush();
  // A load that was given back still has its parsers at work.
  process.exit();
}

function loadJob(config: Config, session: Session, logger: Logger): JobHandler<LoadJob> {
  return async (
    { id, attempt, source, name, ref, keep_source: keepSource, organization = config.organization },
    signal,
  ) => {
    const log = logger.child({ job: id, source, attempt, organization });
    log.info('begins');
    let phase = '';
    const outcome = await loadSource(
      config,
      {
        ...session,
        // A job that was given to somebody else is theirs to write.
        write(snapshot, from) {
          signal.throwIfAborted();
          return session.write(snapshot, from);
        },
      },
      source,
      {
        ...(name === undefined ? {} : { name }),
        ...(ref === undefined ? {} : { ref }),
        ...(organization === undefined ? {} : { organization }),
        ...(keepSource === undefined ? {} : { source: keepSource }),
        onProgress(progress) {
          if (progress.phase === phase) return;
          phase = progress.phase;
          log.info({ repository: progress.repository }, phase);
        },
      },
    );
    const { status, repository, commit } = outcome;
    if (status === 'failed') {
      log.warn({ retry: outcome.retry }, outcome.error);
      return { status: 'failed', error: outcome.error, retry: outcome.retry };
    }
    log.info({ repository, commit, seconds: outcome.seconds, warnings: outcome.warnings }, sentenceOf(outcome));
    return { status: 'done', repository, commit, changed: status === 'loaded' };
  };
}
