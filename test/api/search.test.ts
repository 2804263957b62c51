import { expect } from 'chai';
import fc from 'fast-check';
import { StoreUnavailable } from '../../src/stores/errors.ts';
import { describeService } from '../support/service.ts';

interface Item {
  id: string;
  name: string;
  type: string;
  score: number;
  relevance: number;
  [field: string]: unknown;
}

describeService('GET /api/search', (service) => {
  const search = async (query: string) => {
    const { json } = await service().get(`/api/search${query}`);
    return { ...json, items: json['items'] as Item[] };
  };
  const names = async (query: string) => (await search(query)).items.map(({ name }) => name);

  describe('200', () => {
    it('has exactly the five members of the envelope', async () => {
      const { json } = await service().get('/api/search?q=payment&type=Class');
      expect(Object.keys(json).toSorted()).deep.equals(['items', 'page', 'page_size', 'total', 'total_pages']);
      expect(json).includes({ total: 2, page: 1, page_size: 20, total_pages: 1 });
    });

    it('an item says what it is, where, and why it is here', async () => {
      const { items } = await search('?q=parsePaymentRequest');
      const [{ score, relevance, score_breakdown, ...item } = {} as Item] = items;
      expect(item).deep.equals({
        id: 'payments-api/src/parsePaymentRequest.ts#parsePaymentRequest',
        type: 'Function',
        name: 'parsePaymentRequest',
        qualified_name: 'parsePaymentRequest',
        repository: 'payments-api',
        full_name: null,
        path: 'src/parsePaymentRequest.ts',
        line: 3,
        kind: 'function',
        language: 'TypeScript',
        signature: 'parsePaymentRequest(): void',
        doc: 'Reads a request.',
        commit: null,
        declared: null,
        license: null,
        overloads: null,
        topics: [],
        highlights: [
          { field: 'name', ranges: [[0, 19]] },
          { field: 'qualified_name', ranges: [[0, 19]] },
          { field: 'path', ranges: [[4, 23]] },
          { field: 'signature', ranges: [[0, 19]] },
          { field: 'doc', ranges: [[8, 15]] },
        ],
      });
      const parts = Object.entries(score_breakdown as Record<string, number>);
      expect(parts.map(([part]) => part)).deep.equals([
        'text',
        'centrality',
        'usage',
        'health',
        'recency',
        'kind',
        'penalty',
        'sentence',
      ]);
      expect(parts.reduce((sum, [, part]) => sum + part, 0)).closeTo(score, 1e-9);
      expect(relevance).equals(100);
      expect(score).within(80, 100);
    });

    it('is sorted by composite score, best first, or as asked', async () => {
      const { items } = await search('?q=payment');
      const scores = items.map(({ score }) => score);
      expect(scores).deep.equals(scores.toSorted((a, b) => b - a));
      const ascending = (await search('?q=payment&order=asc')).items.map(({ score }) => score);
      expect(ascending).deep.equals(ascending.toSorted((a, b) => a - b));
      expect(await names('?sort=name&order=asc&type=Class')).deep.equals(['PaymentBook', 'PaymentGateway']);
      expect(await names('?sort=name&type=Class')).deep.equals(['PaymentGateway', 'PaymentBook']);
    });

    it('finds parts of a name, another spelling and a typing mistake', async () => {
      expect(await names('?q=request')).include('parsePaymentRequest');
      expect(await names('?q=parse_payment_request')).include('parsePaymentRequest');
      expect(await names('?q=paymnet')).include('PaymentGateway');
    });

    it('filters by type, repository, language and score', async () => {
      expect(await names('?q=payment&type=Class')).members(['PaymentBook', 'PaymentGateway']);
      expect(await names('?q=payment&type=Class&repo=ledger')).deep.equals(['PaymentBook']);
      expect(await names('?repo=ledger,payments-api&type=Class')).members(['PaymentBook', 'PaymentGateway']);
      expect(await names('?language=Go')).deep.equals(['ledger']);
      const best = (await search('?q=payment')).items[0]?.score ?? NaN;
      expect((await search(`?q=payment&min_score=${best}`)).items.every(({ score }) => score >= best)).equals(true);
    });

    it('understands what narrows it in the box as well as in parameters, and takes both', async () => {
      expect(await names('?q=payment+type:class+repo:ledger')).deep.equals(['PaymentBook']);
      expect(await names('?q=card+type:class,function&type=Function')).deep.equals(['chargeCard']);
      expect(await names('?q=type:class&type=Function')).deep.equals([]);
      expect(await names('?q=path:src/charge')).deep.equals(['chargeCard']);
      expect(await names('?q=payment&path=src&path=book')).deep.equals(['PaymentBook']);
      expect(await names('?q=%22reads+a+request%22')).deep.equals(['parsePaymentRequest']);
      expect(await names('?q=%22request+a%22')).deep.equals([]);
      expect(await names('?q=payment+-gateway+-reads+type:class')).deep.equals(['PaymentBook']);
      expect(await names('?q=payment&framework=express')).deep.equals([]);
      expect(await names('?q=language:go')).deep.equals(['ledger']);
    });

    it('says of a type, a qualifier, a repository or a language that there is none', async () => {
      const hints = async (q: string) => (await service().get(`/api/search?q=${encodeURIComponent(q)}`)).json['hints'];
      expect(await hints('type:clas refund'))
        .to.have.length(1)
        .and.to.have.nested.property('0')
        .that.includes('clas is no type');
      expect(await hints('langage:go refund'))
        .to.have.nested.property('0')
        .that.includes('langage: is no qualifier');
      expect(await hints('repo:nope refund')).to.deep.equal([
        'No repository is named "nope"; GET /api/repositories lists them.',
      ]);
      expect(await hints('language:klingon refund'))
        .to.have.nested.property('0')
        .that.includes('klingon');
      expect(await hints('std::refund type:class')).to.equal(undefined);
    });

    it('finds a declared name, with its kind and all its places', async () => {
      const [item] = (await search('?q=RETRY_LIMIT')).items;
      expect(item).deep.include({
        id: 'payments-api/src/settings.ts#constant:RETRY_LIMIT',
        type: 'Declaration',
        kind: 'constant',
        path: 'src/settings.ts',
        line: 4,
        declared: {
          count: 3,
          places: [
            { path: 'src/settings.ts', line: 4 },
            { path: 'src/worker.ts', line: 9, in: 'Worker' },
            { path: 'src/worker.ts', line: 30, in: 'Loop' },
          ],
        },
      });
      expect(item?.score).within(89, 90);
      expect(await names('?q=retry&kind=constant,field')).deep.equals(['RETRY_LIMIT']);
      expect(await names('?q=worker.RETRY_LIMIT')).deep.equals(['RETRY_LIMIT']);
      expect(await names('?q=limit+kind:constant&type=Declaration')).deep.equals(['RETRY_LIMIT']);
      expect(await names('?q=kind:constant&kind=method')).deep.equals([]);
      expect(await names('?q=limit+-kind:constant')).deep.equals([]);
    });

    it('counts what matches by the facets that are asked for, and by none unasked', async () => {
      const { items, total, facets } = (await search('?q=payment&facets=type,repo&page_size=1')) as unknown as {
        items: Item[];
        total: number;
        facets: Record<string, { value: string; count: number }[]>;
      };
      expect([items.length, Object.keys(facets)]).deep.equals([1, ['type', 'repo']]);
      for (const values of Object.values(facets)) {
        expect(values.reduce((sum, { count }) => sum + count, 0)).equals(total);
      }
      expect(facets['type']).deep.include({ value: 'Class', count: 2 });
    });

    it('an empty q finds everything, page by page, each once', async () => {
      const { headers } = await service().get('/api/search?page_size=3');
      expect(headers['link']).include('<https://ris.example/api/search?page_size=3&page=2>; rel="next"');
      const pages = [
        ...(await names('?page_size=3')),
        ...(await names('?page_size=3&page=2')),
        ...(await names('?q=&page_size=3&page=3')),
      ];
      expect(pages).lengthOf(8);
      expect(new Set(pages)).lengthOf(8);
    });

    it('a page past the end is empty and keeps the totals; nothing found is no error', async () => {
      expect(await search('?page=9')).deep.equals({ items: [], total: 8, page: 9, page_size: 20, total_pages: 1 });
      expect(await search('?q=zzzzqqqq')).includes({ total: 0, total_pages: 0 });
    });

    it('leads on by a cursor, in every order, through the same items as pages by number', async () => {
      for (const asked of ['', '&sort=relevance&order=asc', '&sort=name', '&q=payment']) {
        const whole = (await search(`?page_size=100${asked}`)).items;
        const found: Item[] = [];
        let path: string | null = `?page_size=3${asked}`;
        while (path !== null) {
          const { items, ...page }: Awaited<ReturnType<typeof search>> & { next_cursor?: string } = await search(path);
          found.push(...items);
          expect(page).includes({ total: whole.length, page_size: 3 });
          path = page.next_cursor === undefined ? null : `?page_size=3${asked}&cursor=${page.next_cursor}`;
        }
        expect(found, asked).deep.equals(whole);
      }
      const { headers } = await service().get('/api/search?page_size=3&cursor=WzIwLG51bGxd');
      expect(headers['link']).equals('<https://ris.example/api/search?page_size=3&page=1>; rel="first"');
    });

    it('has of each item only the fields that are asked for', async () => {
      const { items, ...page } = await search('?fields=id,score&page_size=2');
      const whole = (await search('?page_size=2')).items;
      expect(items).deep.equals(whole.map(({ id, score }) => ({ id, score })));
      expect(page).includes({ total: 8 });
    });

    for (const q of [
      '"',
      '*',
      'a" OR "b',
      '(',
      'NEAR(',
      "'; DROP TABLE x",
      '-',
      ':',
      '^',
      '\\',
      '%',
      '😀',
      'ﬁ',
      '   ',
      'AND',
    ])
      it(`q=${q} is text, never syntax`, async () =>
        expect((await service().get(`/api/search?q=${encodeURIComponent(q)}`)).status).equals(200));
  });

  describe('any query', () => {
    it('is answered, whatever the text and the page', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({
            unit: fc.oneof(
              fc.constantFrom(...Array.from('"*()-:^ payment_PAY')),
              fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
            ),
            maxLength: 40,
          }),
          fc.integer({ min: 1, max: 100 }),
          fc.constantFrom('composite_score', 'relevance', 'name'),
          async (q, page, sort) => {
            const query = new URLSearchParams({ q, page: String(page), sort });
            const { status, json } = await service().get(`/api/search?${query.toString()}`);
            // Only U+0000 can't be looked for.
            expect(status).equals(q.includes('\0') ? 422 : 200);
            if (status === 200) expect(json['page']).equals(page);
          },
        ),
        { numRuns: 100 },
      );
    });
  });

  describe('401', () => {
    it('without a key', async () => expect((await service().send('/api/search')).status).equals(401));
  });

  describe('422', () => {
    for (const query of [
      `q=${'x'.repeat(257)}`,
      'q=%00',
      'page=0',
      'page_size=101',
      'sort=score',
      'order=down',
      'type=Folder',
      'min_score=101',
      'min_score=high',
      'facets=path',
      'cursor=none',
      'cursor=WzIwLG51bGxd&sort=name&cursor=WzIwLG51bGxd',
      `cursor=${Buffer.from('[9999,null]').toString('base64url')}`,
      `cursor=${Buffer.from('[9,[1,"a","b"]]').toString('base64url')}&sort=name`,
      'fields=id,secret',
      'query=payment',
    ])
      it(query.slice(0, 30), async () => expect((await service().get(`/api/search?${query}`)).status).equals(422));

    it('page * page_size beyond 10000 is page_out_of_range', async () => {
      expect((await service().get('/api/search?page=500&page_size=20')).status).equals(200);
      const { status, json } = await service().get('/api/search?page=501&page_size=20');
      expect([status, json['code']]).deep.equals([422, 'page_out_of_range']);
    });
  });
});

describeService(
  'GET /api/search, when the search store does not answer',
  (service) => {
    describe('503', () => {
      it('tells which dependency; other routes go on', async () => {
        const { status, json } = await service().get('/api/search');
        expect([status, json['dependency']]).deep.equals([503, 'search']);
        expect((await service().get('/api/graph')).status).equals(200);
      });
    });
  },
  ({ search }) => ({
    search: {
      ...search,
      within: (names) => ({
        ...search.within(names),
        search: () => Promise.reject(new StoreUnavailable('search')),
      }),
    },
  }),
);
