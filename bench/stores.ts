// The stores on a generated code graph: load rate, disk, memory, and each question beside the same one sent raw through the
// engine's own client, in turn, in one run. Prints a table in markdown for each engine, and which limits hold.
// Arguments: --nodes 1000000 --edges 3000000 --engines sqlite,neo4j,elasticsearch,postgres,redis [--wipe]. Servers are found by
// NEO4J_TEST_URL, ELASTICSEARCH_TEST_URL, DATABASE_TEST_URL and REDIS_TEST_URL; Neo4j must be empty, or --wipe given.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { edgeTypeSchema, nodeTypeSchema } from '../src/model/graph.ts';
import type { GraphReader, GraphStore } from '../src/stores/graph/port.ts';
import type { SearchQuery, SearchStore } from '../src/stores/search/port.ts';
import { compare, type Comparison } from './stores/compare.ts';
import { elasticsearchSearch } from './stores/elasticsearch.ts';
import type { GraphEngine, Measured, SearchEngine } from './stores/engine.ts';
import { generateCorpus, organizationsOf, randomOf } from './stores/generate.ts';
import { neo4jGraph } from './stores/neo4j.ts';
import { measurePostgres } from './stores/postgres.ts';
import { measureRedis } from './stores/redis.ts';
import { memoryOf, processorSecondsOf } from './stores/server-process.ts';
import { sqliteGraph, sqliteSearch } from './stores/sqlite.ts';

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000000' },
    edges: { type: 'string' },
    engines: { type: 'string', default: 'sqlite,neo4j,elasticsearch,postgres,redis' },
    wipe: { type: 'boolean', default: false },
  },
});
const nodes = Number(options.nodes);
const corpus = generateCorpus({ nodes, edges: Number(options.edges ?? nodes * 3) });
interface Engine {
  graph?: () => Promise<GraphEngine>;
  search?: () => Promise<SearchEngine>;
  requests?: () => Promise<Measured>;
}
const engines: Record<string, Engine> = {
  sqlite: { graph: sqliteGraph, search: sqliteSearch },
  neo4j: { graph: () => neo4jGraph({ url: server('NEO4J_TEST_URL'), wipe: options.wipe }) },
  elasticsearch: { search: () => elasticsearchSearch({ url: server('ELASTICSEARCH_TEST_URL') }) },
  postgres: { requests: () => measurePostgres({ url: server('DATABASE_TEST_URL') }) },
  redis: { requests: () => measureRedis({ url: server('REDIS_TEST_URL') }) },
};
/** What a load must reach, by engine and what is loaded, each second. */
const LEAST: Record<string, Record<string, number>> = {
  neo4j: { nodes: 20_000, edges: 20_000 },
  elasticsearch: { documents: 5_000 },
};
const maxRatio = 1.15;
/** Of a question among what an organization sees to the same among all, at p50. */
const maxRatioWithin = 1.1;
const ROUNDS_WITHIN = 5;
const organizations = organizationsOf(corpus);
const everyName = corpus.repositories.map(({ name }) => name);
const FIRST_PAGE: SearchQuery = { text: '', sort: 'composite_score', order: 'desc', offset: 0, limit: 20 };
const verdicts: string[] = [];

console.log(`${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}\n`);
generateAlone();
for (const name of options.engines.split(',')) {
  const engine = engines[name];
  if (engine === undefined)
    throw new Error(`There is no engine ${name}: choose of ${Object.keys(engines).join(', ')}.`);
  if (engine.graph) await measureGraph(name, await engine.graph());
  if (engine.search) await measureSearch(name, await engine.search());
  if (engine.requests) {
    const { figures, comparisons } = await engine.requests();
    table(`${name}, what a request costs`, figures, comparisons);
  }
}
console.log(`## Limits\n\n${verdicts.join('\n')}`);
process.exitCode = verdicts.some((verdict) => verdict.includes('FAILS')) ? 1 : 0;

/** What making the graph costs is part of every load below. */
function generateAlone(): void {
  const began = performance.now();
  const made = { nodes: 0, edges: 0 };
  for (const repository of corpus.repositories.keys()) {
    for (const _ of corpus.nodes(repository, 'one')) made.nodes++;
    for (const _ of corpus.edges(repository, 'one')) made.edges++;
  }
  const links = corpus.links().length;
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${made.nodes} nodes, ${made.edges} edges and ${links} links in ${corpus.repositories.length} repositories; generating them alone: ${seconds.toFixed(1)} s\n`,
  );
}

async function measureGraph(name: string, engine: GraphEngine): Promise<void> {
  const { store } = engine;
  const clocks = { nodes: newClock(), edges: newClock() };
  const replace = async (repository: number, generation: string) => {
    const nodesOf = counted(corpus.nodes(repository, generation), clocks.nodes);
    const edgesOf = counted(corpus.edges(repository, generation), clocks.edges);
    const began = performance.now();
    // The nodes' time ends where the edges' begins.
    let turned = began;
    const edgesThen = (function* () {
      turned = performance.now();
      yield* edgesOf;
    })();
    await store.replaceRepository({ repository: nameOf(repository), generation, nodes: nodesOf, edges: edgesThen });
    clocks.nodes.ms += turned - began;
    clocks.edges.ms += performance.now() - turned;
  };
  const began = performance.now();
  const work = processorTime(engine);
  await inLanes(engine.lanes, (repository) => replace(repository, 'one'));
  const seconds = (performance.now() - began) / 1000;
  const worked = work();
  const links = corpus.links();
  const linksBegan = performance.now();
  for (const [repository, edges] of Map.groupBy(links, ({ from }) => from))
    await store.replaceLinks({ repository, generation: 'one', edges });
  const linksMs = performance.now() - linksBegan;
  const loaded = rates(clocks, engine.lanes);
  check(name, loaded);
  const figures = [
    ...loaded.map(({ what, rate }) => [`load, ${what}/s`, rate.toFixed(0)]),
    ['load in all', `${seconds.toFixed(1)} s`],
    ['processor time of the load', worked],
    [`${links.length} links`, `${linksMs.toFixed(0)} ms`],
    ...(await sizes(engine)),
  ];

  const random = randomOf('questions');
  const asked = everyName.filter((_, i) => i < 10 || random() < 0.2);
  const { raw } = engine;
  const comparisons = [
    await compare('neighbors', asked, {
      port: (each) => store.everything.neighbors(each),
      raw: (each) => raw.neighbors(each),
    }),
    await compare('repository-level graph', [1, 2, 3, 4, 5], {
      port: () => store.everything.repositoryGraph(),
      raw: () => raw.repositoryGraph(),
    }),
  ];
  const within = { one: await filters(store, asked, visibleTo), all: await filters(store, asked, () => everyName) };
  for (const repository of [0, Math.floor(corpus.repositories.length / 2)]) {
    const replaceBegan = performance.now();
    await replace(repository, 'two');
    figures.push(replaced(repository, replaceBegan));
  }
  await engine.close();
  report(`${name}, graph`, figures, comparisons);
  report(
    `${name}, graph, as an organization sees it (port) and without a filter (raw)`,
    [],
    within.one,
    maxRatioWithin,
  );
  table(`${name}, the same of an organization that has all ${everyName.length} repositories`, [], within.all);
}

/** What the filter costs: questions about repositories, each asked by one who sees so many, and without a filter. */
async function filters(
  { everything, within }: GraphStore,
  asked: readonly string[],
  seenBy: (repository: string) => readonly string[],
): Promise<Comparison[]> {
  const every = { edgeTypes: edgeTypeSchema.options, nodeTypes: nodeTypeSchema.options, minConfidence: 0 };
  const page = { ...every, offset: 0, limit: 50 };
  const questions: Record<string, (reader: GraphReader, repository: string) => Promise<unknown>> = {
    neighbors: (reader, repository) => reader.neighbors(repository),
    node: (reader, repository) => reader.node(repository),
    inside: (reader, repository) => reader.inside({ ...page, repository }),
    adjacent: (reader, id) => reader.adjacent({ ...page, id }),
    impact: (reader, id) => reader.impact({ ...page, id, depth: 2, edgeTypes: ['DEPENDS_ON', 'IMPORTS'] }),
    'repository-level graph': (reader) => reader.repositoryGraph(),
  };
  // A request makes one, in a few microseconds, for all that it asks.
  const readers = asked.slice(0, 100).map((repository) => ({ repository, reader: within(seenBy(repository)) }));
  return Array.fromAsync(Object.entries(questions), ([question, ask]) =>
    compare(
      question,
      question.startsWith('repository') ? readers.slice(0, 5) : readers,
      {
        port: ({ repository, reader }) => ask(reader, repository),
        raw: ({ repository }) => ask(everything, repository),
      },
      ROUNDS_WITHIN,
    ),
  );
}

async function measureSearch(name: string, engine: SearchEngine): Promise<void> {
  const { store } = engine;
  const clocks = { documents: newClock() };
  const replace = async (repository: number, generation: string) => {
    const began = performance.now();
    const documents = counted(corpus.documents(repository, generation), clocks.documents);
    await store.replaceRepository({ repository: nameOf(repository), generation, documents });
    clocks.documents.ms += performance.now() - began;
  };
  const work = processorTime(engine);
  await inLanes(engine.lanes, (repository) => replace(repository, 'one'));
  const worked = work();
  const loaded = rates(clocks, engine.lanes);
  check(name, loaded);
  const figures = [
    ...loaded.map(({ what, rate }) => [`load, ${what}/s`, rate.toFixed(0)]),
    ['load in all', `${(clocks.documents.ms / engine.lanes / 1000).toFixed(1)} s`],
    ['processor time of the load', worked],
    ...(await sizes(engine)),
  ];

  const comparisons: Comparison[] = [];
  for (const [question, asked] of Object.entries(searches())) {
    comparisons.push(
      await compare(
        question,
        asked.map(({ query }) => query),
        { port: (query) => store.everything.search(query), raw: (query) => engine.raw.search(query) },
        2,
      ),
    );
  }
  const within = {
    one: await searchesWithin(store, visibleTo),
    // Nearly all, so that both find about the same, in about the same ways.
    most: await searchesWithin(store, (asked) => everyName.filter((name, i) => name === asked || i % 50 !== 0)),
  };
  for (const repository of [0, Math.floor(corpus.repositories.length / 2)]) {
    const began = performance.now();
    await replace(repository, 'two');
    figures.push(replaced(repository, began));
  }
  await engine.close();
  report(`${name}, search`, figures, comparisons);
  report(
    `${name}, search, as an organization sees it (port) and without a filter (raw)`,
    [],
    within.one,
    maxRatioWithin,
  );
  table(`${name}, the same of organizations that see 490 of 500 repositories`, [], within.most);
}

/** What the filter costs: each search by one who sees so many, among them where it leads to, and without a filter. */
function searchesWithin(store: SearchStore, seenBy: (repository: string) => readonly string[]): Promise<Comparison[]> {
  return Array.fromAsync(Object.entries(searches()), ([question, asked]) =>
    compare(
      question,
      asked,
      {
        port: ({ query, repository }) => store.within(seenBy(repository)).search(query),
        raw: ({ query }) => store.everything.search(query),
      },
      ROUNDS_WITHIN,
    ),
  );
}

/** A search for a name that is there, and where. */
interface Search {
  query: SearchQuery;
  repository: string;
}

/** What people ask, of names that are there: the same questions to every engine. */
function searches(): Record<string, Search[]> {
  const random = randomOf('searches');
  const found: { name: string; repository: string }[] = [];
  for (let repository = 3; found.length < 25; repository += 17) {
    const skip = Math.floor(random() * 50);
    let i = 0;
    const place = repository % corpus.repositories.length;
    for (const { type, name } of corpus.nodes(place, 'one')) {
      if (type !== 'Repository' && name.length > 7 && i++ >= skip) {
        found.push({ name, repository: nameOf(place) });
        break;
      }
    }
  }
  const ask = (text: (name: string) => string, more: (repository: string) => Partial<SearchQuery> = () => ({})) =>
    found.map(({ name, repository }): Search => ({
      query: { ...FIRST_PAGE, text: text(name), ...more(repository) },
      repository,
    }));
  return {
    'search, exact': ask((name) => name),
    'search, prefix': ask((name) => name.slice(0, -2)),
    'search, typo': ask((name) => name.slice(0, 3) + name.slice(4)),
    'search, filtered': ask(
      (name) => name,
      (repository) => ({
        types: ['Function'],
        repositories: [repository, nameOf(7)],
        minScore: 20,
      }),
    ),
    'search, page 50': ask(
      (name) => name.slice(0, 3),
      () => ({ offset: 49 * FIRST_PAGE.limit }),
    ),
  };
}

interface Clock {
  count: number;
  ms: number;
}

function newClock(): Clock {
  return { count: 0, ms: 0 };
}

function* counted<T>(items: Iterable<T>, clock: Clock): Generator<T> {
  for (const item of items) {
    clock.count++;
    yield item;
  }
}

async function inLanes(lanes: number, work: (repository: number) => Promise<void>): Promise<void> {
  const left = corpus.repositories.keys();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const repository of left) await work(repository);
    }),
  );
}

function rates(clocks: Record<string, Clock>, lanes: number): { what: string; rate: number }[] {
  return Object.entries(clocks).map(([what, { count, ms }]) => ({ what, rate: (count * lanes * 1000) / ms }));
}

function check(name: string, loaded: readonly { what: string; rate: number }[]): void {
  for (const { what, rate } of loaded) {
    const least = LEAST[name]?.[what];
    if (least === undefined) continue;
    verdicts.push(`- ${name}: ${rate.toFixed(0)} ${what}/s, at least ${least}: ${rate >= least ? 'holds' : 'FAILS'}`);
  }
}

async function sizes(engine: Pick<GraphEngine, 'disk' | 'serverPid'>): Promise<string[][]> {
  const megabytes = (size: number | null | undefined) => (size == null ? '–' : `${size.toFixed(0)} MB`);
  const [own, server] = [memoryOf('self'), engine.serverPid === null ? null : memoryOf(engine.serverPid)];
  return [
    ['disk', megabytes(await engine.disk())],
    ['memory of this process, now and highest', `${megabytes(own?.now)}, ${megabytes(own?.peak)}`],
    ...(engine.serverPid === null
      ? []
      : [['memory of the server, now and highest', `${megabytes(server?.now)}, ${megabytes(server?.peak)}`]]),
  ];
}

/** Starts to count; the answer tells what was used since. */
function processorTime({ serverPid }: Pick<GraphEngine, 'serverPid'>): () => string {
  const now = () => [processorSecondsOf('self'), serverPid === null ? 0 : processorSecondsOf(serverPid)] as const;
  const before = now();
  return () => {
    const [own, server] = now();
    const ours = `${(own - before[0]).toFixed(1)} s here`;
    return serverPid === null ? ours : `${ours}, ${(server - before[1]).toFixed(1)} s in the server`;
  };
}

function replaced(repository: number, began: number): string[] {
  const { symbols } = corpus.repositories[repository] ?? { symbols: 0 };
  return [`replace one repository of ${symbols} symbols`, `${((performance.now() - began) / 1000).toFixed(2)} s`];
}

function report(
  title: string,
  figures: readonly (readonly string[])[],
  comparisons: readonly Comparison[],
  most = maxRatio,
): void {
  table(title, figures, comparisons);
  for (const { question, ratio } of comparisons) {
    const holds = ratio <= most ? 'holds' : 'FAILS';
    verdicts.push(`- ${title}, ${question}: port to raw ${ratio.toFixed(2)}, at most ${most}: ${holds}`);
  }
}

function table(title: string, figures: readonly (readonly string[])[], comparisons: readonly Comparison[]): void {
  console.log(`## ${title}\n\n| what | figure |\n|---|---|`);
  for (const [what, figure] of figures) console.log(`| ${what} | ${figure} |`);
  console.log('\n| question | samples | port p50 | p99 | raw p50 | p99 (ms) | ratio |\n|---|---|---|---|---|---|---|');
  for (const { question, samples, port, raw, ratio } of comparisons) {
    const times = [port.p50, port.p99, raw.p50, raw.p99].map((each) => each.toFixed(2));
    console.log(`| ${[question, samples, ...times, ratio.toFixed(2)].join(' | ')} |`);
  }
  console.log('');
}

/** What the organization that has this repository sees. */
function visibleTo(repository: string): readonly string[] {
  return organizations.find(({ own }) => own.has(repository))?.seen ?? [];
}

function nameOf(repository: number): string {
  return corpus.repositories[repository]?.name ?? '';
}

function server(variable: string): string {
  const url = process.env[variable];
  if (!url) throw new Error(`Set ${variable}.`);
  return url;
}
