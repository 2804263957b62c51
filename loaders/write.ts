import type { Snapshot } from '../src/model/snapshot.ts';
import type { GraphStore } from '../src/stores/graph/port.ts';
import type { RelationalStore } from '../src/stores/relational/port.ts';
import type { SearchStore } from '../src/stores/search/port.ts';
import { linkRepositories } from './link.ts';
import { searchDocuments } from './records/search-documents.ts';
import { compressSnapshot, decompressSnapshot } from './records/snapshot-file.ts';

/** The ports that a loader writes to. */
export interface LoaderStores {
  graph: GraphStore;
  search: SearchStore;
  relational: Pick<RelationalStore, 'snapshots'>;
}

/**
 * Puts a snapshot in place of the repository's last one, or leaves all as it was and throws. What is kept in the relational
 * store is the truth: `projectSnapshots` makes graph and search equal to it when a process ended in between.
 */
export async function writeSnapshot(stores: LoaderStores, snapshot: Snapshot): Promise<'written' | 'unchanged'> {
  const { name, fingerprint } = snapshot.repository;
  const held = await stores.relational.snapshots.get(name);
  if (held?.generation === fingerprint) {
    const repaired = await projectSnapshots(stores, { only: name });
    return repaired.length > 0 ? 'written' : 'unchanged';
  }
  // Side by side: whichever of them a crash leaves undone, the next start makes the projections equal to what is kept.
  const outcomes = await Promise.allSettled([
    stores.relational.snapshots.save(snapshot.repository, fingerprint, compressSnapshot(snapshot)),
    projectOne(stores, snapshot),
  ]);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) {
    // Back to what is kept; where not even that can be written, the next start does it.
    await projectSnapshots(stores, { only: name }).catch(() => undefined);
    throw failed.reason;
  }
  await writeLinks(stores);
  return 'written';
}

/** Takes a repository out of every store; false when it was in none. */
export async function removeRepository(stores: LoaderStores, repository: string): Promise<boolean> {
  const removed = [
    await stores.relational.snapshots.remove(repository),
    await stores.graph.removeRepository(repository),
    await stores.search.removeRepository(repository),
  ];
  if (removed.includes(true)) await writeLinks(stores);
  return removed.includes(true);
}

/**
 * Makes graph and search say what the kept snapshots say: writes what is missing or of another generation, removes what has
 * no snapshot. Returns the repositories that it wrote. `force` writes all of them (`repo-intel rebuild`).
 */
export async function projectSnapshots(
  stores: LoaderStores,
  options: { only?: string; force?: readonly ('graph' | 'search')[]; onRepository?: (name: string) => void } = {},
): Promise<string[]> {
  const kept = await stores.relational.snapshots.list();
  const written: string[] = [];
  for (const projection of ['graph', 'search'] as const) {
    const held = await stores[projection].generations();
    const force = options.force?.includes(projection) ?? false;
    for (const [name, generation] of held) {
      const snapshot = kept.find((each) => each.repository === name);
      const stale = !snapshot || (force && snapshot.generation === generation);
      if (stale && (options.only ?? name) === name) await stores[projection].removeRepository(name);
    }
    for (const { repository, generation } of kept) {
      if ((options.only ?? repository) !== repository || (!force && held.get(repository) === generation)) continue;
      options.onRepository?.(repository);
      await projectOne(stores, await decompressSnapshot(stores.relational.snapshots.read(repository)), [projection]);
      written.push(repository);
    }
  }
  if (written.length > 0 || options.only === undefined) await writeLinks(stores);
  return [...new Set(written)];
}

async function projectOne(
  { graph, search }: LoaderStores,
  { repository, nodes, edges }: Snapshot,
  projections: readonly ('graph' | 'search')[] = ['graph', 'search'],
): Promise<void> {
  const key = { repository: repository.name, generation: repository.fingerprint };
  const write = {
    graph: () => graph.replaceRepository({ ...key, nodes, edges }),
    search: () => search.replaceRepository({ ...key, documents: searchDocuments(repository, nodes, edges) }),
  };
  await Promise.all(projections.map((projection) => write[projection]()));
}

async function writeLinks({ graph, relational }: LoaderStores): Promise<void> {
  const kept = await relational.snapshots.list();
  await graph.replaceLinks(linkRepositories(kept.map(({ info }) => info)));
}
