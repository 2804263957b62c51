import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyze } from '../../loaders/analyze.ts';
import { linkRepositories } from '../../loaders/link.ts';
import { compressSnapshot } from '../../loaders/records/snapshot-file.ts';
import { searchDocuments } from '../../loaders/records/search-documents.ts';
import { usageByRepository } from '../../loaders/usage.ts';
import { sourceProjection, writeSnapshot } from '../../loaders/write.ts';
import { loaderStores } from '../../src/cli/loader-stores.ts';
import type { Snapshot } from '../../src/model/snapshot.ts';
import type { Stores } from '../../src/stores/open.ts';
import { gitRepository } from './git-repository.ts';
import { shareWithAll } from './share-with-all.ts';

/** Packages that need each other, and are installed. */
const packages = [
  'koa',
  'koa-compose',
  'koa-compress',
  'koa-body',
  'koa-helmet',
  '@koa/router',
  'accepts',
  'negotiator',
  'cookies',
  'keygrip',
  'http-errors',
  'statuses',
  'on-finished',
  'mime-types',
  'type-is',
];

const people = ['Anna Berg', 'Bo Dahl', 'Chen Li', 'Dana Kovač', 'Efe Yılmaz'].map((name, index) => ({
  name,
  email: `person-${index}@example.com`,
}));

const commits = 3;

let analyzed: Promise<Snapshot[]> | undefined;

/**
 * Puts so many repositories into the stores: real packages, each a git repository with two years of commits by several people;
 * beyond the fifteen of them, copies of a few of their symbols, in the graph alone.
 */
export async function fillPortfolio(stores: Stores, count: number): Promise<void> {
  const all = await (analyzed ??= analyzeAll());
  const originals = all.slice(0, count);
  await shareWithAll(
    stores,
    originals.map(({ repository }) => repository.name),
  );
  const usage = usageByRepository(linkRepositories(originals.map(({ repository }) => repository)));
  const loaders = loaderStores(stores);
  // The last one is loaded as always, which then also links all of them: so they are linked once.
  const last = originals.pop();
  for (const snapshot of originals) {
    const { repository, nodes, edges, declared, measurements } = snapshot;
    const { name, fingerprint } = repository;
    if (measurements === undefined) throw new Error(`${name} was not measured.`);
    const run = await stores.relational.runs.begin(repository);
    await stores.relational.snapshots.save(repository, fingerprint, compressSnapshot(snapshot), { run, measurements });
    await stores.graph.replaceRepository({ repository: name, generation: fingerprint, nodes, edges });
    await stores.source.replaceRepository({
      repository: name,
      generation: fingerprint,
      ...sourceProjection(snapshot),
    });
    const standing = { usage: usage.get(name) ?? 0, health: loaders.healthOf?.(measurements) ?? null };
    const generation = standing.usage === 0 ? fingerprint : `${fingerprint} used by ${standing.usage}`;
    const documents = searchDocuments(repository, nodes, edges, declared ?? [], standing);
    await stores.search.replaceRepository({ repository: name, generation, documents });
  }
  if (last !== undefined) await writeSnapshot(loaders, last);
  await addCopies(stores, all, count - all.length);
}

async function addCopies(stores: Stores, originals: readonly Snapshot[], count: number): Promise<void> {
  const { graph } = stores;
  const copies = Array.from({ length: Math.max(0, count) }, (_, index) => {
    const original = originals[index % originals.length];
    if (original === undefined) throw new Error('There are no packages.');
    return copyOf(original, 1 + Math.floor(index / originals.length));
  });
  const links = Map.groupBy(
    linkRepositories([...originals, ...copies].map(({ repository }) => repository)),
    ({ from }) => from,
  );
  for (const { repository, nodes, edges } of copies)
    await graph.replaceRepository({ repository: repository.name, generation: '1', nodes, edges });
  await shareWithAll(
    stores,
    copies.map(({ repository }) => repository.name),
  );
  for (const { repository } of copies)
    await graph.replaceLinks({ repository: repository.name, generation: '1', edges: links.get(repository.name) ?? [] });
}

/** One after the other: they share the parsers. */
async function analyzeAll(): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = [];
  for (const [index, name] of packages.entries()) {
    using repository = repositoryOf(name, index);
    snapshots.push(
      (await analyze(repository.path, { name: name.replace(/^@(.*)\//, '$1-'), keepSource: true })).snapshot,
    );
  }
  return snapshots;
}

/** The files come a few at a time, and the longest are changed again and again. */
function repositoryOf(name: string, seed: number) {
  const root = join(import.meta.dirname, '../../node_modules', name);
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !`${entry.parentPath}/`.slice(root.length).includes('/node_modules/'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => /\.(?:[cm]?js|json|md)$/.test(path))
    .sort();
  const contentOf = (paths: readonly string[], more = '') =>
    Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8') + more]));
  const code = files.filter((path) => path.endsWith('js'));
  const repository = gitRepository({ name: 'repository' });
  for (let commit = 0; commit < commits; commit++) {
    const added = files.filter((_, index) => index % commits === commit);
    const changed = code.filter((_, index) => index % commits < commit && (index + commit + seed) % 3 === 0);
    const author = people[(seed + commit * commit) % people.length];
    repository.commit(commit === 0 ? 'Begin' : `Step ${commit}`, {
      files: { ...contentOf(changed, `// Changed in step ${commit}.\n`), ...contentOf(added) },
      date: new Date(Date.UTC(2024, 10 + 11 * commit, 1 + seed)).toISOString(),
      ...(author === undefined ? {} : { author }),
    });
  }
  return repository;
}

const symbolsOfCopy = 5;

/** The same under another name: with the packages of its round, and of the first. */
function copyOf({ repository, nodes, edges }: Snapshot, round: number): Snapshot {
  const name = `${repository.name}-${round}`;
  const idOf = (id: string) =>
    id === repository.name || id.startsWith(`${repository.name}/`) ? name + id.slice(repository.name.length) : id;
  let symbols = 0;
  const kept = [...nodes].filter(
    ({ type }) => type === 'Repository' || type === 'Contributor' || symbols++ < symbolsOfCopy,
  );
  const ids = new Set(kept.map(({ id }) => id));
  return {
    repository: {
      ...repository,
      name,
      fingerprint: `${repository.fingerprint}-${round}`,
      publishes: repository.publishes.map((published) => ({ ...published, name: `${published.name}-${round}` })),
      requires: repository.requires.flatMap((required) => [
        { ...required, name: `${required.name}-${round}` },
        ...(round % 4 === 0 ? [required] : []),
      ]),
    },
    nodes: kept.map((node) => ({
      ...node,
      id: idOf(node.id),
      name: node.type === 'Repository' ? name : node.name,
      repository: node.repository === null ? null : name,
    })),
    edges: [...edges]
      .filter(({ from, to }) => ids.has(from) && ids.has(to))
      .map((edge) => ({ ...edge, from: idOf(edge.from), to: idOf(edge.to) })),
  };
}
