import { join, resolve } from 'node:path';
import { analyzerVersion } from '../../loaders/analyzer-version.ts';
import type { LoadOptions } from '../../loaders/load.ts';
import { keyOfWorkingTree, loadWorkingTree } from '../../loaders/load-working-tree.ts';
import { findRepository } from '../../loaders/snapshot/find-repository.ts';
import { GitFailure } from '../../loaders/snapshot/git.ts';
import { SnapshotError } from '../../loaders/snapshot/snapshot-error.ts';
import { lookAtWorkTree, openWorkingTree } from '../../loaders/snapshot/working-tree.ts';
import type { Glance } from '../../loaders/snapshot/working-tree.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { completeLoad, mayBeginWithGraph } from './complete-load.ts';
import type { Io } from './io.ts';
import { loaderStores } from './loader-stores.ts';
import { loadSource, sentenceOf } from './load-sources.ts';
import type { ListedRepository } from './repositories.ts';
import { sessionOn } from './session-on.ts';
import type { OpenService } from './store-command.ts';

/** The repository that a person stands in, as it is now. */
export interface Here {
  /** What its owner calls it. */
  name: string;
  /** What is not committed of it; null where all is, or nobody asked. */
  workingTree: { key: string; committed: string; files: number } | null;
  /** It, where only its graph is read yet: see `completeLoad`. */
  onlyGraph: ListedRepository | null;
}

/** Who stands where, and whether what is not committed counts. */
interface Standing {
  folder: string;
  organization?: string | undefined;
  workingTree: boolean;
  /** Nothing but the graph, or the source with it, is asked for; undefined where it is more. */
  graphFirst: LoadOptions['graphFirst'];
}

/** A repository that can't be loaded; the message says why. */
export class NotLoaded extends Error {}

interface Turn {
  running: Promise<unknown>;
  next: Promise<Here> | null;
}

const turns = new Map<string, Turn>();

/**
 * Loads the repository around a folder, or brings it up to date; undefined outside of one. Each is looked at by one question at a time:
 * those that come meanwhile share one further look, for what the first has seen may have changed before they were asked.
 */
export async function freshRepository(service: OpenService, standing: Standing, io: Io): Promise<Here | undefined> {
  const root = await findRepository(resolve(standing.folder));
  if (root === null) return undefined;
  const key = join(standing.organization ?? '', String(standing.workingTree), String(standing.graphFirst), root);
  const look = () => refreshed(service, { ...standing, root }, io);
  const turn = turns.get(key);
  if (turn) {
    turn.next ??= turn.running.then(look, look);
    return turn.next;
  }
  const first = look();
  turns.set(key, { running: first, next: null });
  void passOn(key);
  return first;
}

/** While others wait, the one that they share is the one that runs. */
async function passOn(key: string): Promise<void> {
  for (let turn = turns.get(key); turn; turn = turns.get(key)) {
    await turn.running.catch(() => undefined);
    if (turn.next) turns.set(key, { running: turn.next, next: null });
    else turns.delete(key);
  }
}

type Place = Standing & { root: string };

async function refreshed(service: OpenService, place: Place, io: Io): Promise<Here> {
  const { organization, root } = place;
  const session = sessionOn(service, io);
  const [held, seen] = await Promise.all([session.list({ organization }), lookAtWorkTree(root)]);
  const known = held.find(({ own, info }) => own && info.source === root);
  const isCurrent = known && seen && known.info.commit === seen.head && known.info.analyzer_version === analyzerVersion;
  const begun = isCurrent ? known : await loaded(service, place, known, io);
  const isEnough = place.graphFirst === 'graph' || (place.graphFirst === 'source' && begun.info.source_kept);
  const committed = begun.info.only_graph && !isEnough ? await completed(service, begun, io) : begun;
  const workingTree =
    place.workingTree && seen ? await workingTreeOf(service, { ...place, ...committed, ...seen }, io) : null;
  return { name: committed.name, onlyGraph: committed.info.only_graph ? committed : null, workingTree };
}

/** Waits until what follows the graph is read. */
async function completed(service: OpenService, begun: ListedRepository, io: Io): Promise<ListedRepository> {
  const { name, info, organization } = begun;
  io.say(`${name}: its graph is there; history, measurements and findings are being read …`);
  await completeLoad(service, begun).catch((error: unknown) =>
    io.say(`${name}: they could not be read. ${error instanceof Error ? error.message : String(error)}`),
  );
  const all = await sessionOn(service, io).list({ organization });
  return all.find(({ own, info: { name: key } }) => own && key === info.name) ?? begun;
}

async function loaded(
  service: OpenService,
  { organization, root, graphFirst }: Place,
  known: ListedRepository | undefined,
  io: Io,
): Promise<ListedRepository> {
  const session = { ...sessionOn(service, io), close: () => Promise.resolve() };
  const outcome = await loadSource(service.config, session, root, {
    organization,
    graphFirst: mayBeginWithGraph(service) ? graphFirst : undefined,
    onProgress: (progress) => io.progress(progress),
  });
  io.done();
  if (outcome.status !== 'failed') {
    io.say(sentenceOf(outcome));
    const found = (await session.list({ organization })).find(({ own, name }) => own && name === outcome.repository);
    if (!found) throw new NotLoaded(`${outcome.repository} was removed meanwhile: ask again.`);
    return found;
  }
  if (!known) throw new NotLoaded(outcome.error);
  io.say(
    `${known.name} is answered as it was at ${known.info.commit?.slice(0, 10) ?? 'its last load'}: ${outcome.error}`,
  );
  return known;
}

/** By key: what the working tree was when it was loaded last, by this process. */
const loadedAs = new Map<string, { stamp: string; of: string; generation: string | undefined; files: number }>();

/** Brings what is kept of the working tree up to date, or removes it where all is committed. */
async function workingTreeOf(
  { stores, config }: OpenService,
  { root, name, info, stamp }: Place & ListedRepository & Pick<Glance, 'stamp'>,
  io: Io,
): Promise<Here['workingTree']> {
  const key = keyOfWorkingTree(info);
  const held = (await stores.relational.snapshots.get(key))?.generation;
  const last = loadedAs.get(key);
  const of = info.fingerprint;
  if (last && last.stamp === stamp && last.of === of && last.generation === held)
    return { key, committed: info.name, files: last.files };
  try {
    const tree = stamp === null ? null : await openWorkingTree(root);
    if (stamp === null || tree === null) {
      if (held !== undefined) await removeRepository(loaderStores(stores), key);
      return null;
    }
    try {
      await loadWorkingTree(tree, {
        committed: info,
        name,
        held,
        vulnerabilityFolder: config.vulnerabilityDb,
        cacheFile: join(config.dataDir, 'cache', 'facts.sqlite'),
        write: (snapshot) => writeSnapshot(loaderStores(stores), snapshot),
        onProgress: (progress) => io.progress(progress),
      });
    } finally {
      await tree.close();
    }
    io.done();
    const generation = (await stores.relational.snapshots.get(key))?.generation;
    loadedAs.set(key, { stamp, of, generation, files: tree.files });
    return { key, committed: info.name, files: tree.files };
  } catch (error) {
    if (!(error instanceof GitFailure || error instanceof SnapshotError)) throw error;
    io.say(`${name} is answered as it was committed, for what is not can't be read: ${error.message}`);
    return null;
  }
}
