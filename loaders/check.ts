import { hash } from 'node:crypto';
import type { Snapshot } from '../src/model/snapshot.ts';
import type { StoredSnapshot } from '../src/stores/relational/port.ts';
import { decompressSnapshot } from './records/snapshot-file.ts';
import { openTemporaryFile, type TemporaryFile } from './temporary-file.ts';
import { linksByWorld } from './worlds.ts';
import {
  boundariesOf,
  inPlace,
  lockOf,
  projections,
  searchProjection,
  sourceProjection,
  type LoaderStores,
  type Projection,
} from './write.ts';
import { textOf } from '../src/stores/source/port.ts';

/** What a check found of one thing. */
export interface Finding {
  /** Null of what belongs to none. */
  repository: string | null;
  thing: 'snapshot' | 'graph' | 'search' | 'source' | 'links' | 'usage';
  /** `unknown`: there is nothing to compare it with. */
  status: 'ok' | 'wrong' | 'unknown';
  /** How much there is, or what is wrong: for people. */
  detail: string;
  /** What to do; null where nothing is to be done. */
  way_out: string | null;
}

type Result = Omit<Finding, 'repository' | 'thing'>;

const ok = (detail: string): Result => ({ status: 'ok', detail, way_out: null });
const wrong = (detail: string, wayOut: string): Result => ({ status: 'wrong', detail, way_out: wayOut });
const rebuild = {
  graph: 'repo-intel rebuild graph',
  search: 'repo-intel rebuild search',
  source: 'repo-intel rebuild source',
} as const;
const loadAgain = 'load it again, or repo-intel restore a backup';

/**
 * Reads each kept snapshot to its end, and compares graph, search and source with what would be made of it, by digest. A repository is not
 * loaded while it is compared. What is wrong is a finding; throws only where the relational store can't be reached.
 */
export async function checkRepositories(
  stores: LoaderStores,
  onRepository: (name: string) => void = () => {},
): Promise<Finding[]> {
  const { snapshots, exclusively } = stores.relational;
  const kept = (await snapshots.list()).map(({ repository }) => repository);
  const held = await Promise.all(
    projections.map((projection) => stores[projection].generations().catch(() => new Map())),
  );
  const names = new Set<string>([...kept, ...held.flatMap((generations) => [...generations.keys()])]);
  const findings: Finding[] = [];
  const links = new Map<string, HeldLinks>();
  for (const repository of [...names].sort()) {
    onRepository(repository);
    await exclusively(lockOf(repository), async () => {
      const results = await checkOne(stores, repository, (held) => links.set(repository, held));
      for (const [thing, result] of results) findings.push({ repository, thing, ...result });
    });
  }
  await exclusively('links', async () => {
    for (const [repository, result] of await checkLinks(stores, links))
      findings.push({ repository, thing: 'links', ...result });
  });
  return findings;
}

/** What leads from a repository to others, as the graph has it, and of which generation. */
interface HeldLinks {
  generation: string | undefined;
  edges: ReturnType<typeof openDigest>;
}

async function checkOne(
  stores: LoaderStores,
  name: string,
  onLinks: (held: HeldLinks) => void,
): Promise<[Finding['thing'], Result][]> {
  const stored = await stores.relational.snapshots.get(name);
  if (!stored) return checkLeftOver(stores, name);
  const file = openTemporaryFile();
  try {
    const read = await readKept(stores, stored, file);
    if ('problem' in read) {
      const unknown: Result = { status: 'unknown', detail: 'there is no snapshot to compare it with', way_out: null };
      return [
        ['snapshot', wrong(read.problem, loadAgain)],
        ['graph', unknown],
        ['search', unknown],
        ['source', unknown],
      ];
    }
    const { snapshot } = read;
    const graph = await orUnreadable('graph', () => checkGraph(stores, snapshot, onLinks));
    const search = await orUnreadable('search', () => checkSearch(stores, snapshot));
    const source = await orUnreadable('source', () => checkSource(stores, snapshot));
    return [
      ['snapshot', ok(`${stored.size_bytes} bytes`)],
      ['graph', graph],
      ['search', search],
      ['source', source],
    ];
  } finally {
    file.close();
  }
}

async function checkLeftOver(stores: LoaderStores, name: string): Promise<[Finding['thing'], Result][]> {
  const results: [Finding['thing'], Result][] = [];
  for (const projection of projections) {
    const held = await stores[projection].generations().catch(() => new Map<string, string>());
    if (held.has(name)) results.push([projection, wrong('no snapshot of it is kept', rebuild[projection])]);
  }
  return results;
}

async function readKept(
  { relational }: LoaderStores,
  { repository, generation, info, size_bytes: size }: StoredSnapshot,
  file: TemporaryFile,
): Promise<{ snapshot: Snapshot } | { problem: string }> {
  let bytes = 0;
  const counted = async function* () {
    for await (const part of relational.snapshots.read(repository)) {
      bytes += part.length;
      yield part;
    }
  };
  try {
    const snapshot = await decompressSnapshot(counted(), file);
    if (bytes !== size) return { problem: `it has ${bytes} bytes, and ${size} were kept` };
    if (snapshot.repository.fingerprint !== generation || canonical(snapshot.repository) !== canonical(info))
      return { problem: 'it is not the one that the list of repositories names' };
    return { snapshot };
  } catch (error) {
    return { problem: `it can't be read (${sentence(error)})` };
  }
}

async function orUnreadable(projection: Projection, check: () => Promise<Result>): Promise<Result> {
  return check().catch((error: unknown) => wrong(`it can't be read (${sentence(error)})`, rebuild[projection]));
}

async function checkGraph(
  { graph }: LoaderStores,
  { repository: { name, fingerprint }, nodes, edges }: Snapshot,
  onLinks: (held: HeldLinks) => void,
): Promise<Result> {
  const generation = (await graph.generations()).get(name);
  if (generation !== fingerprint) return wrong(ofGeneration(generation), rebuild.graph);
  const [wanted, held] = [
    { nodes: openDigest(), edges: openDigest() },
    { nodes: openDigest(), edges: openDigest() },
  ];
  const ids = new Set<string>();
  for (const node of nodes) {
    ids.add(node.id);
    wanted.nodes.add(node);
  }
  const isInside = ({ from, to }: { from: string; to: string }) => ids.has(from) && ids.has(to);
  // A graph leaves out an edge with an end that is not there.
  for (const edge of edges) if (isInside(edge)) wanted.edges.add(edge);
  for await (const node of graph.nodes({ repository: name })) held.nodes.add(node);
  const links = { generation: (await graph.linkGenerations()).get(name), edges: openDigest() };
  for await (const edge of graph.edges({ repository: name })) (isInside(edge) ? held.edges : links.edges).add(edge);
  onLinks(links);
  const differences = [
    difference('nodes', held.nodes, wanted.nodes),
    difference('edges', held.edges, wanted.edges),
  ].filter((each) => each !== null);
  if (differences.length > 0) return wrong(differences.join('; '), rebuild.graph);
  return ok(`${wanted.nodes.count()} nodes, ${wanted.edges.count()} edges`);
}

async function checkSearch(stores: LoaderStores, snapshot: Snapshot): Promise<Result> {
  const { search } = stores;
  const { name } = snapshot.repository;
  const { generation, documents } = await searchProjection(stores, snapshot);
  const heldGeneration = (await search.generations()).get(name);
  if (heldGeneration !== generation) return wrong(ofGeneration(heldGeneration), rebuild.search);
  const [wanted, held] = [openDigest(), openDigest()];
  let findable = 0;
  for (const document of documents) {
    const { content: _, ...kept } = document;
    wanted.add(kept);
    if (document.repository === name) findable += 1;
  }
  for await (const document of search.documents(name)) held.add(document);
  const problem = difference('documents', held, wanted);
  if (problem !== null) return wrong(problem, rebuild.search);
  const everything = { text: '', repositories: [name], sort: 'name', order: 'asc', offset: 0, limit: 1 } as const;
  const { total } = await search.everything.search(everything);
  if (total !== findable) return wrong(`${total} of ${findable} documents are found`, rebuild.search);
  return ok(`${wanted.count()} documents`);
}

async function checkSource({ source }: LoaderStores, snapshot: Snapshot): Promise<Result> {
  const { name, fingerprint } = snapshot.repository;
  const generation = (await source.generations()).get(name);
  if (generation !== fingerprint) return wrong(ofGeneration(generation), rebuild.source);
  const [wanted, held] = [openDigest(), openDigest()];
  const { isKept, blobs, commits } = sourceProjection(snapshot);
  for (const { files, content } of blobs) {
    const text = hash('sha256', textOf(content));
    for (const file of files) wanted.add({ ...file, text });
  }
  for await (const { text, ...file } of source.files(name)) held.add({ ...file, text: hash('sha256', text) });
  const problem = difference('files', held, wanted);
  if (problem !== null) return wrong(problem, rebuild.source);
  const [wantedCommits, heldCommits] = [openDigest(), openDigest()];
  for (const { changed: _, ...commit } of commits) wantedCommits.add(commit);
  for await (const commit of source.history(name)) heldCommits.add(commit);
  const missing = difference('commits', heldCommits, wantedCommits);
  if (missing !== null) return wrong(missing, rebuild.source);
  return ok(isKept ? `${wanted.count()} files, ${wantedCommits.count()} commits` : 'it is not kept');
}

async function checkLinks(stores: LoaderStores, held: ReadonlyMap<string, HeldLinks>): Promise<[string, Result][]> {
  const infos = (await stores.relational.snapshots.list()).map(({ info }) => info);
  const boundaryOf = boundariesOf(stores);
  const results: [string, Result][] = [];
  for (const { repository, generation, edges } of linksByWorld(await inPlace(stores, infos))) {
    const links = held.get(repository);
    // Of what could not be compared, that is said already.
    if (!links) continue;
    const result = orUnreadable('graph', async () => {
      if (links.generation !== generation)
        return wrong('they are not whole: where nothing is being loaded, make them anew', rebuild.graph);
      const all = await edges(boundaryOf);
      let wanted = digestOf(all);
      // Those with an end that is not there are left out; most often there are none.
      if (!wanted.equals(links.edges)) wanted = digestOf(await Array.fromAsync(withBothEnds(stores, all)));
      const problem = difference('edges', links.edges, wanted);
      return problem === null ? ok(`${wanted.count()} edges`) : wrong(problem, rebuild.graph);
    });
    results.push([repository, await result]);
  }
  return results;
}

async function* withBothEnds<T extends { from: string; to: string }>(
  { graph }: LoaderStores,
  edges: readonly T[],
): AsyncGenerator<T> {
  for (const edge of edges)
    if ((await graph.everything.node(edge.from)) && (await graph.everything.node(edge.to))) yield edge;
}

const ofGeneration = (generation: string | undefined) =>
  generation === undefined ? 'it is not there' : 'it is of another snapshot';

type Digest = ReturnType<typeof openDigest>;

function difference(what: string, held: Digest, wanted: Digest): string | null {
  if (held.equals(wanted)) return null;
  if (held.count() === wanted.count()) return `${what} are not as in the snapshot (${held.count()} as there)`;
  return `${held.count()} ${what}, and ${wanted.count()} by the snapshot`;
}

/** A digest of values in any order, each as often as it comes: the sum of their SHA-256. */
function openDigest() {
  let [sum, count] = [0n, 0];
  return {
    add(value: unknown) {
      sum = (sum + BigInt(`0x${hash('sha256', canonical(value))}`)) % modulus;
      count += 1;
    },
    count: () => count,
    sum: () => sum,
    equals: (other: { count(): number; sum(): bigint }): boolean => other.count() === count && other.sum() === sum,
  };
}

const modulus = 2n ** 256n;

function digestOf(values: Iterable<unknown>): Digest {
  const digest = openDigest();
  for (const value of values) digest.add(value);
  return digest;
}

/** The same text for the same value, whatever the order of its keys. No store keeps half a character. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'string') return each.toWellFormed();
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
