import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { JobHandler, LoadJob } from '../stores/jobs/port.ts';
import { loadSource, sentenceOf } from './load-sources.ts';
import type { Session } from './session-on.ts';

/** Loads the repository of a job. */
export function loadJob(config: Config, session: Session, logger: Logger): JobHandler<LoadJob> {
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
