import type { Measurements } from '../src/model/due-diligence.ts';
import type { RepositoryInfo, Rows, Snapshot } from '../src/model/snapshot.ts';
import type { GraphStore } from '../src/stores/graph/port.ts';
import type { RelationalStore } from '../src/stores/relational/port.ts';
import type { SearchStore } from '../src/stores/search/port.ts';
import { linkRepositories } from './link.ts';
import { wantedLinks } from './wanted-links.ts';
import { searchDocuments, type Health } from './records/search-documents.ts';
import { compressSnapshot, decompressSnapshot, readBoundary } from './records/snapshot-file.ts';
import { openTemporaryFile } from './temporary-file.ts';
import { usageByRepository } from './usage.ts';

/** The ports that a loader writes to. */
export interface LoaderStores {
  graph: GraphStore;
  search: SearchStore;
  relational: Pick<RelationalStore, 'snapshots' | 'runs' | 'exclusively'>;
  /** What due diligence makes of these; null when it can't say, as where it is not asked. */
  healthOf?: (measurements: Measurements) => Health | null;
  /** Asked before a repository is written, and while it is; throws when that has to stop. */
  mustHaveRoom?: () => void;
}

/** What a run is of. */
export type RunOf = Pick<RepositoryInfo, 'name' | 'commit' | 'committed_at' | 'analyzer_version'>;

/**
 * Puts a snapshot in place of the repository's last one, or leaves all as it was and throws. What is kept in the relational
 * store is the truth: `projectSnapshots` makes graph and search equal to it when a process ended in between. Two writers of one
 * repository take turns. With `from`, a repository of the same name that was loaded from another place is not replaced.
 */
export async function writeSnapshot(
  stores: LoaderStores,
  snapshot: Snapshot,
  from?: string,
): Promise<'written' | 'unchanged'> {
  const { name } = snapshot.repository;
  const outcome = await stores.relational.exclusively(lockOf(name), () => writeOne(stores, snapshot, from));
  if (outcome === 'written') await writeLinks(stores);
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

/** Makes graph and search equal to what is kept of one repository, where an earlier load could not; false when they were. */
export async function repairRepository(stores: LoaderStores, repository: string): Promise<boolean> {
  const repaired = await stores.relational.exclusively(lockOf(repository), () => projectAll(stores, repository));
  if (repaired) await writeLinks(stores);
  return repaired;
}

/** Takes a repository out of every store; false when it was in none. */
export async function removeRepository(stores: LoaderStores, repository: string): Promise<boolean> {
  const removed = await stores.relational.exclusively(lockOf(repository), async () => [
    await stores.relational.snapshots.remove(repository),
    await stores.graph.removeRepository(repository),
    await stores.search.removeRepository(repository),
  ]);
  if (removed.includes(true)) await writeLinks(stores);
  return removed.includes(true);
}

/**
 * Makes graph and search say what the kept snapshots say: writes what is missing or of another generation, removes what has
 * no snapshot. Returns the repositories that it wrote. `force` writes all of them (`repo-intel rebuild`).
 */
export async function projectSnapshots(
  stores: LoaderStores,
  options: { force?: readonly Projection[]; onRepository?: (name: string) => void } = {},
): Promise<string[]> {
  const kept = await wantedGenerations(stores);
  const written = new Set<string>();
  for (const projection of projections) {
    const held = await stores[projection].generations();
    const force = options.force?.includes(projection) ?? false;
    for (const name of new Set([...held.keys(), ...kept.keys()])) {
      if (!force && held.get(name) === kept.get(name)?.[projection]) continue;
      if (kept.has(name)) options.onRepository?.(name);
      // By now somebody may have loaded or removed it, so it is looked at again.
      const wrote = await stores.relational.exclusively(lockOf(name), () => project(stores, projection, name, force));
      if (wrote) written.add(name);
    }
  }
  await writeLinks(stores);
  return [...written];
}

type Projection = 'graph' | 'search';
const projections = ['graph', 'search'] as const;

const lockOf = (repository: string) => `repository ${repository}`;

async function writeOne(
  stores: LoaderStores,
  whole: Snapshot,
  from: string | undefined,
): Promise<'written' | 'unchanged'> {
  const snapshot = whileThereIsRoom(whole, stores);
  const { measurements } = snapshot;
  const { name, fingerprint } = snapshot.repository;
  const { runs, snapshots } = stores.relational;
  const held = await snapshots.get(name);
  if (from !== undefined && held && held.info.source !== from) {
    throw new Error(`Meanwhile another repository named ${name} was loaded: load this one again.`);
  }
  if (held?.generation === fingerprint) return (await projectAll(stores, name)) ? 'written' : 'unchanged';
  stores.mustHaveRoom?.();
  const measured = measurements && { run: await runs.begin(snapshot.repository), measurements };
  // Side by side: whichever of them a crash leaves undone, the next start makes the projections equal to what is kept.
  const outcomes = await Promise.allSettled([
    snapshots.save(snapshot.repository, fingerprint, compressSnapshot(snapshot), measured),
    ...projections.map((projection) => projectOne(stores, snapshot, projection)),
  ]);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) {
    if (measured) await runs.fail(measured.run, sentence(failed.reason)).catch(() => undefined);
    // Back to what is kept; where not even that can be written, the next start does it.
    await projectAll(stores, name).catch(() => undefined);
    throw failed.reason;
  }
  return 'written';
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
  return { ...snapshot, nodes: asking(snapshot.nodes), edges: asking(snapshot.edges) };
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
    await projectOne(stores, await decompressSnapshot(stores.relational.snapshots.read(name), file), projection);
  } finally {
    file.close();
  }
  return true;
}

async function projectOne(stores: LoaderStores, snapshot: Snapshot, projection: Projection): Promise<void> {
  const { repository, nodes, edges, measurements } = snapshot;
  const { name, fingerprint } = repository;
  if (projection === 'graph') {
    await stores.graph.replaceRepository({ repository: name, generation: fingerprint, nodes, edges });
    return;
  }
  const others = (await infos(stores)).filter((info) => info.name !== name);
  const usage = usageByRepository(linkRepositories([...others, repository])).get(name) ?? 0;
  const health = (measurements && stores.healthOf?.(measurements)) ?? null;
  const documents = searchDocuments(repository, nodes, edges, { usage, health });
  await stores.search.replaceRepository({
    repository: name,
    generation: searchGeneration(fingerprint, usage),
    documents,
  });
}

/** Search documents also say how much a repository is used. */
const searchGeneration = (generation: string, usage: number) =>
  usage === 0 ? generation : `${generation} used by ${usage}`;

/** What each projection of each kept repository should hold. */
async function wantedGenerations(stores: LoaderStores): Promise<Map<string, Record<Projection, string>>> {
  const kept = await stores.relational.snapshots.list();
  const usage = usageByRepository(linkRepositories(kept.map(({ info }) => info)));
  return new Map(
    kept.map(({ repository, generation }) => [
      repository,
      { graph: generation, search: searchGeneration(generation, usage.get(repository) ?? 0) },
    ]),
  );
}

async function infos({ relational }: LoaderStores): Promise<RepositoryInfo[]> {
  return (await relational.snapshots.list()).map(({ info }) => info);
}

/** One after the other, so that the last one has seen every repository, and only those that changed; then those are searched anew that are used more or less. */
async function writeLinks(stores: LoaderStores): Promise<void> {
  const { graph, search, relational } = stores;
  await relational.exclusively('links', async () => {
    const [kept, held] = [await relational.snapshots.list(), await graph.linkGenerations()];
    const boundaryOf = remembered((name) => readBoundary(relational.snapshots.read(name)));
    for (const { repository, generation, edges } of wantedLinks(kept.map(({ info }) => info)))
      if (held.get(repository) !== generation)
        await graph.replaceLinks({ repository, generation, edges: await edges(boundaryOf) });
  });
  const held = await search.generations();
  for (const [name, wanted] of await wantedGenerations(stores)) {
    if (held.get(name) === wanted.search) continue;
    await relational.exclusively(lockOf(name), () => project(stores, 'search', name, false));
  }
}

function remembered<T>(make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}
