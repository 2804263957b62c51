import { join } from 'node:path';
import { loadOne } from '../../loaders/load.ts';
import type { LoadOptions, LoadOutcome } from '../../loaders/load.ts';
import type { Config } from '../config.ts';
import { openDisk } from '../stores/disk-space.ts';
import { unparsedInWords } from '../model/unparsed.ts';
import { credentialsFor } from './forge-tokens.ts';
import type { Io } from './io.ts';
import type { OrganizationFlag } from './organization-option.ts';
import type { Session } from './session-on.ts';

/** What a load is told beside where everything is. */
type Options = Pick<
  LoadOptions,
  'name' | 'ref' | 'coverage' | 'scip' | 'source' | 'trend' | 'publicOnly' | 'graphFirst'
> &
  OrganizationFlag;

/**
 * Loads each source in turn; one that fails is said and the others go on. Nothing is thrown for a bad source, and nothing is said
 * or begun once the signal is aborted.
 */
export async function loadSources(
  config: Config,
  io: Io,
  session: Session,
  sources: readonly string[],
  { signal, ...options }: Options & { signal?: AbortSignal },
): Promise<LoadOutcome[]> {
  const outcomes: LoadOutcome[] = [];
  for (const source of sources) {
    if (signal?.aborted) break;
    const outcome = await loadSource(config, session, source, {
      ...options,
      onProgress: (progress) => {
        if (!signal?.aborted) io.progress(progress);
      },
    });
    if (signal?.aborted) break;
    io.done();
    io.say(sentenceOf(outcome));
    for (const warning of outcome.warnings) io.say(`  ${warning}`);
    if (outcome.status === 'loaded')
      for (const line of unparsedInWords(outcome.missed, 'repo-intel list --json names them all')) io.say(`  ${line}`);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** Loads one source into the session's stores; cache and clones are in the data folder. */
export async function loadSource(
  config: Config,
  session: Session,
  source: string,
  { organization, ...options }: Options & Pick<LoadOptions, 'onProgress'>,
): Promise<LoadOutcome> {
  return loadOne(source, {
    ...options,
    credentials: options.publicOnly ? null : credentialsFor(config, source),
    held: async () => (await session.list({ organization })).filter(({ own }) => own),
    claim: async (name, fullName) => (await session.run('claim', { organization, name, fullName })) as string,
    write: (snapshot, conditions) => session.write(snapshot, conditions),
    fail: async (run, error) => void (await session.run('runs.fail', { run, error })),
    repair: async (repository) => void (await session.run('repair', { repository })),
    cacheFile: join(config.dataDir, 'cache', 'facts.sqlite'),
    vulnerabilityFolder: config.vulnerabilityDb,
    mustHaveRoom: openDisk(config.dataDir, config.minFreeBytes).mustHaveRoom,
    clonesFolder: join(config.dataDir, 'clones'),
  });
}

/** What became of a source, for people. */
export function sentenceOf(outcome: LoadOutcome): string {
  const { status, repository, source } = outcome;
  if (status === 'failed') return `${source}: not loaded. ${outcome.error}`;
  const at = outcome.commit ? ` at ${outcome.commit.slice(0, 10)}` : '';
  if (status === 'unchanged') return `${repository}: nothing changed${at}.`;
  const { counts } = outcome;
  const cached = counts.cached > 0 ? ` (${counts.cached} unchanged since last time)` : '';
  const contributors = counts.contributors === null ? '' : `, ${counts.contributors} contributors`;
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} left out` : '';
  return `${repository}: loaded${at}, ${counts.files} source files${cached}${skipped}, ${counts.functions} functions, ${counts.classes} classes, ${counts.calls} calls${contributors}, in ${outcome.seconds.toFixed(1)} s.`;
}
