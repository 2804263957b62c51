import { mkdir, writeFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path/posix';
import { uuidv7 } from 'uuidv7';
import type { MintRun } from '../../src/model/mint-run.ts';
import type { Rejected, Rejection } from '../../src/model/rejections.ts';
import type { TaskInstance } from '../../src/model/task-instance.ts';
import { openRepository } from '../snapshot/open-repository.ts';
import { missingSubmodules } from '../snapshot/submodules.ts';
import { candidateStates } from './candidate-states.ts';
import { findCandidates } from './candidates.ts';
import type { Candidate } from './candidates.ts';
import { describeEnvironment } from './describe-environment.ts';
import { harnessVersion } from './harness-version.ts';
import { inParallel } from './in-parallel.ts';
import { isTestFile } from './is-test-file.ts';
import type { Issue } from './issues.ts';
import { makeRoom } from './make-room.ts';
import { mintCandidate } from './mint-candidate.ts';
import { mintSettings } from './mint-settings.ts';
import type { MintSettings, MintSettingsGiven } from './mint-settings.ts';
import { pathKinds } from './path-kinds.ts';
import type { SuiteRunner } from './suite.ts';

/** Bytes kept of a repository’s runs; with more, those go first that were made long ago. */
const runsMostBytes = 2 * 1024 ** 3;

/** How far a search is. */
export interface MintProgress {
  phase: 'cloning' | 'candidates' | 'minting';
  done: number;
  /** 0 where it is not known. */
  total: number;
  minted: number;
  rejected: Rejected;
}

export interface MintOptions {
  /** `owner/name` (default: by where it was cloned from). */
  name?: string;
  ref?: string;
  since?: string;
  until?: string;
  maxCandidates?: number;
  /** A benchmark.yml in place of the repository's own. */
  settingsFile: string | null;
  /** In place of what the file says. */
  settings: MintSettingsGiven;
  issues: ReadonlyMap<string, Issue>;
  /** See `readReferences`. */
  references: ReadonlySet<string>;
  /** URLs are cloned into this. */
  cloneFolder: string;
  /** Holds states, results of runs and logs, for each repository. */
  folder: string;
  /** Throws while the disk of these folders is nearly full; asked before each candidate is tried. */
  mustHaveRoom?: () => void;
  onProgress?: (progress: MintProgress) => void;
  onMessage?: (sentence: string) => void;
  signal?: AbortSignal;
}

export interface MintOutcome {
  run: MintRun;
  /** Newest first. */
  instances: readonly TaskInstance[];
}

/** Searches a repository for candidates, without running anything of it. */
export async function searchCandidates(pathOrUrl: string, options: MintOptions) {
  const { onProgress, ref, mustHaveRoom } = options;
  const progress = (phase: MintProgress['phase'], done: number) =>
    onProgress?.({ phase, done, total: 0, minted: 0, rejected: {} });
  const cloning = new AbortController();
  const signal = AbortSignal.any([cloning.signal, ...(options.signal ? [options.signal] : [])]);
  const repository = await openRepository(pathOrUrl, {
    cloneFolder: options.cloneFolder,
    onProgress: () => {
      // Thrown here, it would end the process.
      try {
        mustHaveRoom?.();
      } catch (error) {
        cloning.abort(error);
      }
      progress('cloning', 0);
    },
    ...(ref === undefined ? {} : { ref }),
    signal,
  });
  if (repository.shallow)
    options.onMessage?.(
      `${repository.source} has only the newest part of its history: git fetch --unshallow brings the rest.`,
    );
  const { gitDir, commit } = repository;
  const settings = await mintSettings(repository, options.settingsFile, options.settings);
  const repo = options.name ?? repository.fullName;
  const { since, until } = options;
  const found = await findCandidates({
    gitDir,
    commit,
    repo,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    kindOf: pathKinds({
      isTest: testsOf(settings),
      isSource: matcher(settings.source_globs) ?? (() => true),
    }),
    maxFiles: settings.max_files,
    maxLines: settings.max_lines,
    minWords: settings.min_words,
    maxCandidates: options.maxCandidates ?? Infinity,
    issues: options.issues,
    onCommit: (looked) => looked % 100 === 0 && progress('candidates', looked),
    signal,
  });
  return { repository, repo, settings, found };
}

/** Makes task instances of a repository's fixes: finds candidates and proves each by running its tests. Resumes what was interrupted. */
export async function mint(
  pathOrUrl: string,
  options: MintOptions & { runner: SuiteRunner; workers: number },
): Promise<MintOutcome> {
  const startedAt = new Date().toISOString();
  options.mustHaveRoom?.();
  const { repository, repo, settings, found } = await searchCandidates(pathOrUrl, options);
  const { runner, workers, signal, mustHaveRoom } = options;
  const folder = join(options.folder, repo.replaceAll('/', '__'));
  const runsFolder = join(folder, 'runs');
  await makeRoom(runsFolder, runsMostBytes);
  const states = candidateStates(join(folder, 'candidates'));
  const runtime = await runner.runtime();
  const instances = new Map<Candidate, TaskInstance>();
  const rejected: Rejected = { ...found.rejected };
  const decide = async (candidate: Candidate) => {
    const missing = await missingSubmodules(repository.gitDir, candidate.base);
    const dependsOn = [
      harnessVersion,
      candidate,
      missing,
      settings,
      [...options.references],
      runner.isolation,
      runner.containment,
      runtime,
    ];
    const known = await states.read(candidate.fix, dependsOn);
    if (known === null) mustHaveRoom?.();
    const outcome = known ?? (await prove(candidate, missing));
    if (known === null) await states.write(candidate.fix, dependsOn, outcome);
    if (typeof outcome === 'string') rejected[outcome] = (rejected[outcome] ?? 0) + 1;
    else instances.set(candidate, outcome);
  };
  const prove = (candidate: Candidate, missing: readonly string[]): Promise<TaskInstance | Rejection> =>
    mintCandidate(candidate, {
      gitDir: repository.gitDir,
      repo,
      origin: settings.origin,
      license: settings.license,
      runner,
      environmentOf: (tree, asOf) => describeEnvironment(tree, candidate, settings, runner, asOf),
      references: options.references,
      runs: settings.runs,
      suiteLimitMs: settings.suite_limit_s * 1000,
      runsFolder,
      generatorVersion: harnessVersion,
      onRun: async (phase, run, { log }) => void (await keepLog(candidate, `${phase}.${run}.log`, log)),
      onFailedSetup: (log) => keepLog(candidate, 'setup.log', log),
      onMessage: (sentence) => options.onMessage?.(sentence),
      isTest: testsOf(settings),
      missing,
      ...(signal ? { signal } : {}),
    });
  const keepLog = async ({ instanceId }: Candidate, name: string, log: string) => {
    const logs = join(folder, 'logs', instanceId);
    await mkdir(logs, { recursive: true });
    await writeFile(join(logs, name), log);
    return join(logs, name);
  };
  let decided = 0;
  const progress = () =>
    options.onProgress?.({
      phase: 'minting',
      done: decided,
      total: found.candidates.length,
      minted: instances.size,
      rejected,
    });
  progress();
  await inParallel(found.candidates, workers, async (candidate) => {
    await decide(candidate);
    decided += 1;
    progress();
  });
  return {
    run: {
      run_id: uuidv7(),
      repo,
      source: repository.source,
      head: repository.commit,
      commits: found.commits,
      minted: instances.size,
      rejected,
      started_at: startedAt,
      completed_at: new Date().toISOString(),
    },
    instances: found.candidates.flatMap((candidate) => instances.get(candidate) ?? []),
  };
}

const testsOf = ({ test_globs: globs }: MintSettings) => matcher(globs) ?? isTestFile;

function matcher(globs: readonly string[] | undefined): ((path: string) => boolean) | null {
  return globs ? (path) => globs.some((glob) => matchesGlob(path, glob)) : null;
}
