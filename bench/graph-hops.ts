// Three hops over a generated code graph: who reaches a symbol by calls, asked as a query in openCypher. Embedded beside `impact`, which
// is written by hand for it; on Neo4j beside the same query sent raw. In one run, from symbols that are drawn by a seed, twice: who asks
// first of a repository pays for what is read of it, so they take turns at being first, and of the first round only who was first
// counts. Prints medians of both rounds, and which limits hold. Arguments: --nodes 1000000 --engines sqlite,neo4j [--wipe].
import { parseArgs } from 'node:util';
import neo4j from 'neo4j-driver';
import { limits } from '../src/graph/query-route.ts';
import { parseQuery } from '../src/graph/query/parse.ts';
import { answerQuery } from '../src/graph/query/run.ts';
import { nodeTypeSchema } from '../src/model/graph.ts';
import type { GraphStore } from '../src/stores/graph/port.ts';
import type { GraphEngine } from './stores/engine.ts';
import { generateCorpus, randomOf } from './stores/generate.ts';
import { neo4jGraph } from './stores/neo4j.ts';
import { sqliteGraph } from './stores/sqlite.ts';

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000000' },
    engines: { type: 'string', default: 'sqlite,neo4j' },
    wipe: { type: 'boolean', default: false },
  },
});
const nodes = Number(options.nodes);
const corpus = generateCorpus({ nodes, edges: nodes * 3 });
/** Of a query to what it is beside, at the median. */
const maxRatios: Record<string, number> = { sqlite: 3, neo4j: 1.5 };
const starts = 200;
const query = parseQuery('MATCH (a {id: $id})<-[:CALLS*1..3]-(b) WHERE b <> a RETURN count(DISTINCT b) AS found');
/** As Neo4j has it: a node is found by the index of ids and versions. */
const raw =
  'MATCH (a:Node {id: $id, version: $version})<-[:CALLS*1..3]-(b) WHERE b <> a RETURN count(DISTINCT b) AS found';

for (const name of options.engines.split(',')) {
  const engine =
    name === 'sqlite'
      ? await sqliteGraph()
      : await neo4jGraph({ url: process.env['NEO4J_TEST_URL'] ?? '', wipe: options.wipe });
  try {
    await load(engine);
    await measure(name, engine.store);
  } finally {
    await engine.close();
  }
}

async function load({ store }: GraphEngine): Promise<void> {
  for (const [index, { name: repository }] of corpus.repositories.entries())
    await store.replaceRepository({
      repository,
      generation: 'one',
      nodes: corpus.nodes(index, 'one'),
      edges: corpus.edges(index, 'one'),
    });
}

async function measure(name: string, { everything }: GraphStore): Promise<void> {
  const byQuery = async (id: string) => {
    const answer = await answerQuery(query, everything, { parameters: new Map([['id', id]]), limits });
    return Number(answer.rows?.[0]?.[0]);
  };
  const byHand = async (id: string) => {
    const found = await everything.impact({
      id,
      depth: 3,
      nodeTypes: nodeTypeSchema.options,
      edgeTypes: ['CALLS'],
      minConfidence: 0,
      offset: 0,
      limit: 1,
    });
    return found?.total ?? 0;
  };
  const driver = name === 'neo4j' ? neo4j.driver(process.env['NEO4J_TEST_URL'] ?? '') : null;
  const sent = async (id: string) => {
    const { records } = await driver!.executeQuery(raw, { id, version: versions.get(id) });
    return Number(records[0]?.get('found'));
  };
  const beside = driver === null ? byHand : sent;
  const versions = new Map<string, string>();
  const ids = [...drawn()];
  for (const record of (await driver?.executeQuery('MATCH (a:Node) WHERE a.id IN $ids RETURN a.id, a.version', { ids }))
    ?.records ?? [])
    versions.set(String(record.get(0)), record.get(1));
  for (const round of ['first', 'again']) {
    const times: { query: number[]; beside: number[] } = { query: [], beside: [] };
    let reached = 0;
    for (const [index, id] of ids.entries()) {
      const isFirst = index % 2 === 0;
      const early = isFirst ? null : await timed(() => beside(id));
      const [found, ms] = await timed(() => byQuery(id));
      const [also, otherMs] = early ?? (await timed(() => beside(id)));
      if (found !== also) throw new Error(`${id} is reached by ${found} in the query, by ${also} beside it.`);
      if (isFirst || round === 'again') times.query.push(ms);
      if (!isFirst || round === 'again') times.beside.push(otherMs);
      reached += found;
    }
    say(`${name}, ${round}: ${starts} symbols of ${nodes} nodes, ${(reached / starts).toFixed(1)} reached on average`, {
      ours: median(times.query),
      other: median(times.beside),
      limit: maxRatios[name] ?? 1,
    });
  }
  await driver?.close();
}

function say(what: string, { ours, other, limit }: { ours: number; other: number; limit: number }): void {
  const ratio = ours / other;
  console.log(
    `${what}; query ${ours.toFixed(2)} ms, beside it ${other.toFixed(2)} ms: ${ratio.toFixed(2)} (limit ${limit}${ratio > limit ? ', FAILS' : ''})`,
  );
  if (ratio > limit) process.exitCode = 1;
}

/** What calls lead to, by a seed: those that are called more come more often. */
function* drawn(): Generator<string> {
  const random = randomOf('three hops');
  for (let i = 0; i < starts; i++) {
    const repository = Math.floor(random() * corpus.repositories.length);
    const calls = [...corpus.edges(repository, 'one')].filter(({ type }) => type === 'CALLS');
    yield calls[Math.floor(random() * calls.length)]?.to ?? '';
  }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now();
  const done = await work();
  return [done, performance.now() - began];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
