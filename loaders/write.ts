import type { Measurements } from '../src/model/due-diligence.ts';
import type { EdgeChanges } from '../src/model/event.ts';
import { committedKey } from '../src/model/repository-key.ts';
import type { RepositoryInfo, Rows, Snapshot } from '../src/model/snapshot.ts';
import { isDiskFull, ProjectionIncomplete, StoreUnavailable } from '../src/stores/errors.ts';
import type { GraphStore } from '../src/stores/graph/port.ts';
import type { RelationalStore } from '../src/stores/relational/port.ts';
import type { SearchStore } from '../src/stores/search/port.ts';
import type { SourceBlob, SourceStore } from '../src/stores/source/port.ts';
import { edgeChanges } from './edge-changes.ts';
import { searchDocuments, type Health } from './records/search-documents.ts';
import { compressSnapshot, decompressSnapshot, readBoundary, readEdges } from './records/snapshot-file.ts';
import { textsIn } from './records/body-words.ts';
import { contentIn } from './records/source.ts';
import { SnapshotError } from './snapshot/snapshot-error.ts';
import { openTemporaryFile } from './temporary-file.ts';
import { linksByWorld, placed, usageByWorld, type Placed } from './worlds.ts';

/** The ports that a loader writes to. */
export interface LoaderStores {
  graph: GraphStore;
  search: SearchStore;
  source: SourceStore;
  relational: Pick<RelationalStore, 'snapshots' | 'runs' | 'repositories' | 'exclusively'>;
  /** What due diligence makes of these whatever the day is; null when it can't say, as where it is not asked. */
  healthOf?: (measurements: Measurements) => Health | null;
  /** The grade that it gives them today, as who asks for it is told; null likewise. */
  gradeOf?: (measurements: Measurements) => Health['grade'] | null;
  /** Asked before a repository is written, and while it is; throws when that has to stop. */
  mustHaveRoom?: () => void;
}

/** What a run is of. */
export type RunOf = Pick<RepositoryInfo, 'name' | 'commit' | 'committed_at' | 'analyzer_version'>;

/** What has to be so when a snapshot is written; else nothing is. */
export interface WriteConditions {
  /** A repository of the same name that was loaded from another place is not replaced. */
  from?: string | undefined;
  /** What was there when the load began: the owner's claim to the name, or an earlier snapshot. Who removed it meanwhile wants no other. */
  found?: 'claim' | 'snapshot' | undefined;
}

/**
 * Puts a snapshot in place of the repository's last one, or leaves all as it was and throws. What is kept in the relational
 * store is the truth: `projectSnapshots` makes graph and search equal to it when a process ended in between. Two writers of one
 * repository take turns.
 */
export async function writeSnapshot(
  stores: LoaderStores,
  snapshot: Snapshot,
  conditions: WriteConditions = {},
): Promise<'written' | 'unchanged'> {
  const { name } = snapshot.repository;
  const outcome = await stores.relational.exclusively(lockOf(name), () => writeOne(stores, snapshot, conditions));
  if (outcome === 'written') await equalize(stores, { isLoad: true });
  return outcome;
}

/** Keeps that a run failed before there was anything to write. */
export async function recordFailure(
  { relational }: Pick<LoaderStores, 'relational'>,
  repository: RunOf,
  error: string,
): Promise<void> {
  await relational.exclusively(lockOf(repository.name), async () =>
    relational.runs.fail(await relational.runs.begin(repository), error),
  );
}

/** Makes the projections equal to what is kept of one repository, where an earlier load could not; false when they were. */
export async function repairRepository(stores: LoaderStores, repository: string): Promise<boolean> {
  const repaired = await stores.relational.exclusively(lockOf(repository), () => projectAll(stores, repository));
  if (repaired) await equalize(stores, { isLoad: true });
  return repaired;
}

/** Takes a repository out of every store, and what was not committed of it; false when it was in none. */
export async function removeRepository(stores: LoaderStores, repository: string): Promise<boolean> {
  const removed = await stores.relational.exclusively(lockOf(repository), async () => [
    await stores.relational.snapshots.remove(repository),
    await stores.graph.removeRepository(repository),
    await stores.search.removeRepository(repository),
    await stores.source.removeRepository(repository),
    await stores.relational.repositories.remove(repository),
  ]);
  // After it, as none is written any more.
  for (const { name } of await infos(stores))
    if (committedKey(name) === repository) await removeRepository(stores, name);
  if (removed.includes(true)) await equalize(stores, { isLoad: true });
  return removed.includes(true);
}

/** Lets every organization read a repository, or its owner alone, and links it accordingly; false when there is none. */
export async function shareRepository(stores: LoaderStores, repository: string, shared: boolean): Promise<boolean> {
  const found = await stores.relational.repositories.share(repository, shared);
  if (found) await equalize(stores, { isLoad: true });
  return found;
}

/** What is told while projections are made. */
export interface ProjectionReports {
  /** A repository is about to be written. */
  onRepository?: (name: string) => void;
  /** What is kept of a repository can't be read: it is left out, and the others go on. */
  onUnreadable?: (error: UnreadableSnapshot) => void;
}

/**
 * Makes the projections say what the kept snapshots say: writes what is missing or of another generation, removes what has
 * no snapshot. Returns the repositories that it wrote. `force` makes a projection anew (`repo-intel rebuild`); an embedded one from
 * an empty file, whatever was there. When one can't be reached the others are made all the same, before that is thrown.
 */
export async function projectSnapshots(
  stores: LoaderStores,
  { force = [], ...reports }: { force?: readonly Projection[] } & ProjectionReports = {},
): Promise<string[]> {
  for (const projection of force) await stores[projection].healing?.startAnew('that was asked for');
  const written = new Set<string>();
  await equalize(stores, { ...reports, force, onWritten: (name) => written.add(name) });
  return [...written];
}

/** What is kept of a repository is damaged. */
export class UnreadableSnapshot extends Error {
  override readonly name = 'UnreadableSnapshot';
  constructor(repository: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`${repository}: what is kept of it can't be read (${why}): load it again.`, { cause });
  }
}

/** What is made of the snapshots, and made again where it is lost. */
export const projections = ['graph', 'search', 'source'] as const;
export type Projection = (typeof projections)[number];

/** Who writes a repository holds it. */
export const lockOf = (repository: string) => `repository ${repository}`;

async function writeOne(
  stores: LoaderStores,
  whole: Snapshot,
  { from, found }: WriteConditions,
): Promise<'written' | 'unchanged'> {
  const snapshot = whileThereIsRoom(whole, stores);
  const { measurements } = snapshot;
  const { name, fingerprint } = snapshot.repository;
  const { repositories, runs, snapshots } = stores.relational;
  const held = await snapshots.get(name);
  const committed = committedKey(name);
  const isRemoved =
    (found === 'snapshot' && !held) ||
    (found === 'claim' && (await repositories.get(name)) === null) ||
    // What is not committed goes with what is.
    (committed !== null && (await snapshots.get(committed)) === null);
  if (isRemoved) throw new SnapshotError('removed', 'It was removed meanwhile: load it again.');
  if (from !== undefined && held && held.info.source !== from) {
    throw new Error(`Meanwhile another repository named ${name} was loaded: load this one again.`);
  }
  if (held?.generation === fingerprint) return (await projectAll(stores, name)) ? 'written' : 'unchanged';
  stores.mustHaveRoom?.();
  const edges = measurements && held ? await changedEdges(stores, held.info, snapshot) : null;
  const measured = measurements && {
    run: await runs.begin(snapshot.repository),
    measurements,
    grade: stores.gradeOf?.(measurements) ?? null,
    edges,
  };
  // Side by side: whichever of them a crash leaves undone, the next start makes the projections equal to what is kept.
  const outcomes = await Promise.allSettled([
    snapshots.save(snapshot.repository, fingerprint, compressSnapshot(snapshot), measured),
    ...projections.map((projection) => projectOne(stores, snapshot, projection)),
  ]);
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
  const [failed] = failures;
  // A projection was found damaged on the way, and an empty file is in its place: what is kept by now goes there.
  if (outcomes[0].status === 'fulfilled' && failures.every(({ reason }) => reason instanceof ProjectionIncomplete)) {
    if (failed) await projectAll(stores, name);
  } else if (failed) {
    if (measured) await runs.fail(measured.run, sentence(failed.reason)).catch(() => undefined);
    // Back to what is kept; where not even that can be written, the next start does it.
    await projectAll(stores, name).catch(() => undefined);
    throw failed.reason;
  }
  return 'written';
}

/** Null where they can't be compared: another analyzer sees other edges, and nobody is told of a working tree. */
async function changedEdges(
  { relational: { snapshots } }: LoaderStores,
  held: RepositoryInfo,
  { repository, edges }: Snapshot,
): Promise<(EdgeChanges & { from: string | null }) | null> {
  const { name, analyzer_version: analyzer } = repository;
  if (held.analyzer_version !== analyzer || committedKey(name) !== null) return null;
  try {
    return { from: held.commit, ...(await edgeChanges(() => readEdges(snapshots.read(name)), edges)) };
  } catch (error) {
    // What is kept is damaged; this load mends it.
    if (unreadable(name, error) instanceof UnreadableSnapshot) return null;
    throw error;
  }
}

/** The same, whose rows end with an error where the disk gets low: what is being written of it is then undone. */
function whileThereIsRoom(snapshot: Snapshot, { mustHaveRoom }: LoaderStores): Snapshot {
  if (!mustHaveRoom) return snapshot;
  const asking = <T>(rows: Rows<T>): Rows<T> => ({
    length: rows.length,
    *[Symbol.iterator]() {
      let count = 0;
      for (const row of rows) {
        if (count++ % rowsBetweenLooks === 0) mustHaveRoom();
        yield row;
      }
    },
  });
  const { declared, source, commits } = snapshot;
  return {
    ...snapshot,
    nodes: asking(snapshot.nodes),
    edges: asking(snapshot.edges),
    ...(declared && { declared: asking(declared) }),
    ...(source && { source: asking(source) }),
    ...(commits && { commits: asking(commits) }),
  };
}

const rowsBetweenLooks = 500;

const sentence = (error: unknown) => (error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error));

async function projectAll(stores: LoaderStores, name: string): Promise<boolean> {
  const wrote = [];
  for (const projection of projections) wrote.push(await project(stores, projection, name, false));
  return wrote.includes(true);
}

/** Makes one projection of one repository equal to what is kept; false when it was, or nothing is kept. The caller has its lock. */
async function project(stores: LoaderStores, projection: Projection, name: string, force: boolean): Promise<boolean> {
  const kept = (await wantedGenerations(stores)).get(name);
  const held = (await stores[projection].generations()).get(name);
  if (!force && kept?.[projection] === held) return false;
  // The same generation again would change nothing.
  if (held !== undefined && (!kept || kept[projection] === held)) await stores[projection].removeRepository(name);
  if (!kept) return false;
  const file = openTemporaryFile();
  try {
    const reading = decompressSnapshot(stores.relational.snapshots.read(name), file);
    const snapshot = await reading.catch((error: unknown) => {
      throw unreadable(name, error);
    });
    await projectOne(stores, snapshot, projection);
  } finally {
    file.close();
  }
  return true;
}

async function projectOne(stores: LoaderStores, snapshot: Snapshot, projection: Projection): Promise<void> {
  const { repository, nodes, edges } = snapshot;
  const { name, fingerprint: generation } = repository;
  if (projection === 'graph') await stores.graph.replaceRepository({ repository: name, generation, nodes, edges });
  else if (projection === 'source')
    await stores.source.replaceRepository({ repository: name, generation, ...sourceProjection(snapshot) });
  else await stores.search.replaceRepository({ repository: name, ...(await searchProjection(stores, snapshot)) });
}

/** What search should hold of this snapshot, beside what else is kept now. */
export async function searchProjection(
  stores: LoaderStores,
  { repository, nodes, edges, declared = [], source, commits, measurements }: Snapshot,
) {
  const { name, fingerprint } = repository;
  const others = (await infos(stores)).filter((info) => info.name !== name);
  const usage = usageByWorld(await inPlace(stores, [...others, repository])).get(name) ?? 0;
  const health = (measurements && stores.healthOf?.(measurements)) ?? null;
  const documents = searchDocuments(
    repository,
    nodes,
    edges,
    declared,
    { usage, health },
    source && (() => textsIn(source)),
    commits,
  );
  return { generation: searchGeneration(fingerprint, usage), documents };
}

/** What the store of source should hold of this snapshot. */
export function sourceProjection({ source, commits = [] }: Pick<Snapshot, 'source' | 'commits'>) {
  const blobs = function* (): Generator<SourceBlob> {
    for (const row of source ?? []) yield { files: row.files, content: contentIn(row) };
  };
  return { isKept: source !== undefined, blobs: blobs(), commits };
}

/** Search documents also say how much a repository is used. */
const searchGeneration = (generation: string, usage: number) =>
  usage === 0 ? generation : `${generation} used by ${usage}`;

/** What each projection of each kept repository should hold. */
async function wantedGenerations(stores: LoaderStores): Promise<Map<string, Record<Projection, string>>> {
  const kept = await stores.relational.snapshots.list();
  const usage = usageByWorld(
    await inPlace(
      stores,
      kept.map(({ info }) => info),
    ),
  );
  return new Map(
    kept.map(({ repository, generation }) => [
      repository,
      { graph: generation, search: searchGeneration(generation, usage.get(repository) ?? 0), source: generation },
    ]),
  );
}

/** The same, each with its owner. */
export async function inPlace(
  { relational }: Pick<LoaderStores, 'relational'>,
  repositories: readonly RepositoryInfo[],
): Promise<Placed[]> {
  return placed(repositories, await relational.repositories.list());
}

async function infos({ relational }: LoaderStores): Promise<RepositoryInfo[]> {
  return (await relational.snapshots.list()).map(({ info }) => info);
}

/** That it is the snapshot; unless something else is why it can't be read now. */
function unreadable(name: string, error: unknown): unknown {
  const isElsewhere =
    error instanceof StoreUnavailable || isDiskFull(error) || (error instanceof Error && 'syscall' in error);
  return isElsewhere ? error : new UnreadableSnapshot(name, error);
}

/** What to do beside writing what is missing. */
interface Equalizing extends ProjectionReports {
  force?: readonly Projection[];
  onWritten?: (name: string) => void;
  /** After a load: what links to it, who is used more or less by it, and what was lost with a file that was damaged meanwhile. */
  isLoad?: boolean;
}

/** Makes all projections whole; when one can't be reached the others, before that is thrown. */
async function equalize(stores: LoaderStores, { isLoad = false, force, ...more }: Equalizing): Promise<void> {
  const failures: unknown[] = [];
  // All that are empty first: while one is filled, nobody shall take the other one for whole. What is away is met again below.
  if (!isLoad) await Promise.allSettled(projections.map((projection) => markEmpty(stores, projection)));
  for (const projection of projections) {
    const { healing } = stores[projection];
    try {
      const begun = healing?.rebuilding;
      // A graph and its source on a server lose nothing, and a load need not wait for what others write there.
      if (projection === 'search' || healing || !isLoad) {
        const isForced = !healing && force?.includes(projection);
        await projectEach(stores, projection, { ...more, isForced });
      }
      if (projection === 'graph') await writeLinks(stores);
      if (begun) await healing?.complete(begun);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Says of an embedded projection that holds nothing of what is kept that it is not whole. */
async function markEmpty(stores: LoaderStores, projection: Projection): Promise<void> {
  const { healing } = stores[projection];
  if (!healing || (await stores[projection].generations()).size > 0 || (await infos(stores)).length === 0) return;
  await healing.fill('it held nothing');
}

/** Writes in one projection what is missing or of another generation, or all; removes what has no snapshot. */
async function projectEach(
  stores: LoaderStores,
  projection: Projection,
  { isForced = false, onRepository, onUnreadable, onWritten }: { isForced?: boolean | undefined } & Equalizing,
): Promise<void> {
  const kept = await wantedGenerations(stores);
  const held = await stores[projection].generations();
  const names = new Set([...held.keys(), ...kept.keys()]);
  let done = 0;
  for (const name of names) {
    stores[projection].healing?.advance(done++, names.size);
    if (!isForced && held.get(name) === kept.get(name)?.[projection]) continue;
    if (kept.has(name)) onRepository?.(name);
    try {
      // By now somebody may have loaded or removed it, so it is looked at again.
      if (await stores.relational.exclusively(lockOf(name), () => project(stores, projection, name, isForced)))
        onWritten?.(name);
    } catch (error) {
      if (!(error instanceof UnreadableSnapshot)) throw error;
      onUnreadable?.(error);
    }
  }
  stores[projection].healing?.advance(done, names.size);
}

/** One after the other, so that the last one has seen every repository, and only those that changed. */
async function writeLinks(stores: LoaderStores): Promise<void> {
  const { graph, relational } = stores;
  await relational.exclusively('links', async () => {
    const [kept, held] = [await relational.snapshots.list(), await graph.linkGenerations()];
    const boundaryOf = boundariesOf(stores);
    const wanted = linksByWorld(
      await inPlace(
        stores,
        kept.map(({ info }) => info),
      ),
    );
    for (const { repository, generation, edges } of wanted) {
      if (held.get(repository) === generation) continue;
      try {
        await graph.replaceLinks({ repository, generation, edges: await edges(boundaryOf) });
      } catch (error) {
        // Said where its nodes are written.
        if (!(error instanceof UnreadableSnapshot)) throw error;
      }
    }
  });
}

/** Reads what links a kept repository with others, once each. */
export function boundariesOf({ relational }: Pick<LoaderStores, 'relational'>) {
  return remembered((name) =>
    readBoundary(relational.snapshots.read(name)).catch((error: unknown) => {
      throw unreadable(name, error);
    }),
  );
}

function remembered<T>(make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}
