import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { SearchQuery } from '../../../src/stores/search/port.ts';
import { openSqliteSearch } from '../../../src/stores/search/sqlite.ts';
import { document, searchStoreContract } from '../../contract/search-store.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'search-'));
});
after(() => rm(folder, { recursive: true }));

let opened = 0;
searchStoreContract('sqlite', () => openSqliteSearch({ file: join(folder, `${++opened}.db`) }));

describe('search store sqlite, among very many matches', () => {
  it('finds the best first without reading all: the same as when all are read and ordered', async () => {
    const store = await openSqliteSearch({ file: join(folder, `${++opened}.db`) });
    try {
      const word = fc.constantFrom('get', 'Get', 'user', 'path', 'parse', 'Parser', 'x');
      const random = fc.record({
        name: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_')),
        type: fc.constantFrom('Function', 'Class'),
        qualified_name: fc.option(word.map((each) => `Owner.${each}`)),
        path: fc.option(word.map((each) => `src/${each}.ts`)),
        centrality: fc.nat({ max: 99 }).map((hundredths) => (hundredths / 100) ** 3),
        test: fc.boolean(),
      });
      const documents = fc
        .sample(random, { numRuns: 4_000, seed: 3 })
        .map(({ name, ...more }, i) => document('many', name, { ...more, id: `many/${i}` }));
      await store.replaceRepository({ repository: 'many', generation: 'one', documents });
      const page = { sort: 'composite_score', order: 'desc' } as const;
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
      const queries: SearchQuery[] = texts.flatMap((text) => [
        { ...page, text, offset: 0, limit: 20 },
        { ...page, text, offset: 700, limit: 30, types: ['Class'], without: ['x'] },
        { ...page, text, offset: 0, limit: 1, facets: ['type', 'repo'] },
      ]);
      let most = 0;
      for (const query of queries) {
        const found = await store.search(query);
        // With a lowest score, all of them are read.
        expect(found, JSON.stringify(query)).to.deep.equal(await store.search({ ...query, minScore: 0 }));
        most = Math.max(most, found.total);
      }
      expect(most).to.be.greaterThan(3_000);
    } finally {
      await store.close();
    }
  });
});
