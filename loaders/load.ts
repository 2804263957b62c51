import { basename, dirname, resolve } from 'node:path';
import { stat } from 'node:fs/promises';
import { isRepositoryName } from '../src/model/repository-key.ts';
import type { RepositoryInfo, Snapshot } from '../src/model/snapshot.ts';
import { unparsedIn, type UnparsedItem } from '../src/model/unparsed.ts';
import { analyzerVersion } from './analyzer-version.ts';
import { type Analysis, analyzeSnapshot, fingerprintOf } from './analyze.ts';
import type { CoverageFile } from './metrics/test-coverage/coverage-report.ts';
import { openVulnerabilityDatabase } from './vulnerabilities/vulnerability-database.ts';
import type { ScipFile } from './scip/compiled.ts';
import { readSnapshotFile, SnapshotFileError } from './records/snapshot-file.ts';
import { parseLocation } from './snapshot/location.ts';
import type { Credentials } from './snapshot/location.ts';
import { openSnapshot } from './snapshot/open-snapshot.ts';
import type { OpenSnapshot } from './snapshot/snapshot.ts';
import { SnapshotError } from './snapshot/snapshot-error.ts';
import { InsufficientStorage, isDiskFull } from '../src/stores/errors.ts';
import type { Progress } from './progress.ts';
import { openTemporaryFile } from './temporary-file.ts';
import { underKey } from './under-key.ts';
import type { RunOf, WriteConditions } from './write.ts';

export interface LoadCounts {
  files: number;
  /** Of these, taken from the facts cache. */
  cached: number;
  skipped: number;
  functions: number;
  classes: number;
  calls: number;
  /** Null where only the graph was read. */
  contributors: number | null;
}

/** What became of one source; a failure is an outcome too. */
export type LoadOutcome =
  | {
      status: 'failed';
      source: string;
      repository: null;
      commit: null;
      warnings: string[];
      error: string;
      /** Whether the same may go well later: nothing is wrong with the source. */
      retry: boolean;
    }
  | {
      status: 'loaded' | 'unchanged';
      source: string;
      repository: string;
      commit: string | null;
      warnings: string[];
      counts: LoadCounts;
      /** Files left out that somebody may miss: what is binary, vendored or generated is left out for good. */
      missed: UnparsedItem[];
      seconds: number;
    };

/** A repository that its owner has loaded before. */
export interface HeldRepository {
  /** What its owner calls it. */
  name: string;
  /** As it is kept: its name is the key. */
  info: RepositoryInfo;
}

export interface LoadOptions {
  name?: string;
  ref?: string;
  /** What the same owner has loaded already: tells names apart and finds what did not change. */
  held(): Promise<readonly HeldRepository[]>;
  /** Makes the owner's repository of this name known, with its `owner/name`; gives the key that it is kept under. */
  claim(name: string, fullName?: string): Promise<string>;
  write(snapshot: Snapshot, conditions: WriteConditions): Promise<'written' | 'unchanged'>;
  /** Called for a repository whose analysis failed, so that there was nothing to write. */
  fail(run: RunOf, error: string): Promise<void>;
  /** Called, with its key, for a repository that did not change: what an earlier load could not write is written now. */
  repair(repository: string): Promise<void>;
  cacheFile: string;
  /** With a copy of osv.dev's records: `{folder}/{ecosystem}/all.zip`. */
  vulnerabilityFolder?: string | undefined;
  /** Reports of tests of the tree, in place of those that lie in it. */
  coverage?: readonly CoverageFile[] | undefined;
  /**
   * Whoever waits needs the graph alone, or with it the text of the files: what else there is is read by a later load. Of what was
   * loaded before all is read.
   */
  graphFirst?: 'graph' | 'source' | undefined;
  /** What compilers say of the tree. */
  scip?: readonly ScipFile[] | undefined;
  /** Whether the text of the files is kept; where it is not said, as it was with the last load, and at the first it is. */
  source?: boolean | undefined;
  /** So many points of its history are measured as well, 0 for none; where it is not said, as with the last load. */
  trend?: number | undefined;
  clonesFolder: string;
  /** Its address is of somebody who does not run the service: it may lead nowhere but to the public internet. */
  publicOnly?: boolean | undefined;
  /** For a URL that names none itself. */
  credentials?: Credentials | null | undefined;
  /** Asked again and again while it reads; throws when the load has to stop for want of room. */
  mustHaveRoom?: (() => void) | undefined;
  onProgress(progress: Progress): void;
}

/** Loads one folder, URL or snapshot file: open → analyse → write. Never throws for a bad source: it says what was wrong. */
export async function loadOne(source: string, options: LoadOptions): Promise<LoadOutcome> {
  const started = performance.now();
  let close: (() => void) | undefined;
  try {
    options.mustHaveRoom?.();
    const isFile = !options.publicOnly && (await isSnapshotFile(source));
    if (
      isFile &&
      [options.name, options.ref, options.coverage, options.scip, options.source, options.trend].some(
        (given) => given !== undefined,
      )
    )
      throw new SnapshotFileError(
        'A snapshot file has a name, a commit, its measurements and its source or none already: leave --name, --ref, --coverage, --scip, --trend, --source and --no-source out.',
      );
    const { name, snapshot, cached, found, isKnown, ...read }: Loaded = isFile
      ? await loadSnapshotFile(source, options)
      : await loadRepository(source, options);
    close = read.close;
    const { repository } = snapshot;
    const held = (await options.held()).find(({ info }) => info.name === repository.name)?.info;
    const progress = { repository: name, done: 1, total: 1 };
    options.onProgress({ ...progress, phase: 'writing', done: 0 });
    const unchanged = isKnown === true || held?.fingerprint === repository.fingerprint;
    const isOurName = !isFile && options.name === undefined;
    if (unchanged) await options.repair(repository.name);
    else await options.write(snapshot, { from: isOurName ? repository.source : undefined, found });
    options.onProgress({ ...progress, phase: 'done' });
    return {
      status: unchanged ? 'unchanged' : 'loaded',
      source,
      repository: name,
      commit: repository.commit,
      warnings: repository.warnings,
      counts: countsOf(snapshot, cached),
      missed: unparsedIn(repository),
      seconds: (performance.now() - started) / 1000,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      status: 'failed',
      source,
      repository: null,
      commit: null,
      warnings: [],
      error: sayDiskFull(error) ?? message,
      retry: mayPass(error),
    };
  } finally {
    close?.();
  }
}

/** `name` is what its owner calls it. */
type Loaded = {
  name: string;
  /** It was there already, and nothing of it was read. */
  isKnown?: true;
} & Pick<WriteConditions, 'found'> &
  Pick<Analysis, 'snapshot' | 'cached'> &
  Partial<Pick<Analysis, 'close'>>;

async function loadSnapshotFile(source: string, options: LoadOptions): Promise<Loaded> {
  const file = openTemporaryFile();
  try {
    const snapshot = await readSnapshotFile(source, file);
    const { name } = snapshot.repository;
    const found = (await options.held()).some((each) => each.name === name) ? 'snapshot' : 'claim';
    return { name, snapshot: underKey(snapshot, await claimed(name, options)), cached: 0, found, close: file.close };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function loadRepository(source: string, options: LoadOptions): Promise<Loaded> {
  const { coverage, scip, vulnerabilityFolder } = options;
  let run: RunOf | null = null;
  try {
    // Side by side, as at a service's start the stores open while the files are listed; and from the beginning: who removes it while it is
    // fetched wants no other.
    const [opened, held] = await openedAndHeld(source, options);
    try {
      const name = options.name ?? nameFor(opened, held);
      const known = held.find((each) => each.name === name)?.info;
      const onlyGraph = options.graphFirst !== undefined && (known?.only_graph ?? !known);
      const keepSource = options.source ?? isSourceKept(known, onlyGraph ? options.graphFirst : undefined);
      const trendPoints = (options.trend ?? known?.trend_points) || undefined;
      const vulnerabilities = await openVulnerabilityDatabase(vulnerabilityFolder);
      if (
        known &&
        known.fingerprint ===
          fingerprintOf(opened, { vulnerabilities, coverage, scip, keepSource, trendPoints, onlyGraph })
      ) {
        return { name, snapshot: { repository: known, nodes: [], edges: [] }, cached: 0, isKnown: true };
      }
      const key = await claimed(name, options, opened.fullName);
      run = { name: key, commit: opened.commit, committed_at: opened.committedAt, analyzer_version: analyzerVersion };
      const onProgress = (progress: Progress) => options.onProgress({ ...progress, repository: name });
      const analysis = await analyzeSnapshot(opened, key, {
        ...options,
        keepSource,
        trendPoints,
        onlyGraph,
        onProgress,
        vulnerabilities,
      });
      const { snapshot, cached, close } = analysis;
      return { name, snapshot, cached, found: known ? 'snapshot' : 'claim', close };
    } finally {
      await opened.close();
    }
  } catch (error) {
    // Where the source can't even be opened, its repository is known when it was loaded before.
    run ??= await heldFrom(source, options).catch(() => null);
    const why = error instanceof Error ? error.message : String(error);
    if (run) await options.fail(run, why).catch(() => undefined);
    throw error;
  }
}

/** As it was with the last load, and at the first; a load of the graph alone says nothing of the next. */
function isSourceKept(known: RepositoryInfo | undefined, graphFirst: LoadOptions['graphFirst']): boolean {
  if (graphFirst !== undefined) return graphFirst === 'source' || known?.source_kept === true;
  return known?.only_graph || (known?.source_kept ?? true);
}

/** The key of a repository, which is the owner's from now on. */
async function claimed(name: string, { held, claim }: LoadOptions, fullName?: string): Promise<string> {
  const isKnown = (await held()).some((each) => each.name === name);
  if (!isKnown && !isRepositoryName(name))
    throw new SnapshotError(
      'bad_name',
      `A repository's name has no "~", which comes after an organization's: give ${name} another with --name.`,
    );
  return claim(name, fullName);
}

/** The same, which gives no more files where the disk gets low. */
function whileThereIsRoom(opened: OpenSnapshot, { mustHaveRoom }: LoadOptions): OpenSnapshot {
  if (!mustHaveRoom) return opened;
  return {
    ...opened,
    async *read(paths) {
      for await (const file of opened.read(paths)) {
        mustHaveRoom();
        yield file;
      }
    },
  };
}

async function openedAndHeld(source: string, options: LoadOptions) {
  const holding = options.held();
  // Heard below, where it can be opened.
  holding.catch(() => undefined);
  const opened = whileThereIsRoom(await openSource(source, options), options);
  try {
    return [opened, await holding] as const;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function openSource(
  source: string,
  { clonesFolder, credentials, mustHaveRoom, onProgress, publicOnly, ref }: LoadOptions,
): Promise<OpenSnapshot> {
  const shown = basename(source);
  onProgress({ repository: shown, phase: 'opening', done: 0, total: 1 });
  const cloning = new AbortController();
  return openSnapshot(source, {
    cloneFolder: clonesFolder,
    publicOnly,
    credentials,
    ...(ref === undefined ? {} : { ref }),
    signal: cloning.signal,
    onProgress: (line) => {
      // Thrown here, it would end the process.
      try {
        mustHaveRoom?.();
      } catch (error) {
        cloning.abort(error);
      }
      // Git counts: `Receiving objects:  45% (450/1000)`.
      const [, done, total] = /\((\d+)\/(\d+)\)/.exec(line) ?? [];
      if (total) onProgress({ repository: shown, phase: 'cloning', done: Number(done), total: Number(total) });
    },
  });
}

async function heldFrom(source: string, options: LoadOptions): Promise<RunOf | null> {
  const location = parseLocation(source);
  const from = location.kind === 'url' ? location.url : resolve(location.path);
  const found = (await options.held()).find(({ info }) => info.source === from);
  return found ? { name: found.info.name, commit: null, committed_at: null, analyzer_version: analyzerVersion } : null;
}

/** A repository keeps its name; a new one that is called as another is named with its parent folder. */
function nameFor(opened: { name: string; source: string }, held: readonly HeldRepository[]): string {
  // What was given a name of its own, as a further ref of the same, has it from who names it each time.
  const before = held.find(
    ({ name, info }) => info.source === opened.source && (name === opened.name || !name.includes('@')),
  );
  if (before) return before.name;
  const taken = (name: string) => held.some((each) => each.name === name);
  if (!taken(opened.name)) return opened.name;
  const longer = `${basename(dirname(opened.source))}-${opened.name}`.replaceAll(/[^\w.-]+/g, '-');
  if (!taken(longer)) return longer;
  throw new SnapshotError(
    'name_taken',
    `A repository named ${opened.name} is loaded from another place: give this one a name with --name.`,
  );
}

async function isSnapshotFile(source: string): Promise<boolean> {
  if (!/\.jsonl(\.gz|\.zst)?$/.test(source)) return false;
  const found = await stat(resolve(source)).catch(() => null);
  if (!found) throw new SnapshotFileError(`There is no file ${source}.`);
  return found.isFile();
}

function countsOf({ repository, nodes, edges }: Snapshot, cached: number): LoadCounts {
  const { files_parsed: files, files_skipped: skipped } = repository.completeness;
  const [nodesOf, edgesOf] = [countsByType(nodes), countsByType(edges)];
  return {
    files,
    cached,
    skipped,
    functions: nodesOf.get('Function') ?? 0,
    classes: nodesOf.get('Class') ?? 0,
    calls: edgesOf.get('CALLS') ?? 0,
    contributors: repository.only_graph ? null : (nodesOf.get('Contributor') ?? 0),
  };
}

function countsByType(rows: Iterable<{ type: string }>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of rows) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** Whether the same may go well later: not where something is wrong with the source itself. */
export function mayPass(error: unknown): boolean {
  if (error instanceof SnapshotError) return ['unreachable', 'timeout', 'git_failed'].includes(error.code);
  return !(error instanceof SnapshotFileError);
}

function sayDiskFull(error: unknown): string | null {
  if (error instanceof InsufficientStorage || !isDiskFull(error)) return null;
  return 'The disk is full: nothing of this repository was written, what was loaded before is as it was; make room and load it again.';
}
