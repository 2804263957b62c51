import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { JobHandler, LoadJob } from '../stores/jobs/port.ts';
import { credentialsFor } from './forge-tokens.ts';
import { loadSource, sentenceOf } from './load-sources.ts';
import type { HeldRepository } from '../../loaders/load.ts';
import { analyzerVersion } from '../../loaders/analyzer-version.ts';
import { repositoryName } from '../../loaders/snapshot/location.ts';
import { remoteCommit } from '../../loaders/snapshot/remote-commit.ts';
import type { Session } from './session-on.ts';

/** Loads the repository of a job. */
export function loadJob(config: Config, session: Session, logger: Logger): JobHandler<LoadJob> {
  return async (
    { id, attempt, source, name, ref, keep_source: keepSource, trend, organization = config.organization, ...wanted },
    signal,
  ) => {
    const { only_if_changed: onlyIfChanged = false, public_only: publicOnly } = wanted;
    const log = logger.child({ job: id, source, attempt, organization });
    log.info('begins');
    const tried = (outcome: object) =>
      session
        .run('sources.tried', { organization, address: source, ref: ref ?? null, outcome })
        .catch((err: unknown) => log.warn({ err }, 'what became of the source is not written down'));
    const same = onlyIfChanged
      ? await unchanged(config, session, source, { organization, name, ref, publicOnly })
      : null;
    if (same) {
      log.info(same, 'has not changed');
      await tried(same);
      return { status: 'done', ...same, changed: false };
    }
    let phase = '';
    const outcome = await loadSource(
      config,
      {
        ...session,
        // A job that was given to somebody else is theirs to write.
        write(snapshot, conditions) {
          signal.throwIfAborted();
          return session.write(snapshot, conditions);
        },
      },
      source,
      {
        ...(name === undefined ? {} : { name }),
        ...(ref === undefined ? {} : { ref }),
        ...(organization === undefined ? {} : { organization }),
        publicOnly,
        ...(keepSource === undefined ? {} : { source: keepSource }),
        trend,
        onProgress(progress) {
          if (progress.phase === phase) return;
          phase = progress.phase;
          log.info({ repository: progress.repository }, phase);
        },
      },
    );
    const { status, repository, commit } = outcome;
    await tried(status === 'failed' ? { error: outcome.error } : { repository, commit });
    if (status === 'failed') {
      log.warn({ retry: outcome.retry }, outcome.error);
      return { status: 'failed', error: outcome.error, retry: outcome.retry };
    }
    log.info({ repository, commit, seconds: outcome.seconds, warnings: outcome.warnings }, sentenceOf(outcome));
    return { status: 'done', repository, commit, changed: status === 'loaded' };
  };
}

/** What is loaded from a source, where that is what is there now; null where it has to be read to tell. */
async function unchanged(
  config: Config,
  session: Session,
  source: string,
  {
    organization,
    name,
    ref,
    publicOnly,
  }: Record<'organization' | 'name' | 'ref', string | undefined> & { publicOnly: boolean | undefined },
): Promise<{ repository: string; commit: string } | null> {
  const isIt = ({ name: called, info }: HeldRepository) =>
    name === undefined
      ? info.source === source && (called === repositoryName(source) || !called.includes('@'))
      : called === name;
  const held = (await session.list({ organization })).find((each) => each.own && isIt(each));
  if (!held || held.info.commit === null || held.info.only_graph || held.info.analyzer_version !== analyzerVersion)
    return null;
  const { commit } = held.info;
  const credentials = publicOnly ? null : credentialsFor(config, source);
  return (await remoteCommit(source, { ref, publicOnly, credentials })) === commit
    ? { repository: held.name, commit }
    : null;
}
