import { expect } from 'chai';
import type { GraphEdge } from '../../src/model/graph.ts';
import type { PropertyGraph, Value } from '../../src/model/property-graph.ts';
import { parseQuery } from '../../src/graph/query/parse.ts';
import { directQuery } from '../../src/graph/query/direct.ts';
import { answerQuery, runQuery } from '../../src/graph/query/run.ts';
import type { GraphStore } from '../../src/stores/graph/port.ts';
import { edgeProperties, nodeProperties } from '../../src/stores/graph/property-values.ts';
import { randomOf } from '../../bench/stores/generate.ts';
import { MemoryGraph, shown, unlimited } from '../support/memory-graph.ts';
import { namesOf } from '../../src/tenancy/names.ts';
import { namedGraph } from '../../src/tenancy/named-graph.ts';
import { createKeptAnswers } from '../../src/tenancy/kept-answers.ts';
import { effort } from '../support/effort.ts';
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
export function graphQueryContract(
  name: string,
  open: () => Promise<GraphStore>,
  { answersItself = false } = {},
): void {
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
      for (let round = 0; round < effort({ gate: 3, long: 6 }); round += 1) {
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

    it('answers what it can answer by itself as a copy in memory does, whoever asks', async function () {
      this.timeout(300_000);
      const random = randomOf('direct questions');
      let answered = 0;
      const rounds = effort({ gate: 2, long: 4 });
      for (let round = 0; round < rounds; round += 1) {
        await replaceByRandom(store, random);
        const asked = Array.from({ length: 15 }, () => randomDirectQuestion(random));
        for (const within of [null, ['koa', 'vue'], ['express'], []]) {
          const expected = await copyOf(store, within ?? ['express', 'koa', 'vue']);
          const reader = within === null ? store.everything : store.within(within);
          for (const question of asked) {
            const query = parseQuery(question);
            const direct = directQuery(query, parameters, unlimited);
            expect(direct, question).to.not.equal(null);
            if (direct && (await reader.answer(direct)) !== null) answered += 1;
            const rows = rowsOf(await answerQuery(query, reader, { parameters, limits: unlimited }));
            expect(rows, `${round} within ${within?.join()}: ${question}`).to.deep.equal(
              await answer(expected, question),
            );
          }
        }
      }
      expect(answered).to.equal(answersItself ? rounds * 15 * 4 : 0);
    });

    it('answers of nothing else by itself, by the names that are shown', async () => {
      await replaceByRandom(store, randomOf('names'));
      const b = (name: string) => `${name}/lib.js#b`;
      await putLinks(store, [edge('CALLS', b('koa'), b('express')), edge('CALLS', b('express'), b('vue'))]);
      const all = [
        { key: 'koa', name: 'mine', full_name: 'acme/koa', own: true, shared: false },
        { key: 'vue', name: 'vue', full_name: 'vuejs/vue', own: false, shared: true },
      ];
      const names = namesOf(all);
      const reader = namedGraph(
        store.within(names.keys),
        names,
        createKeptAnswers(() => 1),
      );
      let answered = 0;
      for (const question of [
        ...hostile(b('mine')),
        ...hostile(b('koa')),
        ...hostile(b('express')),
        ...hostile('acme/koa'),
      ]) {
        const query = parseQuery(question);
        const given = { parameters, limits: unlimited };
        const expected = await reader.query((graph) => runQuery(query, graph, given));
        const found = await answerQuery(query, reader, given);
        expect(rowsOf(found), question).to.deep.equal(rowsOf(expected));
        expect(JSON.stringify(rowsOf(found)), question).to.not.include('express');
        if (found.plan[0]?.operator === 'Direct') answered += 1;
      }
      expect(answered > 5).to.equal(answersItself);
    });

    it('orders and pages alike, whoever answers', async () => {
      await replaceByRandom(store, randomOf('order'));
      for (const order of [
        'b.line, b.exported',
        'b.line DESC, b.exported',
        'b.exported DESC, b.line',
        'n DESC, b.line, b.exported',
      ]) {
        const question = `MATCH ({id: 'koa'})-[:CONTAINS]->(b) RETURN b.line, b.exported, count(*) AS n ORDER BY ${order}`;
        for (const page of ['', ' SKIP 1', ' LIMIT 2', ' SKIP 1 LIMIT 2', ' LIMIT 0']) {
          const query = parseQuery(question + page);
          const given = { parameters, limits: unlimited };
          const expected = await store.everything.query((graph) => runQuery(query, graph, given));
          const { rows } = await answerQuery(query, store.everything, given);
          expect(rows, question + page).to.deep.equal(expected.rows);
        }
      }
    });

    it('refuses what is too much, whoever answers', async () => {
      const question = "MATCH ({id: 'koa'})-[:CONTAINS]->(b) RETURN b.id";
      const limits = { ...unlimited, maxRows: 1 };
      const failed = await answerQuery(parseQuery(question), store.everything, { parameters, limits }).catch(
        (error: unknown) => error,
      );
      expect(failed).to.deep.include({ kind: 'Limit', reason: 'rows' });
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

/** From a node of this id to others, in every way that may lead to what is not seen, and with names that may break a statement. */
const hostile = (id: string): string[] => [
  `MATCH (a {id: '${id}'})-[:CALLS*1..4]->(b) RETURN b.id, b.repository`,
  `MATCH (a {id: '${id}'})-[:CALLS*0..4]->(b) WHERE b.repository = 'express' OR b.repository IS NULL RETURN count(*)`,
  `MATCH (a {id: '${id}'})-[:CALLS]->(b)-[:CALLS]->(c) RETURN b.id, c.id`,
  `MATCH (a {id: '${id}'})-[:CALLS]->(b) MATCH (b)-[r:CALLS]->(c) WHERE NOT c.name = 'x' RETURN count(DISTINCT r), count(c.id)`,
  `MATCH (a {id: '${id}'})<-[:CONTAINS]-(r:Repository)-[:DEPENDS_ON*1..3]->(s) RETURN s.id, s.name`,
  `MATCH (a {id: '${id}'})<-[:CALLS*1..3]-(b) WHERE b.id IN ['express/lib.js#b', 'vue/lib.js#b'] RETURN b.name`,
  `MATCH (a)<-[:CALLS*1..3]-(b {repository: 'vue'}) WHERE a.id = '${id}' RETURN count(DISTINCT b), min(b.line)`,
  `MATCH (a)-[:CALLS]->(b {id: 'express/lib.js#b'}) WHERE a.id = '${id}' RETURN b.id`,
  `MATCH (a {id: '${id}'})-[:CALLS]->(b) RETURN b.version, b.type, b.link`,
  `MATCH (\`a) RETURN 1 //\` {id: '${id}'})-[\`e0\`:CALLS]->(n1) RETURN n1.id AS \`c0 \`\`; MATCH (n) RETURN n\``,
  `MATCH (start {id: '${id}'})-[shown:CALLS]->(o) RETURN o.id AS rows, count(shown) AS valid ORDER BY valid`,
  `MATCH (a {id: '${id}'})-[:CALLS]->(b) WHERE b.name = '\\u0027}) RETURN 1 //' OR b.name <> $within RETURN b.id`,
  `MATCH (a {id: '${id}'})-[:CALLS]->(b) WHERE b.name <> '\\u0027}) RETURN 1 //' AND b.repository <> $owner RETURN b.id`,
  `MATCH (a {id: '${id}\\u0000'})-[:CALLS]->(b) RETURN b.id`,
];

/** Parameters, also with the names that an engine's statement may have. */
const parameters: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['ids', ['koa', 'vue/lib.js#a', 'contributor:ann', 'nowhere', null, 7n, 'koa']],
  ['within', null],
  ['owner', 'express'],
  ['p0', 'a'],
  ['p1', ['a', 'b', "c'"]],
  ['start', 'b'],
  ['limit', 0.75],
  ['shown', ['koa', 'express', 'vue']],
]);

/** What begins at an id and asks for properties and counts, in all forms that an engine may answer by itself. */
function randomDirectQuestion(random: () => number): string {
  const symbol = () => `${pick(random, names)}/lib.js#${pick(random, symbols)}`;
  const id = random() < 0.25 ? pick(random, names) : symbol();
  const types = () => pick(random, [':CALLS', ':CALLS', ':CALLS|INHERITS', ':CONTAINS|CALLS|DEPENDS_ON', ':CONTAINS']);
  const hop = (edgeName: string, node: string) => {
    const isMany = random() < 0.4;
    const length = pick(random, ['*1..3', '*0..2', '*2..3', '*2', '*1..4']);
    const inside = isMany ? `[${types()}${length}]` : `[${edgeName}${types()}]`;
    const end = pick(random, ['', '', '', ':Function', ` {name: '${pick(random, symbols)}'}`]);
    const text = pick(random, [`<-${inside}-`, `-${inside}->`]) + `(${node}${end})`;
    return { text, edges: isMany ? [] : [edgeName] };
  };
  const first = hop('r', 'b');
  const second = random() < 0.4 ? hop('s', pick(random, ['c', 'c', 'a', 'b'])) : { text: '', edges: [] };
  const clause = random() < 0.2 ? hop('`MATCH (x)```', 'd') : { text: '', edges: [] };
  const more = clause.text === '' ? '' : pick(random, [` MATCH (b)${clause.text}`, `, (b)${clause.text}`]);
  const edges = [...first.edges, ...second.edges];
  const isById = random() < 0.8;
  const chain = `(a${isById ? ` {id: '${id}'}` : ''})${first.text}${second.text}`;
  const start = random() < 0.8 ? chain : `(a${isById ? ` {id: '${id}'}` : ''}) MATCH (a)${first.text}${second.text}`;
  const isApart = start !== chain;
  const depth = Math.floor(random() * 3);
  const condition = (left = depth): string => {
    if (left > 0 && random() < 0.6)
      return pick(random, [
        () => `(${condition(left - 1)} AND ${condition(left - 1)})`,
        () => `(${condition(left - 1)} OR ${condition(left - 1)})`,
        () => `(${condition(left - 1)} XOR ${condition(left - 1)})`,
        () => `NOT (${condition(left - 1)})`,
      ])();
    const node = pick(random, ['a', 'b']);
    return pick(random, [
      'b <> a',
      'a = b',
      'b:Function',
      'b:Repository',
      `${node}.name = '${pick(random, symbols)}'`,
      `${node}.name <> $p0`,
      `${node}.name IN $p1`,
      `${node}.name IN []`,
      `${node}.kind IN ['function', '\u0066unction', 'x']`,
      `$start = ${node}.name`,
      `${node}.repository = $owner`,
      `${node}.repository <> 'koa'`,
      `${node}.repository IN $shown`,
      `${node}.id <> '${symbol()}'`,
      `${node}.id IN ['${symbol()}', '${symbol()}']`,
      `${node}.line > 1`,
      `${node}.line <= 2.5`,
      `3 > ${node}.line`,
      `${node}.line = 2.0`,
      `${node}.line IN [1, 2.0, 7]`,
      `${node}.exported = true`,
      `${node}.doc IS NULL`,
      `${node}.line IS NOT NULL`,
      `${node}.path STARTS WITH 'lib'`,
      `${node}.qualified_name ENDS WITH 'b'`,
      `${node}.language CONTAINS ''`,
      `${node}.signature CONTAINS 'x'`,
      ...edges.map((name) => `${name}.confidence > $limit`),
      ...edges.map((name) => `${name}.line < 9`),
      ...edges.map((name) => `${name}.weight >= 1`),
      ...edges.map((name) => `${name}.strategy = 'import'`),
    ]);
  };
  const wheres = [...(isById ? [] : [`a.id = '${id}'`]), ...(random() < 0.7 ? [condition()] : [])];
  const where = wheres.length > 0 ? ` WHERE ${wheres.join(' AND ')}` : '';
  // What is known by its id is said in the first MATCH.
  const match =
    isApart && !isById
      ? `MATCH (a) WHERE a.id = '${id}' MATCH (a)${first.text}${second.text}${more}${where}`
      : `MATCH ${start}${more}${where}`;
  const edge = edges[0];
  const asked = pick(random, [
    'count(DISTINCT b) AS found',
    'count(*)',
    'count(b), count(b.doc), count(DISTINCT b.line)',
    'DISTINCT b.id',
    'a.id, b.id',
    'b.id AS a, b.repository, b.name, b.kind, b.exported, b.line',
    'DISTINCT b.repository, b.line ORDER BY b.line DESC',
    'b.repository, count(*) AS n ORDER BY n DESC, count(*) SKIP 0 LIMIT 100',
    'min(b.line), max(b.end_line), count(DISTINCT a)',
    'b.exported, max(b.line) AS `max``` ORDER BY `max```',
    'b.id SKIP 1000',
    'b.id LIMIT 0',
    ...(edge ? [`${edge}.confidence, ${edge}.line, b.id`, `count(DISTINCT ${edge}), min(${edge}.confidence)`] : []),
    ...(edge ? [`DISTINCT ${edge}.weight, ${edge}.strategy, ${edge}.path ORDER BY ${edge}.weight`] : []),
  ]);
  return `${match} RETURN ${asked}`;
}

/** Rows in no order; lists of collected values neither. */
async function answer(graph: PropertyGraph, question: string): Promise<string[]> {
  return rowsOf(await runQuery(parseQuery(question), graph, { parameters, limits: unlimited }));
}

const rowsOf = ({ rows }: { rows: Value[][] | null }) =>
  (rows ?? []).map((row) => row.map((value) => shown(value, true)).join(' | ')).sort();

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
