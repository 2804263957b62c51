import { expect } from 'chai';
import type { GraphEdge } from '../../src/model/graph.ts';
import type { PropertyGraph, Value } from '../../src/model/property-graph.ts';
import { parseQuery } from '../../src/graph/query/parse.ts';
import { runQuery } from '../../src/graph/query/run.ts';
import type { GraphStore } from '../../src/stores/graph/port.ts';
import { edgeProperties, nodeProperties } from '../../src/stores/graph/property-values.ts';
import { randomOf } from '../../bench/stores/generate.ts';
import { MemoryGraph, shown, unlimited } from '../support/memory-graph.ts';
import { putLinks } from '../support/put-links.ts';
import { edge, repository } from './graph-store.ts';

/** Asks in every way that one may come from a node to others, also to those that are not seen. */
const questions: readonly string[] = [
  'MATCH (n) RETURN n',
  'MATCH (n) RETURN labels(n), count(*), collect(DISTINCT n.repository)',
  'MATCH (a)-[r]->(b) RETURN a.id, type(r), b.id, r',
  'MATCH (a)-[r]-(b) RETURN a, r, b',
  'MATCH (a)<-[r:CALLS|DEPENDS_ON]-(b) RETURN a.id, b.id, properties(r)',
  'MATCH p = (r:Repository)-[*0..3]-(b) RETURN r.id, b.id, length(p), [n IN nodes(p) | n.id]',
  "MATCH (n {id: 'koa/lib.js#b'})-[:CALLS*1..4]-(m) RETURN m.id, m.name, keys(m)",
  "MATCH (n {id: 'vue/lib.js#b'}) RETURN n",
  'MATCH (n) WHERE n.id IN $ids RETURN n.id, properties(n)',
  "MATCH (n {id: 'express'})--(m) RETURN m",
  "MATCH (n:Function {name: 'b'}) RETURN n.id",
  "MATCH (n {repository: 'express', name: 'a'}) RETURN n.id",
  'MATCH (n {repository: 3}) RETURN n',
  'MATCH (n {id: 3}) RETURN n',
  'MATCH (n:Nothing) RETURN n',
  'MATCH (a)-[:NOTHING]->(b) RETURN a',
  'MATCH (c:Contributor)-[r:CONTRIBUTED_TO]->(x) RETURN c.id, count(x), collect(x.name), c.properties',
  "MATCH (c {id: 'contributor:ann'})-->(x) RETURN x.id",
  'MATCH (r:Repository) OPTIONAL MATCH (r)-[:DEPENDS_ON]->(s) RETURN r.id, s.id',
  'MATCH (n) WHERE (n)-[:DEPENDS_ON]->() RETURN n.id',
  'MATCH (n) WHERE NOT exists { (n)--(m) WHERE m.repository <> n.repository } RETURN n.id',
  'MATCH (n:Repository) RETURN n.id, [(n)-[r]-(m) | m.id + type(r)] AS near',
  'MATCH (a)-[r]->(b) RETURN startNode(r).id, endNode(r).id, startNode(r) = a',
  'MATCH (a:Repository), (b:Repository) RETURN a.id, b.id',
  'MATCH (a)-[:CALLS]->(b)-[:CALLS]->(c), (r)-[:CONTAINS]->(b) WHERE a <> c RETURN r.id, a.id, c.id',
  'MATCH (n:Function) WITH n.repository AS repository, count(*) AS count, avg(n.line) AS line ORDER BY repository WHERE count > 1 RETURN *',
  'MATCH (n) RETURN n.properties.nested.list[3], n.exported, n.doc, n.version, n.properties.commits + 1, n.type ORDER BY n.id LIMIT 1',
  'MATCH (n) WITH n ORDER BY n.id SKIP 2 LIMIT 5 MATCH (n)--(m) RETURN DISTINCT m.id UNION MATCH (n:Repository) RETURN n.id AS `m.id`',
  'UNWIND $ids AS id MATCH (n {id: id})<-[r*0..2]-(m) WHERE all(x IN r WHERE x.confidence > 0.5) RETURN id, m.id, size(r)',
];

/** What a graph store promises of queries: what any property graph with the same nodes and edges answers, of what is seen alone. */
export function graphQueryContract(name: string, open: () => Promise<GraphStore>): void {
  describe(`graph store contract, queries: ${name}`, () => {
    let store: GraphStore;
    before(async () => {
      store = await open();
      const symbols = ['a', 'b', 'c'];
      await store.replaceRepository(repository('koa', { symbols, contributors: ['ann', 'bob'] }));
      await store.replaceRepository(repository('express', { symbols, contributors: ['ann'] }));
      await store.replaceRepository(repository('vue', { symbols, contributors: ['ann', 'cyd'] }));
      await putLinks(store, [
        edge('DEPENDS_ON', 'koa', 'express'),
        edge('DEPENDS_ON', 'vue', 'koa', { weight: 3 }),
        edge('IMPORTS', 'express', 'vue'),
        edge('CALLS', 'koa/lib.js#a', 'vue/lib.js#b'),
        edge('CALLS', 'vue/lib.js#c', 'express/lib.js#a', { confidence: 0.5 }),
        edge('CALLS', 'express/lib.js#c', 'koa/lib.js#c'),
      ]);
    });
    after(() => store.close());

    for (const within of [null, ['express', 'koa', 'vue'], ['koa', 'vue'], ['express'], ['nothing'], []]) {
      it(`within ${within?.join(', ') ?? 'everything'}`, async () => {
        const expected = await copyOf(store, within ?? ['express', 'koa', 'vue']);
        const reader = within === null ? store.everything : store.within(within);
        for (const question of questions)
          expect(await reader.query((graph) => answer(graph, question)), question).to.deep.equal(
            await answer(expected, question),
          );
      });
    }

    it('answers random questions over random graphs as a copy in memory does, whoever asks', async function () {
      this.timeout(120_000);
      const random = randomOf('graphs and questions');
      for (let round = 0; round < 6; round += 1) {
        await replaceByRandom(store, random);
        const asked = Array.from({ length: 12 }, () => randomQuestion(random));
        for (const within of [null, ['koa', 'vue'], ['express']]) {
          const expected = await copyOf(store, within ?? ['express', 'koa', 'vue']);
          const reader = within === null ? store.everything : store.within(within);
          for (const question of asked)
            expect(await reader.query((graph) => answer(graph, question)), `${round} ${question}`).to.deep.equal(
              await answer(expected, question),
            );
        }
      }
    });

    it('throws what is thrown while it works', async () => {
      const failure = new Error('mine');
      const failed = await store.everything.query(() => Promise.reject(failure)).catch((error: unknown) => error);
      expect(failed).to.equal(failure);
    });
  });
}

const names = ['koa', 'express', 'vue'];
const symbols = ['a', 'b', 'c', 'd', 'e'];
const pick = <T>(random: () => number, items: readonly [T, ...T[]] | readonly T[]): T =>
  items[Math.floor(random() * items.length)]!;

/** Calls and the like between any symbols, of other repositories too, to themselves too. */
async function replaceByRandom(store: GraphStore, random: () => number): Promise<void> {
  const links = new Map<string, GraphEdge>();
  for (const name of names) {
    const { nodes, ...rest } = repository(name, { symbols, contributors: ['ann', name], generation: String(random()) });
    const own = new Map(rest.edges.filter(({ type }) => type !== 'CALLS').map((each) => [keyOf(each), each]));
    for (let i = 0; i < 12; i += 1) {
      const type = pick(random, ['CALLS', 'CALLS', 'INHERITS'] as const);
      const other = random() < 0.75 ? name : pick(random, names);
      const made = edge(type, `${name}/lib.js#${pick(random, symbols)}`, `${other}/lib.js#${pick(random, symbols)}`, {
        confidence: pick(random, [0.5, 0.75, 1]),
        line: i + 1,
      });
      (other === name ? own : links).set(keyOf(made), made);
    }
    await store.replaceRepository({ ...rest, nodes, edges: [...own.values()] });
    const needed = edge('DEPENDS_ON', name, pick(random, names));
    if (needed.from !== needed.to) links.set(keyOf(needed), needed);
  }
  await putLinks(store, [...links.values()]);
}

const keyOf = ({ type, from, to }: GraphEdge) => `${type} ${from} ${to}`;

/** A pattern from a node that can be looked up, or from any, and something that is asked of what it finds. */
function randomQuestion(random: () => number): string {
  const symbol = () => `${pick(random, names)}/lib.js#${pick(random, symbols)}`;
  const start = pick(random, [
    () => `{id: '${symbol()}'}`,
    () => `{id: '${symbol()}'}`,
    () => `:Function {repository: '${pick(random, names)}', name: '${pick(random, symbols)}'}`,
    () => `{id: '${pick(random, names)}'}`,
    () => ':Function',
  ])();
  const types = () => pick(random, ['', ':CALLS', ':CALLS', ':CALLS|INHERITS', ':CONTAINS|CALLS', ':CALLS|NOTHING']);
  const length = () => pick(random, ['', '', '*1..3', '*0..2', '*2..3', '*2']);
  const isNamed = random() < 0.4;
  const end = () => pick(random, ['', '', ':Function', ` {name: '${pick(random, symbols)}'}`]);
  const hop = (edgeName: string, node: string) => {
    const inside = `[${isNamed ? edgeName : ''}${types()}${length()}]`;
    return pick(random, [`<-${inside}-`, `-${inside}->`, `-${inside}-`]) + `(${node}${end()})`;
  };
  const isReversed = random() < 0.2;
  const further = hop('r', 'b') + (random() < 0.35 ? hop('s', pick(random, ['c', 'c', 'a'])) : '');
  const chain = isReversed ? `(b)<-[${isNamed ? 'r' : ''}:CALLS*1..2]-(a${start})` : `(a${start})${further}`;
  const isPath = random() < 0.15;
  const where = pick(random, ['', '', ' WHERE b <> a', " WHERE b.name < 'd'", ' WHERE NOT (b)-[:INHERITS]->()']);
  const match = `${pick(random, ['MATCH', 'MATCH', 'MATCH', 'OPTIONAL MATCH'])} ${isPath ? 'p = ' : ''}${chain}${where}`;
  const asked = pick(random, [
    'count(DISTINCT b)',
    'count(*)',
    'DISTINCT b.id',
    'a.id, b.id',
    'b',
    'labels(b), count(b)',
    ...(isNamed ? ['r', 'a.id, r, b.id', 'DISTINCT r'] : []),
    ...(isPath ? ['p', 'length(p), count(*)'] : []),
  ]);
  return `${match} RETURN ${asked}`;
}

/** Rows in no order; lists of collected values neither. */
async function answer(graph: PropertyGraph, question: string): Promise<string[]> {
  const ids = ['koa', 'vue/lib.js#a', 'contributor:ann', 'nowhere', null, 7n, 'koa'];
  const { rows } = await runQuery(parseQuery(question), graph, {
    parameters: new Map([['ids', ids]]),
    limits: unlimited,
  });
  return (rows ?? []).map((row) => row.map((value) => shown(value, true)).join(' | ')).sort();
}

/** What a store holds of these repositories, in memory. */
async function copyOf(store: GraphStore, repositories: readonly string[]): Promise<MemoryGraph> {
  const graph = new MemoryGraph();
  const keys = new Map<string, number>();
  for (const name of repositories) {
    for await (const node of store.nodes({ repository: name })) {
      if (keys.has(node.id)) continue;
      const properties: Map<string, Value> = nodeProperties(node);
      keys.set(node.id, graph.held.push({ labels: [node.type], properties }) - 1);
    }
  }
  for (const name of repositories) {
    for await (const each of store.edges({ repository: name })) {
      const [from, to] = [keys.get(each.from), keys.get(each.to)];
      if (from !== undefined && to !== undefined)
        graph.edges.push({ type: each.type, from, to, properties: edgeProperties(each) });
    }
  }
  return graph;
}
