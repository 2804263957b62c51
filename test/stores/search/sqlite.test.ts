import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { SearchDocument } from '../../../src/model/search-document.ts';
import type { SearchQuery, SearchStore } from '../../../src/stores/search/port.ts';
import { openSqliteSearch } from '../../../src/stores/search/sqlite.ts';
import { document, searchStoreContract } from '../../contract/search-store.ts';
import { searchWithinContract } from '../../contract/search-within.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'search-'));
});
after(() => rm(folder, { recursive: true }));

let opened = 0;
const open = () => openSqliteSearch({ file: join(folder, `${++opened}.db`) });
searchStoreContract('sqlite', open);
searchWithinContract('sqlite', open);

describe('search store sqlite, among very many matches', () => {
  const word = fc.constantFrom('get', 'Get', 'user', 'path', 'parse', 'Parser', 'x', 'é𝔠', '2');
  const random = fc.record({
    name: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_')),
    type: fc.constantFrom('Function', 'Class'),
    language: fc.option(fc.constantFrom('Go', 'python')),
    qualified_name: fc.option(word.map((each) => `Owner.${each}`)),
    path: fc.option(fc.array(word, { minLength: 1, maxLength: 2 }).map((each) => `src/${each.join('/')}.ts`)),
    centrality: fc.nat({ max: 99 }).map((hundredths) => (hundredths / 100) ** 3),
    test: fc.boolean(),
  });
  const REPOSITORIES = 20;
  const documents = fc
    .sample(random, { numRuns: 4_000, seed: 3 })
    .map(({ name, ...more }, i) => document(`many-${i % REPOSITORIES}`, name, { ...more, id: `many/${i}` }));
  const texts = [
    '',
    'get',
    'Get',
    'g',
    'GET',
    'getUser',
    'path',
    'pars',
    'parser',
    'paser',
    'ow',
    'src/get',
    'GU',
    'ts',
  ];
  const page = { sort: 'composite_score', order: 'desc' } as const;
  const queries: SearchQuery[] = texts.flatMap((text) => [
    { ...page, text, offset: 0, limit: 20 },
    { ...page, text, offset: 700, limit: 30, types: ['Class'], without: ['x'] },
    { ...page, text, offset: 0, limit: 1, facets: ['type', 'repo', 'language'] },
  ]);
  let store: SearchStore;
  before(async () => {
    store = await open();
    await store.replaceRepository({ repository: 'all', generation: 'one', documents });
  });
  after(() => store.close());

  it('finds the best first without reading all: the same as when all are read and ordered', async () => {
    let most = 0;
    for (const query of queries) {
      const found = await store.everything.search(query);
      // With a lowest score, all of them are read.
      expect(found, JSON.stringify(query)).to.deep.equal(await store.everything.search({ ...query, minScore: 0 }));
      most = Math.max(most, found.total);
    }
    expect(most).to.be.greaterThan(3_000);
  });

  it('answers the same however the documents came: all at once, or in many loads of which some are replaced and taken out', async () => {
    const other = await open();
    try {
      const numbers = Array.from({ length: REPOSITORIES }, (_, i) => i);
      const load = (number: number, generation: string, some: readonly SearchDocument[]) =>
        other.replaceRepository({ repository: `many-${number}`, generation, documents: some });
      for (const number of numbers) await load(number, 'old', documents.slice(number * 50, number * 60));
      await load(REPOSITORIES, 'old', documents.slice(0, 900));
      for (const number of numbers.toReversed())
        await load(
          number,
          'new',
          documents.filter(({ repository }) => repository === `many-${number}`),
        );
      await other.removeRepository(`many-${REPOSITORIES}`);
      for (const query of queries) {
        for (const { sort, order } of [
          page,
          { sort: 'name', order: 'desc' },
          { sort: 'relevance', order: 'asc' },
        ] as const) {
          const asked = { ...query, sort, order };
          expect(await other.everything.search(asked), JSON.stringify(asked)).to.deep.equal(
            await store.everything.search(asked),
          );
        }
      }
    } finally {
      await other.close();
    }
  });
});
