import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import neo4j, { Session, Transaction, type Driver, type Plan } from 'neo4j-driver';
import { edgeTypeSchema, nodeTypeSchema } from '../../../src/model/graph.ts';
import { cypher } from '../../../src/stores/graph/cypher.ts';
import { openNeo4j } from '../../../src/stores/graph/neo4j.ts';
import { StoreUnavailable } from '../../../src/stores/errors.ts';
import { guardGraph } from '../../../src/stores/guarded.ts';
import type { GraphReader, GraphStore } from '../../../src/stores/graph/port.ts';
import { openSqliteGraph } from '../../../src/stores/graph/sqlite.ts';
import { edge, graphStoreContract, repository } from '../../contract/graph-store.ts';
import { graphQueryContract } from '../../contract/graph-query.ts';
import { graphWithinContract } from '../../contract/graph-within.ts';
import { unavailableContract } from '../../contract/unavailable.ts';
import { effort } from '../../support/effort.ts';
import { onEngine } from '../../support/engines.ts';
import { eventually } from '../../support/eventually.ts';
import { exerciseGraph } from '../../support/exercise-stores.ts';
import { putLinks } from '../../support/put-links.ts';
import { killWhileWriting } from '../../support/kill-while.ts';
import { whileAsking } from '../../support/while-asking.ts';
import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

/** Loads version after version of one repository until somebody ends it. */
const PROGRAM = `
  const [, url, from] = process.argv;
  const { openNeo4j } = await import(${JSON.stringify(new URL('../../../src/stores/graph/neo4j.ts', import.meta.url))});
  const { repository } = await import(${JSON.stringify(new URL('../../contract/graph-store.ts', import.meta.url))});
  const store = await openNeo4j({ url, timeoutMs: 120_000 });
  for (let version = Number(from); ; version++) {
    const symbols = Array.from({ length: 1500 }, (_, i) => 'v' + version + '_' + i);
    const done = store.replaceRepository(repository('koa', { symbols, generation: String(version) }));
    console.log('writing');
    await done;
  }`;

onEngine('neo4j', (url) => {
  let driver: Driver;
  before(() => {
    driver = neo4j.driver(url());
  });
  after(() => driver.close());

  const run = async (statement: string, parameters = {}) => {
    const session = driver.session();
    try {
      return await session.run(statement, parameters);
    } finally {
      await session.close();
    }
  };
  /** How many nodes of each label there are. */
  const held = async () => {
    const { records } = await run('MATCH (n) RETURN labels(n)[0] AS label, count(*) AS count');
    return Object.fromEntries(records.map((record) => [String(record.get('label')), Number(record.get('count'))]));
  };
  const wipe = () => run('MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS');
  // The time of one question depends on who else runs on the machine: here the answers count.
  const open = (at = url()) => openNeo4j({ url: at, timeoutMs: 120_000 });

  const openEmpty = async () => {
    await wipe();
    return open();
  };
  graphStoreContract('neo4j', openEmpty);
  graphWithinContract('neo4j', openEmpty);
  graphQueryContract('neo4j', openEmpty, { answersItself: true });

  unavailableContract<GraphStore>(url, (at) => openNeo4j({ url: at, timeoutMs: 3_000 }), {
    questions: {
      ping: (store) => store.ping(),
      neighbors: (store) => store.within(['koa']).neighbors('koa'),
      repositoryGraph: (store) => store.everything.repositoryGraph(),
    },
    timeoutMs: 3_000,
  });

  describe('beside the embedded engine', () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'graph-'));
    });
    after(() => rm(folder, { recursive: true }));

    it('answers the same to every question after any sequence of loads, removals and links', async () => {
      const names = ['a', 'a-b', 'ä'] as const;
      const link = fc.record({
        type: fc.constantFrom('DEPENDS_ON', 'IMPORTS'),
        from: fc.constantFrom(...names, 'a/lib.js#x', 'ä/lib.js#𝔘'),
        to: fc.constantFrom(...names, 'a-b/lib.js#x', 'ä/lib.js#Y'),
      });
      const links = fc.uniqueArray(link, { maxLength: 5, selector: ({ type, from, to }) => `${type} ${from} ${to}` });
      const loads = fc.record({
        name: fc.constantFrom(...names),
        symbols: fc.uniqueArray(fc.constantFrom('x', 'Y', 'ﬀ', '𝔘'), { maxLength: 4 }),
        contributors: fc.uniqueArray(fc.constantFrom('ann', 'Bob', 'çi'), { maxLength: 3 }),
      });
      const step = fc.oneof(
        loads.map((load) => ({ load })),
        links.map((pairs) => ({ links: pairs })),
        fc.constantFrom(...names).map((remove) => ({ remove })),
      );
      let round = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
          await wipe();
          const stores = [await open(), await openSqliteGraph({ file: join(folder, `${++round}.db`) })] as const;
          try {
            for (const store of stores) {
              for (const [i, each] of steps.entries()) {
                if ('load' in each) {
                  await store.replaceRepository(repository(each.load.name, { ...each.load, generation: String(i) }));
                } else if ('links' in each) {
                  await putLinks(
                    store,
                    each.links.map(({ type, from, to }) => edge(type, from, to)),
                  );
                } else await store.removeRepository(each.remove);
              }
            }
            const [server, embedded] = await Promise.all(stores.map(answersOf));
            expect(server).to.deep.equal(embedded);
          } finally {
            for (const store of stores) await store.close();
          }
        }),
        // Two names whose order by code point is not that by UTF-16 unit.
        {
          numRuns: effort({ gate: 3, long: 40 }),
          examples: [[[{ load: { name: 'a' as const, symbols: ['ﬀ', '𝔘'], contributors: [] } }, { links: [] }]]],
        },
      );
    });
  });

  describe('a load that is killed', () => {
    it('leaves one whole version to readers, and nothing once the repository is loaded again', async () => {
      await wipe();
      const store = await open();
      await store.replaceRepository(repository('koa', { symbols: named(0), generation: '0' }));
      let version = 0;
      for (const delayMs of [100, 500, 1000, 2000]) {
        expect(await killWhileWriting(PROGRAM, [url(), String(version + 1)], delayMs)).to.equal(true);
        // What it asked for last may still be at work, so that one version ends between two questions.
        await eventually(async () => {
          version = Number((await store.generations()).get('koa'));
          const wanted = repository('koa', { symbols: named(version) });
          const ids = await Array.fromAsync(store.nodes(), ({ id }) => id);
          expect(new Set(ids)).to.deep.equal(new Set(wanted.nodes.map(({ id }) => id)));
          expect(await Array.fromAsync(store.edges())).to.have.length(wanted.edges.length);
        });
      }
      await store.replaceRepository(repository('koa', { symbols: ['x'], generation: 'last' }));
      expect(await held()).to.deep.equal({ Node: 2, Snapshot: 1, Version: 1, Counter: 1 });
      await store.close();
    });
  });

  it('each change of what is shown raises one number, by which a question knows that it was overtaken', async () => {
    await wipe();
    const store = await open();
    const revision = async () => {
      const { records } = await run("OPTIONAL MATCH (c:Counter {name: 'revision'}) RETURN c.value AS value", {});
      return Number(records[0]?.get('value') ?? 0);
    };
    const changes: Record<string, () => Promise<unknown>> = {
      load: () => store.replaceRepository(repository('koa', { symbols: ['x'], generation: '1' })),
      'load again': () => store.replaceRepository(repository('koa', { symbols: ['y'], generation: '2' })),
      'load of another': () => store.replaceRepository(repository('vue', { symbols: ['x'] })),
      links: () => putLinks(store, [edge('DEPENDS_ON', 'koa', 'vue')]),
      removal: () => store.removeRepository('vue'),
    };
    for (const [name, change] of Object.entries(changes)) {
      const before = await revision();
      await change();
      expect(await revision(), name).to.be.above(before);
    }
    await store.close();
  });

  describe('a load that another process overtakes', () => {
    it('fails, writes nothing more, and leaves nothing behind', async () => {
      await wipe();
      const [slow, fast] = [await open(), await open()];
      const [nodesWritten, overtaken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { edges, ...rest } = repository('koa', { symbols: named(1), generation: 'slow' });
      const edgesThen = (async function* () {
        nodesWritten.resolve();
        await overtaken.promise;
        yield* edges;
      })();
      const loading = failure(slow.replaceRepository({ ...rest, edges: edgesThen }));
      await nodesWritten.promise;
      expect(await held())
        .to.include({ Version: 1 })
        .and.not.have.property('Snapshot');
      await fast.replaceRepository(repository('koa', { symbols: ['x'], generation: 'fast' }));
      // Takes the element ids that the overtaken load still knows.
      await fast.replaceRepository(repository('express', { symbols: named(2) }));
      overtaken.resolve();
      expect(await loading).to.have.property('message', 'Another process replaces koa at the same time.');
      expect(await Array.fromAsync(fast.edges({ repository: 'koa' }))).to.have.length(1);
      expect(await Array.fromAsync(fast.edges({ repository: 'express' }))).to.have.length(2999);
      expect(await held()).to.deep.equal({ Node: 2 + 1501, Snapshot: 2, Version: 2, Counter: 1 });
      await slow.close();
      await fast.close();
    });
  });

  describe('while the server starts', () => {
    let proxy: TcpProxy;
    let store: GraphStore;
    beforeEach(async () => {
      await wipe();
      proxy = await openTcpProxy(url());
    });
    afterEach(async () => {
      await store.close();
      proxy.close();
    });

    for (const fault of ['cut', 'freeze'] as const) {
      it(`a question fails soon, and a load waits for it (${fault})`, async () => {
        proxy[fault]();
        store = guardGraph(await openNeo4j({ url: proxy.url, timeoutMs: 1_000 }));
        const loading = Promise.all([
          store.replaceRepository(repository('koa', { symbols: ['x'], generation: '1' })),
          store.generations(),
          store.linkGenerations(),
        ]);
        loading.catch(() => undefined);
        expect(await failure(store.ping())).to.be.instanceOf(StoreUnavailable);
        proxy.restore();
        await loading;
        expect(await store.generations()).to.deep.equal(new Map([['koa', '1']]));
      });
    }

    it('a load has the time that its server takes, not that of a question', async () => {
      proxy.delay(100);
      store = guardGraph(await openNeo4j({ url: proxy.url, timeoutMs: 50 }));
      expect(await failure(store.ping())).to.be.instanceOf(StoreUnavailable);
      expect(await store.generations()).to.deep.equal(new Map());
    });
  });

  it('where nobody listens, a question fails at once', async () => {
    const store = await openNeo4j({ url: 'bolt://127.0.0.1:1', timeoutMs: 10_000 });
    const began = performance.now();
    for (let i = 0; i < 3; i++)
      expect(await failure(store.everything.neighbors('koa'))).to.be.instanceOf(StoreUnavailable);
    expect(performance.now() - began).to.be.below(10_000);
    await store.close();
  });

  it('what is asked of a reader goes through the guard', async () => {
    const store = guardGraph(await openNeo4j({ url: 'bolt://127.0.0.1:1', timeoutMs: 1_000 }));
    for (const reader of [store.everything, store.within(['koa'])])
      expect(await failure(reader.neighbors('koa'))).to.be.instanceOf(StoreUnavailable);
    expect(store.circuit).to.deep.include({ calls: 2, failures: 2 });
    await store.close();
  });

  describe('the statements', () => {
    it('look up by index, each of them', async () => {
      await wipe();
      const store = await open();
      for (const name of ['a', 'b']) await store.replaceRepository(repository(name, { symbols: named(1) }));
      await store.close();
      const folder = new URL('../../../cypher/', import.meta.url);
      const parameters = {
        rows: [],
        types: ['CALLS'],
        repository: 'a',
        version: 'v',
        old: 'o',
        id: 'i',
        generation: 'g',
        counts: '',
        ids: ['i'],
        nodeTypes: ['Function'],
        confidence: 0.5,
        direction: null,
        element: '4:e:0',
        elements: ['4:e:0'],
        within: ['a'],
        offset: neo4j.int(0),
        limit: neo4j.int(10),
      };
      for (const file of readdirSync(folder).filter((each) => each !== 'schema.cypher' && each.endsWith('.cypher'))) {
        const { summary } = await run(`EXPLAIN ${readFileSync(new URL(file, folder), 'utf8')}`, parameters);
        expect(scans(summary.plan as Plan), file).to.deep.equal([]);
      }
    });

    it('of a reader ask what it sees, each of them, or begin at what was seen before', async () => {
      await wipe();
      const sent = new Set<string>();
      let isAsking = false;
      const runners = [Transaction.prototype, Session.prototype] as { run: Session['run'] }[];
      const originals = runners.map((runner) => runner.run);
      for (const [i, runner] of runners.entries()) {
        runner.run = function (this: Session, ...call: Parameters<Session['run']>) {
          if (isAsking) sent.add(call[0] as string);
          return originals[i]!.apply(this, call);
        } as Session['run'];
      }
      try {
        const store = await open();
        await exerciseGraph(whileAsking(store, (asking) => (isAsking = asking)));
        await store.close();
      } finally {
        for (const [i, runner] of runners.entries()) runner.run = originals[i]!;
      }
      const unfiltered = [...sent].filter(
        (statement) => !statement.includes('$within') && !cypher('schema').includes(statement),
      );
      expect([...sent].filter((statement) => statement.includes('$within'))).to.have.length.greaterThan(10);
      const seenBefore = [
        'inside-edges',
        'inside-nodes',
        'inside-total',
        'query-edges',
        'query-nodes',
        'snapshot',
        'walk-heads',
        'walk-nodes',
      ];
      expect(new Set(unfiltered)).to.deep.equal(new Set(seenBefore.map(cypher)));
    });
  });
});

/** Reading every node or every node of a label; there are as many snapshots as repositories, and who wants all of them reads all. */
function scans({ operatorType, arguments: details, children }: Plan): string[] {
  const scan = /AllNodesScan|LabelScan|RelationshipTypeScan|AllRelationshipsScan/.test(operatorType);
  const text = `${operatorType} ${String(details['Details'])}`;
  return [...(scan && !/:Snapshot/.test(text) ? [text] : []), ...children.flatMap(scans)];
}

const walk = {
  edgeTypes: edgeTypeSchema.options,
  nodeTypes: nodeTypeSchema.options,
  minConfidence: 0,
  offset: 0,
  limit: 50,
};

/** Of everything, and of some: others lie between them. */
async function answersOf(store: GraphStore) {
  return {
    generations: await store.generations(),
    linkGenerations: await store.linkGenerations(),
    nodes: await Array.fromAsync(store.nodes()),
    edges: await Array.fromAsync(store.edges()),
    functions: await Array.fromAsync(store.nodes({ repository: 'a', types: ['Function', 'Contributor'] })),
    everything: await answersOfReader(store.everything),
    within: await answersOfReader(store.within(['ä', 'a', 'nobody'])),
  };
}

async function answersOfReader(reader: GraphReader) {
  const neighbors: Record<string, unknown> = {};
  for (const name of ['a', 'a-b', 'ä', 'nobody']) neighbors[name] = await reader.neighbors(name);
  return {
    graph: await reader.repositoryGraph(),
    neighbors,
    ann: await reader.node('contributor:ann'),
    inside: await reader.inside({ ...walk, repository: 'a' }),
    adjacent: (await reader.adjacent({ ...walk, id: 'a' }))?.neighbors.map(({ node: { id }, edges }) => [
      id,
      edges.map(({ direction }) => direction),
    ]),
    impact: (await reader.impact({ ...walk, id: 'a', depth: 3 }))?.affected.map(({ node: { id }, depth }) => [
      id,
      depth,
    ]),
    path: await reader.path({ ...walk, from: 'a', to: 'ä', longest: 3 }),
  };
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('expected a failure'),
    (error: unknown) => error,
  );
}

function named(version: number): string[] {
  return Array.from({ length: 1500 }, (_, i) => `v${version}_${i}`);
}
