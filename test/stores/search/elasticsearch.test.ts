import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@elastic/elasticsearch';
import { expect } from 'chai';
import fc from 'fast-check';
import type { SearchDocument } from '../../../src/model/search-document.ts';
import { openElasticsearch } from '../../../src/stores/search/elasticsearch.ts';
import type { SearchQuery, SearchStore } from '../../../src/stores/search/port.ts';
import { openSqliteSearch } from '../../../src/stores/search/sqlite.ts';
import { document, searchStoreContract } from '../../contract/search-store.ts';
import { unavailableContract } from '../../contract/unavailable.ts';
import { onEngine } from '../../support/engines.ts';

onEngine('elasticsearch', (url) => {
  const prefix = `test-${randomUUID()}`;
  let opened = 0;
  // The time of one question depends on who else runs on the machine: here the answers count.
  const open = () => openElasticsearch({ url: url(), indexPrefix: `${prefix}-${++opened}`, timeoutMs: 30_000 });
  after(() => wipe(url(), prefix));

  searchStoreContract('elasticsearch', async () => {
    await wipe(url(), prefix);
    return open();
  });

  const query: SearchQuery = { text: 'koa', sort: 'composite_score', order: 'desc', offset: 0, limit: 10 };
  unavailableContract<SearchStore>(
    url,
    (at) => openElasticsearch({ url: at, indexPrefix: `${prefix}-away`, timeoutMs: 2_000 }),
    {
      questions: { ping: (store) => store.ping(), search: (store) => store.everything.search(query) },
      ofLoads: { generations: (store) => store.generations() },
      timeoutMs: 2_000,
    },
  );

  describe('beside the embedded engine', () => {
    let folder: string;
    let stores: [SearchStore, SearchStore];
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'search-'));
      stores = [await open(), await openSqliteSearch({ file: join(folder, 'search.db') })];
      for (const store of stores) {
        // The second load of each shows that what was replaced counts for nothing.
        for (const generation of ['one', 'two']) {
          for (const repository of ['koa', 'express', 'flask']) {
            const documents = fc.sample(documentsOf(repository), { numRuns: 150, seed: generation === 'one' ? 1 : 7 });
            await store.replaceRepository({ repository, generation, documents: documents.map(numbered) });
          }
        }
      }
    });
    after(async () => {
      await Promise.all(stores.map((store) => store.close()));
      await rm(folder, { recursive: true });
    });

    it('finds the same documents with the same scores in the same order, page by page', async () => {
      let found = 0;
      await fc.assert(
        fc.asyncProperty(queries, async (each) => {
          const [server, embedded] = await Promise.all(stores.map((store) => store.everything.search(each)));
          expect(server).to.deep.equal(embedded);
          found += server?.total ?? 0;
        }),
        { numRuns: 300 },
      );
      expect(found).to.be.greaterThan(300);
    });
  });
});

const word = fc.constantFrom(
  'get',
  'set',
  'User',
  'Users',
  'Profile',
  'HTTP',
  'Server',
  'parse',
  'parser',
  '2',
  'id',
  'é',
  '$',
);
const name = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('')),
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_')),
);

function documentsOf(repository: string): fc.Arbitrary<SearchDocument> {
  return fc
    .record({
      name,
      type: fc.constantFrom('Function', 'Class', 'Endpoint', 'Contributor'),
      qualified_name: fc.option(name.map((each) => `Application.${each}`)),
      path: fc.option(name.map((each) => `src/${each}.ts`)),
      language: fc.option(fc.constantFrom('typescript', 'python')),
      doc: fc.option(fc.array(word, { maxLength: 4 }).map((words) => words.join(' '))),
      frameworks: fc.subarray(['Flask', 'express']),
      exported: fc.boolean(),
      usage: fc.nat({ max: 9 }),
      health: fc.option(fc.constantFrom(0, 0.5, 1)),
      centrality: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
      test: fc.boolean(),
    })
    .map((more) =>
      document(repository, more.name, { ...more, repository: more.type === 'Contributor' ? null : repository }),
    );
}

/** With an id of its own; a contributor's is his name, so that repositories share some. */
function numbered(each: SearchDocument, i: number, all: SearchDocument[]): SearchDocument {
  if (each.type !== 'Contributor') return { ...each, id: `${String(each.repository)}/${i}` };
  const first = all.findIndex((other) => other.type === 'Contributor' && other.name === each.name) === i;
  return { ...each, id: first ? `contributor:${each.name}` : `contributor:${each.name}${i}` };
}

const mistyped = name.map((each) => each.slice(0, 3) + each.slice(4));
const acronym = fc.constantFrom('gUP', 'HS', 'pId', 'GET');
const small = fc.constantFrom('the', 'of', 'zebra');
const begun = name.map((each) => each.slice(0, -1));
const queries: fc.Arbitrary<SearchQuery> = fc
  .record({
    text: fc
      .array(fc.oneof(name, word, mistyped, begun, acronym, small), { maxLength: 4 })
      .map((words) => words.join(' ')),
    sort: fc.constantFrom('composite_score', 'relevance', 'name'),
    order: fc.constantFrom('asc', 'desc'),
    offset: fc.constantFrom(0, 0, 7),
    limit: fc.constantFrom(5, 50),
    filter: fc.constantFrom<Partial<SearchQuery>>(
      {},
      {},
      { types: ['Function', 'Contributor'] },
      { repositories: ['koa', 'flask'] },
      { languages: ['python'] },
      { minScore: 40, facets: ['type', 'repo'] },
      { facets: ['language', 'type', 'repo'], types: ['Function', 'Class'] },
      { phrases: ['user profile'], facets: ['repo'] },
      { without: ['http', 'parse id'] },
      { excluded: { types: ['Class'], paths: ['src/get'], repositories: ['koa'] } },
      { paths: ['src/get'], frameworks: ['FLASK'] },
      { minScore: 66.3, types: ['Class'] },
    ),
  })
  .map(({ filter, ...rest }) => ({ ...rest, ...filter }));

/** Deletes the indices by name: a cluster may forbid to delete by pattern. */
async function wipe(url: string, prefix: string): Promise<void> {
  const client = new Client({ node: url });
  const indices = Object.keys(await client.indices.get({ index: `${prefix}*` }));
  for (const index of indices) await client.indices.delete({ index });
  await client.close();
}
