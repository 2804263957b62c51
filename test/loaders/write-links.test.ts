import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { analyze } from '../../loaders/analyze.ts';
import { gatherBoundary } from '../../loaders/records/boundary.ts';
import { wantedLinks } from '../../loaders/wanted-links.ts';
import { projectSnapshots, removeRepository, writeSnapshot } from '../../loaders/write.ts';
import type { GraphEdge } from '../../src/model/graph.ts';
import type { Snapshot } from '../../src/model/snapshot.ts';
import { openNeo4j } from '../../src/stores/graph/neo4j.ts';
import type { GraphStore } from '../../src/stores/graph/port.ts';
import { openSqliteGraph } from '../../src/stores/graph/sqlite.ts';
import type { SearchStore } from '../../src/stores/search/port.ts';
import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import type { SourceStore } from '../../src/stores/source/port.ts';
import { openSqliteSource } from '../../src/stores/source/sqlite.ts';
import { onEngine } from '../support/engines.ts';
import { gitRepository } from '../support/git-repository.ts';
import { temporaryPglite } from '../support/temporary-pglite.ts';

const kit = (name: string) => ({
  'package.json': '{ "name": "kit", "version": "1.0.0", "main": "index.js" }',
  'index.js': `export function ${name}() {}\nexport class Client { send() {} }\n`,
});
const shop = (name: string) => ({
  'package.json': '{ "name": "shop", "version": "1.0.0", "main": "a.js", "dependencies": { "kit": "^1.0.0" } }',
  'a.js': `import { ${name}, Client } from 'kit';\nexport class Mine extends Client { send() { ${name}(); } }\n`,
});
const other = () => ({
  'package.json': '{ "name": "other", "dependencies": { "shop": "*" } }',
  'b.js': "import { Mine } from 'shop';\nexport function run() { new Mine().send(); }\n",
});
const apart = () => ({ 'package.json': '{ "name": "apart" }', 'c.js': 'export function alone() {}\n' });

const sources = {
  'kit help': kit('help'),
  'kit aid': kit('aid'),
  'shop help': shop('help'),
  'shop aid': shop('aid'),
  other: other(),
  apart: apart(),
};
type Source = keyof typeof sources;

describe('links while repositories come, change and go', () => {
  const relational = temporaryPglite();
  const snapshots = new Map<Source, Snapshot>();
  let folder: string;
  let search: SearchStore;
  let source: SourceStore;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'links-'));
    search = await openSqliteSearch({ file: join(folder, 'search.db') });
    source = await openSqliteSource({ file: join(folder, 'source.db') });
    for (const [source, files] of Object.entries(sources) as [Source, Record<string, string>][]) {
      using repository = gitRepository({ files });
      const [name = ''] = source.split(' ');
      snapshots.set(source, (await analyze(repository.path, { name })).snapshot);
    }
  });
  after(async () => {
    await Promise.all([search.close(), source.close()]);
    await rm(folder, { recursive: true });
  });

  const snapshotOf = (source: Source) => snapshots.get(source)!;

  /** The same for each engine. */
  function guarantees(open: () => Promise<GraphStore>): void {
    let graph: GraphStore;
    /** Whose links were written, since the last look; and whether writing them fails. */
    let written: string[] = [];
    let fails = false;
    before(async () => {
      graph = await open();
    });
    after(() => graph.close());
    const stores = () => ({
      relational: relational(),
      search,
      source,
      graph: {
        ...graph,
        replaceLinks: async (links: Parameters<GraphStore['replaceLinks']>[0]) => {
          if (fails) throw new Error('The process ends here.');
          written.push(links.repository);
          return graph.replaceLinks(links);
        },
      },
    });
    const load = (source: Source) => writeSnapshot(stores(), snapshotOf(source));
    const between = async () => {
      const edges = await Array.fromAsync(graph.edges());
      return edges.filter(({ from, to, type }) => type !== 'CONTRIBUTED_TO' && repositoryOf(from) !== repositoryOf(to));
    };
    const empty = async () => {
      for (const { repository } of await relational().snapshots.list()) await removeRepository(stores(), repository);
      for (const repository of (await graph.generations()).keys()) await graph.removeRepository(repository);
      written = [];
    };

    it('appear with whichever side comes last, and only those are written that can have changed', async () => {
      await empty();
      const call = 'CALLS shop/a.js#Mine.send -> kit/index.js#help';
      const names = async () => (await between()).map(({ type, from, to }) => `${type} ${from} -> ${to}`);
      await load('shop help');
      expect(await names()).to.deep.equal([]);
      await load('kit help');
      expect(await names()).to.include.members([
        call,
        'CALLS shop -> kit',
        'IMPORTS shop -> kit/index.js#help',
        'INHERITS shop/a.js#Mine -> kit/index.js#Client',
      ]);
      await load('other');
      await load('apart');
      written = [];
      await load('kit aid');
      // The other one uses what the shop inherits from there.
      expect(written).to.have.members(['kit', 'shop', 'other']);
      expect(await names()).not.to.include(call);
      await load('shop aid');
      const impact = await graph.everything.impact({
        id: 'kit/index.js#aid',
        depth: 3,
        nodeTypes: ['Function'],
        edgeTypes: ['CALLS'],
        minConfidence: 0.5,
        offset: 0,
        limit: 10,
      });
      expect(impact?.affected.map(({ node: { id }, depth }) => `${depth} ${id}`)).to.deep.equal([
        '1 shop/a.js#Mine.send',
        '2 other/b.js#run',
      ]);
    });

    it('are what the held snapshots say, after any sequence of loads, removals, ends in between and rebuilds', async () => {
      const step = fc.oneof(
        fc.record({ load: fc.constantFrom(...snapshots.keys()), ends: fc.boolean() }),
        fc.constantFrom('kit', 'shop').map((remove) => ({ remove })),
        fc.constant({ rebuild: true }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
          await empty();
          const held = new Map<string, Snapshot>();
          for (const each of steps) {
            if ('load' in each) {
              fails = each.ends;
              await load(each.load).catch(() => undefined);
              fails = false;
              held.set(snapshotOf(each.load).repository.name, snapshotOf(each.load));
            } else if ('remove' in each) {
              await removeRepository(stores(), each.remove);
              held.delete(each.remove);
            } else await projectSnapshots(stores(), { force: ['graph'] });
          }
          await projectSnapshots(stores());
          const ids = new Set([...held.values()].flatMap(({ nodes }) => Array.from(nodes, ({ id }) => id)));
          const wanted: GraphEdge[] = [];
          for (const { edges } of wantedLinks([...held.values()].map(({ repository }) => repository)))
            wanted.push(...(await edges(async (name) => gatherBoundary(held.get(name)?.boundary ?? []))));
          expect(await between()).to.have.deep.members(wanted.filter(({ from, to }) => ids.has(from) && ids.has(to)));
        }),
        { numRuns: 6 },
      );
    });
  }

  describe('on sqlite', () => guarantees(() => openSqliteGraph({ file: join(folder, 'graph.db') })));
  onEngine('neo4j', (url) => guarantees(() => openNeo4j({ url: url(), timeoutMs: 120_000 })));
});

const repositoryOf = (id: string) => id.split('/')[0];
