import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { SearchDocument } from '../../src/model/search-document.ts';
import { maxTypoTerms } from '../../src/search/ranking/query.ts';
import { facetNames, type SearchQuery, type SearchStore } from '../../src/stores/search/port.ts';
import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { effort } from '../support/effort.ts';
import { documentsOf, searchQueries } from '../support/random-search.ts';
import { contributor, document } from './search-store.ts';

/** What every search store promises of searches within some repositories; `open` gives an empty store, which is closed here. */
export function searchWithinContract(name: string, open: () => Promise<SearchStore>): void {
  describe(`searches within some repositories: ${name}`, () => {
    let store: SearchStore;
    let generation = 0;
    const load = (repository: string, documents: SearchDocument[]) =>
      store.replaceRepository({ repository, generation: `${++generation}`, documents });
    const ask = (repositories: string[], text: string, more: Partial<SearchQuery> = {}) =>
      store.within(repositories).search({ ...FIRST, text, ...more });
    const names = async (repositories: string[], text: string) =>
      (await ask(repositories, text)).hits.map(({ document: each }) => each.name);

    before(async () => {
      store = await open();
      await load('acme', [
        document('acme', 'payInvoice', { language: 'go', path: 'src/billing.go' }),
        document('acme', 'shared'),
        contributor('ann', { doc: 'writes for acme' }),
      ]);
      await load('beta', [
        document('beta', 'chargeCard', { language: 'rust', type: 'Class', path: 'src/invoce.rs' }),
        document('beta', 'shared'),
        contributor('ann', { doc: 'maintains betamax' }),
        contributor('bob'),
      ]);
      await load('empty', []);
    });
    after(() => store.close());

    it('are answered of these alone', async () => {
      expect(await names(['acme'], '')).to.have.members(['payInvoice', 'shared', 'ann']);
      expect(await names(['beta'], '')).to.have.members(['chargeCard', 'shared', 'ann', 'bob']);
      expect(await names(['beta', 'acme', 'acme'], '')).to.have.members([
        'payInvoice',
        'chargeCard',
        'shared',
        'shared',
        'ann',
        'bob',
      ]);
    });

    it('page the documents of one in the order in which they came, its contributors as it has them', async () => {
      const reader = store.within(['acme', 'beta', 'empty']);
      const walk: (string | null)[][] = [];
      for (let offset = 0; ; offset += 3) {
        const page = (await reader.documents({ repository: 'beta', offset, limit: 3 }))!;
        expect(page.total).to.equal(4);
        if (page.documents.length === 0) break;
        walk.push(...page.documents.map(({ name: of, doc }) => [of, doc]));
      }
      expect(walk).to.deep.equal([
        ['chargeCard', null],
        ['shared', null],
        ['ann', 'maintains betamax'],
        ['bob', null],
      ]);
      const none = { offset: 0, limit: 3 };
      expect(await reader.documents({ ...none, repository: 'empty' })).to.deep.include({ documents: [], total: 0 });
      for (const unseen of ['nobody', ''])
        expect(await reader.documents({ ...none, repository: unseen })).to.equal(null);
      expect(await store.within(['acme']).documents({ ...none, repository: 'beta' })).to.equal(null);
    });

    it('show a contributor as the first of these has him, and are not led to him by what another says', async () => {
      const docs = async (repositories: string[], text: string) =>
        (await ask(repositories, text)).hits.map(({ document: each }) => each.doc);
      expect(await docs(['acme'], 'ann')).to.deep.equal(['writes for acme']);
      expect(await docs(['beta'], 'ann')).to.deep.equal(['maintains betamax']);
      expect(await docs(['beta', 'acme'], 'ann')).to.deep.equal(['writes for acme']);
      expect(await docs(['beta'], 'betamax')).to.deep.equal(['maintains betamax']);
      for (const text of ['betamax', 'betam', 'maintains'])
        expect(await docs(['acme', 'beta'], text), text).to.deep.equal([]);
      expect(await names(['acme'], 'bob')).to.deep.equal([]);
    });

    it('find no name, beginning, typo or path of what is elsewhere', async () => {
      for (const text of [
        'chargeCard',
        'charg',
        'chargCard',
        'chargeCrad',
        'card',
        'cC',
        'beta',
        'rust',
        'invoce.rs',
      ]) {
        expect((await ask(['beta'], text)).total, text).to.be.greaterThan(0);
        if (text !== 'invoce.rs') expect((await ask(['acme'], text)).total, text).to.equal(0);
      }
      expect((await ask(['acme'], '', { paths: ['invoce'] })).total).to.equal(0);
      expect((await ask(['acme'], '', { repositories: ['beta'] })).total).to.equal(0);
    });

    it('take a word for mistyped that stands only elsewhere', async () => {
      expect(await names(['acme'], 'payInvoce')).to.deep.equal(['payInvoice']);
      expect(await names(['acme'], 'invoce')).to.deep.equal(['payInvoice']);
      expect(await names(['acme', 'beta'], 'invoce')).to.deep.equal(['chargeCard']);
    });

    it('look for some of the words where these have not all', async () => {
      expect(await names(['acme'], 'pay invoice card')).to.deep.equal(['payInvoice']);
      expect(await names(['acme'], 'pay card charge')).to.deep.equal(['payInvoice']);
      expect(await names(['acme'], 'card charge')).to.deep.equal([]);
    });

    it('count what matches in these, by values that are there', async () => {
      const { total, facets } = await ask(['acme'], '', { facets: facetNames });
      expect(total).to.equal(3);
      expect(facets).to.deep.equal({
        type: [
          { value: 'Function', count: 2 },
          { value: 'Contributor', count: 1 },
        ],
        kind: [],
        language: [{ value: 'go', count: 1 }],
        repo: [{ value: 'acme', count: 2 }],
      });
    });

    it('find nothing where no repository is named that is held, or one that is empty', async () => {
      for (const repositories of [[], ['nobody'], ['nobody', 'ACME', 'acm', '*', ''], ['empty']]) {
        for (const text of ['', 'shared', 'payInvoce'])
          expect(await ask(repositories, text), repositories.join()).to.deep.equal({
            hits: [],
            end: null,
            total: 0,
            leftOut: null,
            facets: {},
          });
      }
      const { facets } = await ask([], '', { facets: facetNames });
      expect(facets).to.deep.equal({ type: [], kind: [], language: [], repo: [] });
    });

    it('ignore names that are not held, also hundreds of them', async () => {
      const nobody = Array.from({ length: 700 }, (_, i) => `nobody-${i}`);
      for (const text of ['', 'ann', 'invoce']) {
        const wanted = await ask(['acme', 'beta'], text);
        expect(await ask([...nobody, 'beta', 'acme'], text), text).to.deep.equal(wanted);
      }
    });

    it('see each change at once, also of who is the first to have a contributor', async () => {
      await load('one', [contributor('zoe', { doc: 'of one' })]);
      await load('two', [contributor('zoe', { doc: 'of two' })]);
      const found = async (...repositories: string[]) =>
        (await ask(repositories, 'zoe')).hits.map(({ document: each }) => each.doc);
      expect(await found('one', 'two')).to.deep.equal(['of one']);
      await load('one', [contributor('zoe', { doc: 'of one, later' })]);
      expect(await found('one', 'two')).to.deep.equal(['of one, later']);
      await load('one', [document('one', 'nobodyElse')]);
      expect(await found('one', 'two')).to.deep.equal(['of two']);
      await load('first', [contributor('zoe', { doc: 'of first' })]);
      expect(await found('one', 'two')).to.deep.equal(['of two']);
      expect(await found('first', 'one', 'two')).to.deep.equal(['of first']);
      for (const repository of ['two', 'first', 'one']) await store.removeRepository(repository);
      expect(await found('first', 'one', 'two')).to.deep.equal([]);
    });

    it('choose what a mistyped word means among their names, however many are nearer elsewhere', async () => {
      const near = (repository: string, letters: string) =>
        [2, 4, 6, 8].flatMap((place) =>
          Array.from(letters, (letter) => document(repository, replaced('bcdfghkmn', place, letter))),
        );
      await load('near', near('near', 'pqr'));
      await load('crowd', near('crowd', 'aeijlopqrstuvwxyz'));
      await load('far', [document('far', 'bcdfghkzz')]);
      const total = async (...repositories: string[]) => (await ask(repositories, 'bcdfghkmn')).total;
      expect(await total('far')).to.equal(1);
      expect(await total('far', 'near')).to.equal(13);
      expect(await total('crowd')).to.equal(maxTypoTerms);
      expect(await total('crowd', 'far')).to.equal(maxTypoTerms);
      for (const repository of ['near', 'crowd', 'far']) await store.removeRepository(repository);
    });

    describe('beside a store that holds these alone', () => {
      const held = ['koa', 'express', 'flask', 'gin'];
      // At least one of them is held.
      const subsets = fc.subarray([...held, 'nobody'], { minLength: 2 });
      const portfolios = fc.record({
        documents: fc.tuple(...held.map((repository) => documentsOf(repository, 40))),
        asked: fc.array(
          fc.record({ subset: subsets, queries: fc.array(searchQueries, { minLength: 12, maxLength: 12 }) }),
          {
            minLength: 3,
            maxLength: 3,
          },
        ),
      });
      let folder: string;
      before(async () => {
        folder = await mkdtemp(join(tmpdir(), 'search-within-'));
      });
      after(() => rm(folder, { recursive: true }));

      it('give the same hits, scores, totals and facets', async () => {
        let [found, opened] = [0, 0];
        await fc.assert(
          fc.asyncProperty(portfolios, async ({ documents, asked }) => {
            for (const [i, repository] of held.entries()) await load(repository, documents[i] ?? []);
            for (const { subset, queries } of asked) {
              const alone = await openSqliteSearch({ file: join(folder, `${++opened}.db`) });
              try {
                for (const repository of subset) {
                  const own = documents[held.indexOf(repository)];
                  if (own) await alone.replaceRepository({ repository, generation: 'one', documents: own });
                }
                for (const query of [FIRST, ...queries]) {
                  const wanted = await alone.everything.search(query);
                  expect(await store.within(subset).search(query), JSON.stringify(query)).to.deep.equal(wanted);
                  found += wanted.total;
                }
              } finally {
                await alone.close();
              }
            }
          }),
          { numRuns: effort({ gate: 2, long: 40 }), endOnFailure: true },
        );
        expect(found).to.be.greaterThan(100);
      });
    });
  });
}

const FIRST: SearchQuery = { text: '', sort: 'composite_score', order: 'desc', offset: 0, limit: 100 };

function replaced(text: string, place: number, letter: string): string {
  return text.slice(0, place) + letter + text.slice(place + 1);
}
