import { join } from 'node:path';
import type { Logger } from 'pino';
import { mayPass } from '../../loaders/load.ts';
import { mint } from '../../loaders/task-instances/mint.ts';
import { SandboxError } from '../../loaders/task-instances/sandbox/sandbox.ts';
import type { Config } from '../config.ts';
import type { JobHandler, MintJob } from '../stores/jobs/port.ts';
import { openDisk } from '../stores/disk-space.ts';
import type { Session } from './session-on.ts';
import { openSuiteRunner } from './suite-runner.ts';
import type { ContainmentFlags } from './suite-runner.ts';

/** Mints task instances from the repository of a job; where another worker went on with it, its own states are a beginning. */
export function mintJob(
  config: Config,
  session: Session,
  logger: Logger,
  flags: ContainmentFlags,
): JobHandler<MintJob> {
  return async ({ id, attempt, source, name, ref, organization = config.organization, ...wanted }, signal) => {
    const { since, until, max_candidates: maxCandidates, settings } = wanted;
    const log = logger.child({ job: id, source, attempt, organization });
    log.info('begins');
    try {
      const { run, instances } = await mint(source, {
        ...(name === undefined ? {} : { name }),
        ...(ref === undefined ? {} : { ref }),
        ...(since === undefined ? {} : { since }),
        ...(until === undefined ? {} : { until }),
        ...(maxCandidates === undefined ? {} : { maxCandidates }),
        settingsFile: null,
        settings,
        issues: new Map(),
        references: new Set(),
        cloneFolder: join(config.dataDir, 'clones'),
        folder: join(config.dataDir, 'benchmark'),
        mustHaveRoom: openDisk(config.dataDir, config.minFreeBytes).mustHaveRoom,
        onMessage: (sentence) => log.warn(sentence),
        runner: await openSuiteRunner(config, flags, (sentence) => log.info(sentence)),
        workers: 1,
        signal,
      });
      // A job that was given to somebody else is theirs to keep.
      signal.throwIfAborted();
      const saved = (await session.run('benchmark.save', { organization, run, instances })) as Record<
        'added' | 'changed',
        number
      >;
      const { repo, head, commits, minted, rejected } = run;
      log.info({ repo, commits, minted, rejected }, 'minted');
      return { status: 'done', repository: repo, commit: head, changed: saved.added + saved.changed > 0, minted };
    } catch (error) {
      // The machine that has no sandbox has none the next time.
      const retry = mayPass(error) && !(error instanceof SandboxError && error.code === 'unavailable');
      const failure = { error: error instanceof Error ? error.message : String(error), retry };
      log.warn({ retry }, failure.error);
      return { status: 'failed', ...failure };
    }
  };
}
