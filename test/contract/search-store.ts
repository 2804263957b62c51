import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { NodeType } from '../../src/model/graph.ts';
import type { IndexedDocument, SearchDocument } from '../../src/model/search-document.ts';
import type { SearchFilters } from '../../src/search/ranking/query.ts';
import { contentLevels, type SearchQuery, type SearchStore } from '../../src/stores/search/port.ts';

/** What every search store promises, checked on one engine; `open` gives an empty store, which the contract closes. */
export function searchStoreContract(name: string, open: () => Promise<SearchStore>): void {
  describe(`search store contract: ${name}`, () => {
    let store: SearchStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const load = (repository: string, documents: SearchDocument[], generation = 'one') =>
      store.replaceRepository({ repository, generation, documents });
    const search = (text: string, more: Partial<SearchQuery> = {}) =>
      store.everything.search({ ...EVERYTHING, text, ...more });
    const names = async (text: string, more: Partial<SearchQuery> = {}) =>
      (await search(text, more)).hits.map(({ document }) => document.name);

    describe('replaceRepository', () => {
      it('gives documents back as they came, whatever they hold', async () => {
        const documents = NAUGHTY.map((text, i) =>
          document('odd', text, {
            doc: text,
            path: text,
            id: `odd/${i}`,
            updated_at: '2026-01-02T03:04:05Z',
            centrality: 0.25,
          }),
        );
        await load('odd', documents);
        const { hits, total } = await search('', { sort: 'name', order: 'asc' });
        expect(total).to.equal(documents.length);
        expect(new Map(hits.map(({ document: each }) => [each.id, each]))).to.deep.equal(
          new Map(documents.map((each) => [each.id, each])),
        );
      });

      it('puts the new documents in place of all the old ones', async () => {
        await load('koa', [document('koa', 'oldest'), document('koa', 'kept')]);
        await load('koa', [document('koa', 'kept'), document('koa', 'brandNew')], 'two');
        expect(await names('')).to.have.members(['kept', 'brandNew']);
        expect(await names('oldest')).to.deep.equal([]);
        expect(await names('brand')).to.deep.equal(['brandNew']);
        expect(await store.generations()).to.deep.equal(new Map([['koa', 'two']]));
      });

      it('changes nothing when the generation is the one held', async () => {
        await load('koa', [document('koa', 'first')]);
        await load('koa', [document('koa', 'second')]);
        expect(await names('')).to.deep.equal(['first']);
      });

      it('keeps the old documents, and the store usable, when the stream of the new ones fails', async () => {
        await load('koa', [document('koa', 'first')]);
        const failure = await store
          .replaceRepository({ repository: 'koa', generation: 'two', documents: failing(document('koa', 'half')) })
          .then(
            () => null,
            (error: unknown) => error,
          );
        expect(failure).to.have.property('message', 'no more');
        expect(await names('')).to.deep.equal(['first']);
        expect(await names('half')).to.deep.equal([]);
        await load('koa', [document('koa', 'third')], 'three');
        expect(await names('')).to.deep.equal(['third']);
      });

      it('shows the old repository or the new one, never half, to those who search meanwhile', async () => {
        const version = (v: number) =>
          Array.from({ length: 400 }, (_, i) => document('koa', `v${v}_${String(i).padStart(3, '0')}`));
        await load('koa', version(1), 'v1');
        let done = false;
        const writing = (async () => {
          for (const v of [2, 3]) await load('koa', version(v), `v${v}`);
          done = true;
        })();
        while (!done) {
          const { hits, total } = await search('', { sort: 'name', order: 'asc', limit: 400 });
          expect(total).to.equal(400);
          expect(new Set(hits.map(({ document: each }) => each.name.split('_')[0]))).to.have.property('size', 1);
          await setImmediate();
        }
        await writing;
        expect((await names('', { limit: 1, sort: 'name', order: 'asc' }))[0]).to.equal('v3_000');
      });
    });

    describe('removeRepository', () => {
      it('leaves nothing of it behind, and nothing else touched', async () => {
        await load('koa', [document('koa', 'onlyInKoa'), contributor('ann')]);
        await load('express', [document('express', 'inExpress')]);
        expect(await store.removeRepository('koa')).to.equal(true);
        expect(await names('')).to.deep.equal(['inExpress']);
        expect(await names('onlyInKoa')).to.deep.equal([]);
        expect(await names('onlyInKoo')).to.deep.equal([]);
        expect(await store.generations()).to.deep.equal(new Map([['express', 'one']]));
      });

      it('is false when there was none', async () => {
        expect(await store.removeRepository('nobody')).to.equal(false);
      });
    });

    describe('documents', () => {
      it('gives all of one repository and no other, as they came, contributors too that another one shows', async () => {
        const documents = [...NAUGHTY.map((text, i) => document('koa', text, { id: `koa/${i}` })), contributor('ann')];
        await load('express', [document('express', 'other'), contributor('ann', { doc: 'of express' })]);
        await load('koa', documents);
        const byId = (all: SearchDocument[]) => all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        expect(byId(await Array.fromAsync(store.documents('koa')))).to.deep.equal(byId(documents));
        await load('koa', documents.slice(0, 1), 'two');
        expect(await Array.fromAsync(store.documents('koa'))).to.deep.equal(documents.slice(0, 1));
        expect(await Array.fromAsync(store.documents('nobody'))).to.deep.equal([]);
      });
    });

    describe('contributors', () => {
      it('are found once, as the first of their repositories by name has them, until the last one goes', async () => {
        await load('koa', [contributor('ann', { doc: 'of koa' }), contributor('bob')]);
        await load('express', [contributor('ann', { doc: 'of express' })]);
        const found = async () =>
          (await search('', { sort: 'name', order: 'asc' })).hits.map(({ document: each }) => [each.name, each.doc]);
        expect(await found()).to.deep.equal([
          ['ann', 'of express'],
          ['bob', null],
        ]);
        expect((await search('ann')).total).to.equal(1);
        await store.removeRepository('express');
        expect(await found()).to.deep.equal([
          ['ann', 'of koa'],
          ['bob', null],
        ]);
        await load('koa', [contributor('bob')], 'two');
        expect(await found()).to.deep.equal([['bob', null]]);
      });
    });

    describe('what a text finds', () => {
      beforeEach(async () => {
        await load('shop', [
          document('shop', 'getUserProfile', { path: 'src/users/profile.ts', doc: 'Reads the profile of a customer.' }),
          document('shop', 'get', { path: 'src/http/verbs.ts' }),
          document('shop', 'HTTPServer2', { type: 'Class', path: 'src/http/server.ts' }),
          document('shop', 'snake_case_name', { qualified_name: 'Naming.snake_case_name' }),
          document('shop', 'OAuth2Client', { type: 'Class' }),
          document('shop', 'café', { doc: 'Smalltalk bei Kaffee' }),
          document('shop', '名前空間'),
          document('shop', '$'),
          document('shop', 'parseDocument', { test: true, centrality: 1 }),
          document('shop', 'parse', { centrality: 0 }),
        ]);
      });

      const cases: [need: string, text: string, wanted: string[]][] = [
        ['an exact name', 'getUserProfile', ['getUserProfile']],
        ['an exact name in another spelling', 'get_user_profile', ['getUserProfile']],
        ['a qualified name', 'Naming.snake_case_name', ['snake_case_name']],
        ['parts of a name in any order', 'profile user', ['getUserProfile']],
        ['the beginning of a name', 'getUs', ['getUserProfile']],
        ['the beginning of any part', 'prof', ['getUserProfile']],
        ['several parts typed in one', 'userprof', ['getUserProfile']],
        ['an acronym as people split it', 'http server', ['HTTPServer2']],
        ['all of three words, then some of them', 'http server 2', ['HTTPServer2', 'OAuth2Client', 'get']],
        ['an acronym typed in one', 'httpserver', ['HTTPServer2']],
        ['a capital that is no part', 'oauth', ['OAuth2Client']],
        ['a word of a snake_case name', 'CASE', ['snake_case_name']],
        ['a fragment of a path', 'users/profile.ts', ['getUserProfile']],
        ['a word of the documentation', 'customer', ['getUserProfile']],
        ['words of different fields', 'customer users', ['getUserProfile']],
        ['a name without its accent', 'cafe', ['café']],
        ['a name with a decomposed accent', 'cafe\u0301', ['café']],
        ['a part of a name without spaces', '空間', ['名前空間']],
        ['a name that has no letter', '$', ['$']],
        ['a letter left out', 'getUserProfle', ['getUserProfile']],
        ['two letters swapped', 'pasre', ['parse', 'parseDocument']],
        ['two typos in a long word', 'snakecasname', ['snake_case_name']],
        ['a name as far as it is typed, part of a part', 'HttpSer', ['HTTPServer2']],
        ['a name as far as it is typed, in another spelling', 'http_se', ['HTTPServer2']],
        ['a qualified name as far as it is typed', 'naming.snakeca', ['snake_case_name']],
        ['the first letters of its parts', 'gUP', ['getUserProfile']],
        ['first letters as far as they are typed', 'SCN', ['snake_case_name']],
        ['a plural', 'customers', ['getUserProfile']],
        ['words of a sentence that are not there', 'the profile of which a customer is', ['getUserProfile']],
        ['some of the words where nothing has all', 'reads the profile of some customer', ['getUserProfile']],
        ['nothing where nothing fits', 'zebra', []],
        ['what has one word where nothing has both', 'customer zebra', ['getUserProfile']],
        ['parts where nothing has the whole', 'parse_customer', ['parse', 'getUserProfile', 'parseDocument']],
        ['other forms of words', 'reading profiles', ['getUserProfile']],
      ];
      for (const [need, text, wanted] of cases) {
        it(`${need}: ${JSON.stringify(text)}`, async () => {
          const { hits, total } = await search(text);
          expect(hits.map(({ document: each }) => each.name)).to.deep.equal(wanted);
          expect(total).to.equal(wanted.length);
        });
      }

      it('says where not all words had to be found, and which nobody has', async () => {
        const leftOut = async (text: string) => (await search(text)).leftOut;
        expect(await leftOut('customer profile')).to.equal(null);
        expect(await leftOut('customer zebra')).to.deep.equal(['zebra']);
        expect(await leftOut('http customer')).to.deep.equal([]);
        expect(await leftOut('zebra quagga')).to.equal(null);
      });

      it('puts what has a rarer word first', async () => {
        const common = Array.from({ length: 20 }, (_, i) => document('rare', `handler${i}`));
        await load('rare', [...common, document('rare', 'plain', { doc: 'Understands quaternions.' })]);
        const { hits } = await search('which handler understands some quaternions', { repositories: ['rare'] });
        expect(hits).to.have.length(21);
        expect(hits[0]?.document.name).to.equal('plain');
      });

      it('finds a phrase only where its words follow one another, in one field', async () => {
        expect(await names('', { phrases: ['user profile'] })).to.deep.equal(['getUserProfile']);
        expect(await names('', { phrases: ['profile of a customer'] })).to.deep.equal(['getUserProfile']);
        for (const phrase of ['profile user', 'get profile', 'profile customer', 'profile reads'])
          expect(await names('', { phrases: [phrase] }), phrase).to.deep.equal([]);
        expect(await names('user', { phrases: ['get user', 'profile of'] })).to.deep.equal(['getUserProfile']);
      });

      it('needs no phrase where that is nowhere and there are words beside it, and says so', async () => {
        const ask = async (text: string, more: Partial<SearchQuery>) => {
          const { hits, leftOut } = await search(text, more);
          return [hits.map(({ document: each }) => each.name), leftOut];
        };
        const phrases = ['profile of users'];
        const found = [['getUserProfile'], ['"profile of users"']];
        expect(await ask('reads "profile of users"', { phrases })).to.deep.equal(found);
        const [names] = found;
        expect(await ask('reads of a customer', { phrases: ['of a customer'] })).to.deep.equal([names, null]);
        expect(await ask('reads profile of users', { phrases, kinds: ['class'] })).to.deep.equal([[], null]);
        expect(await ask('profile of users', { phrases })).to.deep.equal([[], null]);
      });

      it('leaves out what has a word or phrase that is not wanted', async () => {
        expect(await names('get', { without: ['customer'] })).to.deep.equal(['get']);
        expect(await names('get', { without: ['user profile'] })).to.deep.equal(['get']);
        expect(await names('get', { without: ['profile user'] })).to.deep.equal(['get', 'getUserProfile']);
        expect(await names('', { without: ['get', 'parse'], types: ['Class'] })).to.have.members([
          'HTTPServer2',
          'OAuth2Client',
        ]);
      });

      it('says where the words are, as a reader would underline them', async () => {
        const marked = async (text: string) => {
          const [hit] = (await search(text)).hits;
          return Object.fromEntries(
            (hit?.highlights ?? []).map(({ field, ranges }) => [
              field,
              ranges.map(([start, end]) => String(hit?.document[field]).slice(start, end)),
            ]),
          );
        };
        expect(await marked('user customers')).to.deep.equal({ name: ['User'], path: ['users'], doc: ['customer'] });
        expect(await marked('getUserProfle')).to.deep.equal({
          name: ['getUserProfile'],
          path: ['users', 'profile'],
          doc: ['profile'],
        });
        expect(await marked('http_serv')).to.deep.equal({ name: ['HTTPServer'], path: ['http', 'server'] });
        expect(await marked('userprof')).to.deep.equal({ name: ['UserProfile'] });
        expect(await marked('cafe')).to.deep.equal({ name: ['café'] });
        expect(await marked('名前')).to.deep.equal({ name: ['名前'] });
        expect((await search('')).hits.flatMap(({ highlights }) => highlights)).to.deep.equal([]);
      });

      it('explains each score as the sum of its parts', async () => {
        await load('much', [
          document('much', 'parseMuch', {
            type: 'Class',
            centrality: 1,
            usage: 20,
            health: 1,
            updated_at: '2026-01-01T00:00:00Z',
          }),
        ]);
        const { hits } = await search('parse');
        for (const { score, breakdown } of hits) {
          const sum = Object.values(breakdown).reduce((a, b) => a + b);
          expect(sum).to.be.closeTo(score, 1e-9);
        }
        const of = (name: string) => hits.find(({ document: each }) => each.name === name)!.breakdown;
        const much = of('parseMuch');
        for (const part of ['centrality', 'usage', 'health', 'recency', 'kind'] as const)
          expect(much[part], part).to.be.greaterThan(of('parse')[part]);
        expect(much.penalty).to.equal(0);
        expect(of('parseDocument').penalty).to.be.below(-1);
        expect(much.text).to.be.below(of('parse').text);
        expect((await names('parse'))[0]).to.equal('parse');
      });

      it('puts the exact name on top, whatever else a document has for it', async () => {
        expect(await names('get')).to.deep.equal(['get', 'getUserProfile']);
        expect(await names('parse')).to.deep.equal(['parse', 'parseDocument']);
        const [first, second] = (await search('PARSE')).hits;
        expect(first?.document.name).to.equal('parse');
        expect(first!.score).to.be.greaterThan(second!.score);
      });

      it('puts the name that begins as typed above those that hold the parts elsewhere, at each letter', async () => {
        const others = ['SearchQuery', 'query_and_select', 'setQuery', 'stringOfQuery', 'us_forget', 'serveHttp'];
        const best = { type: 'Repository', centrality: 1, qualified_name: 'Sql.Query.settings' } as const;
        await load('django', [
          document('django', 'QuerySet'),
          document('django', 'http_server'),
          document('django', 'getUser'),
          ...others.map((each) => document('django', each, best)),
        ]);
        for (const [text, wanted] of [
          ['QueryS', 'QuerySet'],
          ['QuerySe', 'QuerySet'],
          ['query_se', 'QuerySet'],
          ['getus', 'getUser'],
          ['getUs', 'getUser'],
          ['http_server', 'http_server'],
        ] as const) {
          expect((await names(text, { repositories: ['django'] }))[0], text).to.equal(wanted);
        }
      });

      it('finds a name of several parts mistyped, also where each part as typed begins something', async () => {
        await load('django', [
          document('django', 'QuerySet'),
          document('django', 'Query', { type: 'Class', doc: 'Strings of a query.', centrality: 1 }),
          document('django', 'start', { type: 'Class', qualified_name: 'Sql.Query.start', centrality: 1 }),
        ]);
        expect(await names('QuerySt')).to.deep.equal(['QuerySet', 'start', 'Query']);
        expect(await names('Query_Sett')).to.deep.equal(['QuerySet']);
      });

      it('tells a name without letters from one of digits', async () => {
        await load('digits', [document('digits', '24')]);
        expect(await names('$')).to.deep.equal(['$']);
        expect(await names('24')).to.deep.equal(['24']);
      });

      it('scores from 0 to 100, and sorts by what is asked for', async () => {
        const { hits } = await search('');
        expect(hits).to.have.length(10);
        for (const { score, relevance } of [...hits, ...(await search('get')).hits]) {
          expect(score).to.be.within(1, 100);
          expect(relevance).to.be.within(score, 100);
        }
        const scores = hits.map(({ score }) => score);
        expect(scores).to.deep.equal(scores.toSorted((a, b) => b - a));
        expect(await names('', { order: 'asc' })).to.deep.equal((await sorted(hits, 1)).map(({ name: each }) => each));
      });

      it('never fails and never gives more than fits, whatever is typed', async () => {
        for (const text of [
          ...NAUGHTY,
          'a'.repeat(256),
          'a '.repeat(128),
          'AbC1'.repeat(64),
          '"'.repeat(256),
          '\ud800',
          '\u0000',
        ]) {
          const { hits, total } = await search(text);
          expect(hits.length, text).to.equal(Math.min(total, 50));
        }
        await fc.assert(
          fc.asyncProperty(fc.string({ maxLength: 256, unit: 'binary' }), async (text) => {
            const { hits, total } = await search(text);
            expect(hits.length).to.equal(total);
            const narrowed = { phrases: [text], without: [text], paths: [text], frameworks: [text], languages: [text] };
            expect((await search('', narrowed)).total).to.equal(0);
            expect((await search('', { without: [text], repositories: ['shop'] })).total).to.be.at.most(10);
          }),
          { numRuns: 60 },
        );
      });
    });

    describe('filters, order and pages', () => {
      beforeEach(async () => {
        await load('a', [
          document('a', 'a', { id: 'a', type: 'Repository', language: null }),
          document('a', 'run', { language: 'go', centrality: 0.9 }),
          document('a', 'run', {
            language: 'go',
            id: 'a/other.go#run',
            path: 'lib/http/routes.go',
            frameworks: ['Express'],
          }),
          document('a', 'Runner', { language: 'go', type: 'Class' }),
        ]);
        await load('b', [
          document('b', 'run', { language: 'python' }),
          document('b', 'walk', { language: 'python', path: 'lib/http/parser.py', frameworks: ['Flask', 'Jinja'] }),
          contributor('ann'),
        ]);
      });

      it('counts exactly what the filters let through', async () => {
        const total = async (text: string, more: Partial<SearchQuery>) => (await search(text, more)).total;
        expect(await total('', {})).to.equal(7);
        expect(await total('', { types: ['Class', 'Repository'] })).to.equal(2);
        expect(await total('', { repositories: ['b'] })).to.equal(2);
        expect(await total('', { languages: ['go'] })).to.equal(3);
        expect(await total('', { types: ['Contributor'] })).to.equal(1);
        expect(await total('', { types: [] })).to.equal(0);
        expect(await total('', { repositories: ['nobody'] })).to.equal(0);
        expect(await total('run', {})).to.equal(4);
        expect(await total('run', { types: ['Function'] })).to.equal(3);
        expect(await total('run', { types: ['Function'], repositories: ['a'], languages: ['go'] })).to.equal(2);
        expect(await total('run', { repositories: ["a' OR 1=1 --"] })).to.equal(0);
        expect(await total('run', { languages: ['GO', 'Python'] })).to.equal(4);
        expect(await total('', { frameworks: ['Flask'] })).to.equal(1);
        expect(await total('', { frameworks: ['flask', 'express'] })).to.equal(2);
        expect(await total('', { frameworks: ['fla'] })).to.equal(0);
        expect(await total('', { paths: ['lib'] })).to.equal(2);
        expect(await total('', { paths: ['lib/http', 'par'] })).to.equal(1);
        expect(await total('run', { paths: ['http/lib/routes'] })).to.equal(1);
        expect(await total('', { paths: ['li', 'zebra'] })).to.equal(0);
      });

      it('lets through repositories by their licence, of one version or whichever, and by their topics', async () => {
        const about = (name: string, license: string, topics: string[] = []) =>
          load(name, [document(name, name, { id: name, type: 'Repository', license, topics }), document(name, 'run')]);
        await about('c', 'Apache-2.0 OR MIT', ['Web Framework', 'HTTP']);
        await about('d', 'GPL-3.0-or-later', ['web_framework']);
        await about('e', 'LGPL-2.1');
        const found = async (filters: SearchFilters) =>
          (await search('', { ...filters, sort: 'name', order: 'asc' })).hits.map(({ document: each }) => each.name);
        expect(await found({ licenses: ['mit'] })).to.deep.equal(['c']);
        expect(await found({ licenses: ['GPL'] })).to.deep.equal(['d']);
        expect(await found({ licenses: ['gpl-3.0', 'Apache-2.0'] })).to.deep.equal(['c', 'd']);
        expect(await found({ licenses: ['or'] })).to.deep.equal([]);
        expect(await found({ topics: ['web-framework'] })).to.deep.equal(['c', 'd']);
        expect(await found({ topics: ['Web framework'], licenses: ['mit'] })).to.deep.equal(['c']);
        expect(await found({ topics: ['web'] })).to.deep.equal([]);
        const left = await search('', { types: ['Repository'], excluded: { licenses: ['lgpl'] } });
        expect(left.hits.map(({ document: each }) => each.name).sort()).to.deep.equal(['a', 'c', 'd']);
      });

      it('leaves out what any filter of exclusion lets through', async () => {
        const left = async (excluded: SearchFilters, text = '') => (await search(text, { excluded })).total;
        expect(await left({})).to.equal(7);
        expect(await left({ types: ['Function', 'Contributor'] })).to.equal(2);
        expect(await left({ types: ['Repository'], languages: ['GO'] })).to.equal(3);
        expect(await left({ repositories: ['a'], frameworks: ['jinja'] })).to.equal(2);
        expect(await left({ paths: ['lib/http'] })).to.equal(5);
        expect(await left({ paths: ['routes', 'parser'] })).to.equal(5);
        expect(await left({ types: [] })).to.equal(7);
        expect(await left({ repositories: ['b'] }, 'run')).to.equal(3);
      });

      it('lets through what reaches the lowest score', async () => {
        const { hits } = await search('run');
        for (const { score } of hits) {
          const { total, hits: left } = await search('run', { minScore: score });
          expect(left.map((hit) => hit.score)).to.deep.equal(
            hits.map((hit) => hit.score).filter((each) => each >= score),
          );
          expect(total).to.equal(left.length);
        }
        expect((await search('run', { minScore: 100 })).total).to.equal(0);
        expect((await search('', { minScore: 0 })).total).to.equal(7);
        expect((await search('run', { minScore: hits[0]!.score, sort: 'name' })).total).to.equal(1);
      });

      it('counts all that matches by type, language and repository, the most frequent first', async () => {
        const facets = ['type', 'language', 'repo'] as const;
        expect((await search('', { facets, limit: 1 })).facets).to.deep.equal({
          type: [
            { value: 'Function', count: 4 },
            { value: 'Class', count: 1 },
            { value: 'Contributor', count: 1 },
            { value: 'Repository', count: 1 },
          ],
          language: [
            { value: 'go', count: 3 },
            { value: 'python', count: 2 },
          ],
          repo: [
            { value: 'a', count: 4 },
            { value: 'b', count: 2 },
          ],
        });
        const run = await search('run', { facets: ['repo'], types: ['Function'] });
        expect(run.facets).to.deep.equal({
          repo: [
            { value: 'a', count: 2 },
            { value: 'b', count: 1 },
          ],
        });
        const best = run.hits[0]!.score;
        expect((await search('run', { facets: ['type'], minScore: best })).facets).to.deep.equal({
          type: [{ value: 'Function', count: 1 }],
        });
      });

      it('orders by name, by relevance or by composite score, ties by name, then id', async () => {
        const order = async (text: string, more: Partial<SearchQuery>) =>
          (await search(text, more)).hits.map(({ document: each }) => each.id);
        expect(await order('', { sort: 'name', order: 'asc' })).to.deep.equal([
          'a/lib.ts#Runner',
          'a',
          'contributor:ann',
          'a/lib.ts#run',
          'a/other.go#run',
          'b/lib.ts#run',
          'b/lib.ts#walk',
        ]);
        expect(await order('', { sort: 'name', order: 'desc', types: ['Function'] })).to.deep.equal([
          'b/lib.ts#walk',
          'a/lib.ts#run',
          'a/other.go#run',
          'b/lib.ts#run',
        ]);
        expect(await order('run', { sort: 'relevance', order: 'desc' })).to.deep.equal([
          'a/lib.ts#run',
          'a/other.go#run',
          'b/lib.ts#run',
          'a/lib.ts#Runner',
        ]);
        expect(await order('run', { sort: 'relevance', order: 'asc' })).to.deep.equal([
          'a/lib.ts#Runner',
          'a/lib.ts#run',
          'a/other.go#run',
          'b/lib.ts#run',
        ]);
        expect((await order('run', {}))[0]).to.equal('a/lib.ts#run');
      });

      it('gives every hit once over all pages, and none behind the last', async () => {
        for (const text of ['', 'run']) {
          for (const sort of ['composite_score', 'relevance', 'name'] as const) {
            const whole = (await search(text, { sort })).hits;
            const paged = [];
            for (let offset = 0; offset < whole.length + 2; offset += 2) {
              const { hits, total } = await search(text, { sort, offset, limit: 2 });
              expect(total).to.equal(whole.length);
              paged.push(...hits);
            }
            expect(paged).to.deep.equal(whole);
          }
        }
        expect(await search('', { offset: 5000, limit: 20 })).to.deep.equal({
          hits: [],
          end: null,
          total: 7,
          leftOut: null,
          facets: {},
        });
      });
    });

    describe('behind a hit', () => {
      const walk = async (text: string, asked: Partial<SearchQuery>, between?: () => Promise<void>) => {
        const found = [];
        for (let after: SearchQuery['after'] = null, offset = 0; ;) {
          const { hits, end } = await search(text, { ...asked, offset, after, limit: 3 });
          found.push(...hits);
          offset += hits.length;
          if (hits.length < 3) return found;
          after = end;
          await between?.();
        }
      };

      it('goes on in every order, and gives what pages by number give', async () => {
        for (const text of ['', 'run'])
          for (const sort of ['composite_score', 'relevance', 'name'] as const)
            for (const order of ['desc', 'asc'] as const) {
              const whole = (await search(text, { sort, order })).hits;
              expect(await walk(text, { sort, order }), `${sort} ${order}`).to.deep.equal(whole);
            }
      });

      it('repeats and drops nothing of what was there, whatever is loaded in between', async () => {
        await load(
          'many',
          Array.from({ length: 20 }, (_, n) => document('many', `item${n}`)),
        );
        for (const sort of ['composite_score', 'name'] as const) {
          let loads = 0;
          const asked = { sort, order: sort === 'name' ? 'asc' : 'desc' } as const;
          const before = (await search('item', { ...asked, repositories: ['many'] })).hits.map(
            ({ document }) => document.id,
          );
          const found = await walk('item', asked, () =>
            load(
              `new${sort}`,
              [document(`new${sort}`, `item0${++loads}`), document(`new${sort}`, `item99${loads}`)],
              `${loads}`,
            ),
          );
          const ids = found.map(({ document: { id } }) => id);
          expect(new Set(ids).size, 'each once').to.equal(ids.length);
          expect(ids.filter((id) => id.startsWith('many/')).toSorted()).to.deep.equal(before.toSorted());
        }
      });
    });

    describe('words of bodies', () => {
      beforeEach(async () => {
        await load('shop', [
          document('shop', 'send', { words: ['invoice', 'retry', 'timeout'] }),
          document('shop', 'retryLater', { words: ['clock'] }),
          document('shop', 'other', { words: ['invoice'] }),
        ]);
      });

      const cases: [says: string, query: Partial<SearchQuery> & { text: string }, wanted: string[]][] = [
        ['find what a sentence is about', { text: 'why is the invoice sent after a timeout' }, ['send', 'other']],
        ['come after names', { text: 'when to retry an unheard clock invoice' }, ['retryLater', 'send', 'other']],
        ['are in other forms too', { text: 'unheard invoices' }, ['send', 'other']],
        ['are found by no name that is typed', { text: 'invoice' }, []],
        ['are no phrase', { text: 'unheard', phrases: ['invoice retry'] }, []],
        ['do not rule out', { text: 'retry', without: ['clock'] }, ['retryLater']],
      ];
      for (const [says, { text, ...more }, wanted] of cases)
        it(`${says}: ${text}`, async () => {
          const { hits } = await search(text, more);
          expect(hits.map(({ document: each }) => each.name)).to.deep.equal(wanted);
        });
    });

    describe('texts of files', () => {
      beforeEach(() =>
        load('shop', [
          document('shop', 'send', { path: 'src/mail.ts' }),
          file('shop', 'src/mail.ts', 'send the invoice, then wait for the heron'),
          file('shop', 'src/birds.ts', 'heron, herons and the heronry of a heron; send'),
          file('shop', 'test/birds.ts', 'send a heron', { test: true }),
        ]),
      );
      const found = async (text: string, more: Partial<SearchQuery> = {}) =>
        (await search(text, more)).hits.map(({ document: { id } }) => id);

      it('are found by sentences whose words no name has, what has more of them first, tests last', async () => {
        expect(await found('where do herons nest')).to.deep.equal([
          'shop/src/birds.ts',
          'shop/src/mail.ts',
          'shop/test/birds.ts',
        ]);
        expect((await search('where do herons nest')).leftOut).to.deep.equal(['where', 'do', 'nest']);
      });

      it('give their place to the functions and classes that they have', async () => {
        const first = await found('who is sending the heron invoice');
        expect(first.indexOf(document('shop', 'send').id)).to.equal(0);
        expect(first).to.include('shop/src/mail.ts');
      });

      it('are found by small words where nobody has another one', async () => {
        expect(await found('what astonishes the')).to.have.members(['shop/src/birds.ts', 'shop/src/mail.ts']);
      });

      it('are not found by a name that is typed, but by their path', async () => {
        expect(await found('heron')).to.deep.equal([]);
        expect(await found('send')).to.deep.equal([document('shop', 'send').id]);
        expect((await found('birds')).toSorted()).to.deep.equal(['shop/src/birds.ts', 'shop/test/birds.ts']);
      });

      it('are filtered as all else, and come back without what they are found by', async () => {
        expect(await found('where do herons nest', { paths: ['src/mail'] })).to.deep.equal(['shop/src/mail.ts']);
        expect(await found('where do herons nest', { excluded: { types: ['File'] } })).to.deep.equal([]);
        const kept = (await Array.fromAsync(store.documents('shop'))).filter(({ type }) => type === 'File');
        expect(kept).to.have.length(3);
        for (const each of kept) expect(each).not.to.have.property('content');
      });

      it('of any length keep to themselves, also beside others', async () => {
        const long = Array.from(
          { length: 3_000 },
          (_, i) => `w${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i % 11)}y${'z'.repeat(i % 7)}`,
        );
        const words = Array.from(
          { length: 5_000 },
          (_, i) => `q${String(i).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`,
        );
        await load('long', [
          file('long', 'src/a.ts', [...long, ...words].join(' ')),
          file('long', 'src/b.ts', 'heron'),
        ]);
        expect(await found('where do herons nest', { repositories: ['long'] })).to.deep.equal(['long/src/b.ts']);
      });
    });

    describe('a text that stands in the code as it is typed', () => {
      beforeEach(() =>
        load('shop', [
          document('shop', 'invoice_is_overdue', { path: 'src/other.ts' }),
          document('shop', 'remind', { id: 'shop/1', path: 'src/mail.ts', qualified_name: 'Mail.remind' }),
          document('shop', 'remind', { id: 'shop/2', path: 'src/mail.ts', qualified_name: 'Letter.remind' }),
          document('shop', 'remind', { id: 'shop/3', path: 'x/src/mail.ts', qualified_name: 'Mail.remind' }),
          file('shop', 'src/bill.ts', 'nothing of an overdue invoice'),
          file('shop', 'x/src/bill.ts', 'nothing of it'),
          document('shop', 'bill', { id: 'shop/4', path: 'src/bill.ts' }),
        ]),
      );
      const quoted = [
        { id: 'shop/1', repository: 'shop', path: 'src/mail.ts', name: 'remind' },
        { id: 'shop/src/bill.ts', repository: 'shop', path: 'src/bill.ts', name: null },
      ];
      const ids = ['shop/1', 'shop/src/bill.ts'];
      const found = async (text: string, more: Partial<SearchQuery> = {}) =>
        (await search(text, { quoted, ...more })).hits.map(({ document: { id } }) => id);

      it('comes before what has its words, a file too, and after what is named so', async () => {
        const text = 'remind that the bill is long overdue';
        expect((await found(text)).slice(0, 2)).to.have.members(ids);
        expect(await found(text)).to.include.members(['shop/2', 'shop/3', 'shop/4']);
        const { hits } = await search(text, { quoted });
        expect(hits.slice(0, 2).map(({ relevance }) => relevance)).to.deep.equal([87, 87]);
        expect((await search('invoice is overdue', { quoted })).hits[0]?.document.name).to.equal('invoice_is_overdue');
      });

      it('is that document alone, whatever has its name or path', async () => {
        expect(await found('wholly unheard words')).to.have.members(ids);
        expect(await found('wholly unheard words', { phrases: ['wholly unheard words'] })).to.have.members(ids);
        // Nor what has the id of one place and the path of another.
        const moved = { id: 'shop/src/bill.ts', repository: 'shop', path: 'src/other.ts', name: null };
        expect(
          await found('wholly unheard words', { quoted: [moved, { ...moved, id: 'shop/9', path: 'src/bill.ts' }] }),
        ).to.deep.equal([]);
      });

      it('is filtered as all else, and on one page alone', async () => {
        const text = 'wholly unheard words';
        expect(await found(text, { types: ['File'] })).to.deep.equal(['shop/src/bill.ts']);
        const pages = await Promise.all([0, 1, 2].map((offset) => found(text, { offset, limit: 1 })));
        expect(pages.flat()).to.have.members(ids);
        expect(await found(text, { excluded: { repositories: ['shop'] } })).to.deep.equal([]);
        expect(
          await found(text, { quoted: quoted.map((each) => ({ ...each, repository: 'none', id: 'none/1' })) }),
        ).to.deep.equal([]);
      });

      it('takes nothing away from what is found by some of the words', async () => {
        const without = await found('bill unheard', { quoted: [] });
        expect(without).to.include('shop/4');
        expect(await found('bill unheard')).to.include.members([...without, 'shop/1']);
      });
    });

    describe('sentences', () => {
      const text = 'where are unheard invoices sent again after timeouts';
      const spread = (count: number) =>
        Array.from({ length: count }, (_, i) =>
          document('shop', `send_${String(i).padStart(3, '0')}`, { path: `lib/other${i}.ts`, words: ['timeout'] }),
        );

      it('find first the item in whose file the other words are', async () => {
        await load('shop', [
          document('shop', 'Invoice', { id: 'shop/1', path: 'lib/ledger.ts', type: 'Class' }),
          document('shop', 'Invoice', { id: 'shop/2', path: 'lib/retry.ts', type: 'Class' }),
          file('shop', 'lib/ledger.ts', 'invoices and what was paid'),
          file('shop', 'lib/retry.ts', 'invoices, sent again after a timeout'),
        ]);
        const invoices = async (asked: string) =>
          (await search(asked)).hits.flatMap(({ document: { id, name: each } }) => (each === 'Invoice' ? [id] : []));
        expect(await invoices(text)).to.deep.equal(['shop/2', 'shop/1']);
        expect(await invoices('invoices timeouts')).to.deep.equal(['shop/1', 'shop/2']);
      });

      it('show another file before more and more of one that is hardly better', async () => {
        const same = (i: number) => document('shop', `sendInvoice${i}`, { path: 'src/mail/send.ts' });
        await load('shop', [
          ...Array.from({ length: 12 }, (_, i) => same(i)),
          document('shop', 'send_invoices', { path: 'src/paper/post.ts', words: [] }),
        ]);
        expect((await names(text)).slice(0, 5)).to.include('send_invoices');
      });

      it('have a page from where another ends, also where the second step does, each item once and none above a better one', async () => {
        await load('shop', spread(450));
        const paged = [];
        for (let offset = 0; offset < 450; offset += 90)
          paged.push(...(await search(text, { offset, limit: 90 })).hits);
        expect(new Set(paged.map(({ document: { id } }) => id))).to.have.property('size', 450);
        const scores = paged.map(({ score }) => score);
        expect(scores).to.deep.equal(scores.toSorted((a, b) => b - a));
        const least = scores[100] ?? 0;
        for (const { score } of (await search(text, { minScore: least })).hits) expect(score).to.be.at.least(least);
      });

      it('of which a name has all words leave it on top', async () => {
        const whole = document('shop', 'again_send_invoice', { path: 'z/z/z/z/z/z.ts' });
        const more = document('shop', 'sends', { path: 'invoice/again/send.ts', words: ['again', 'invoice'] });
        await load('shop', [whole, more]);
        expect(await names('unheard of invoices to send again')).to.deep.equal([whole.name, more.name]);
      });

      it('that are a name leave it on top', async () => {
        const named = document('shop', 'Unheard invoices, sent', { path: 'z/z/z/z/z/z.ts', test: true });
        await load('shop', [...spread(3), named, document('shop', 'invoices_sent_unheard_of', { words: ['invoice'] })]);
        expect((await names('Unheard invoices, sent'))[0]).to.equal(named.name);
      });
    });

    describe('what is part of tests', () => {
      beforeEach(async () => {
        await load('shop', [
          document('shop', 'sends_request_of_proxy', { test: true, words: ['tunnel'] }),
          document('shop', 'send_proxy_request', { test: true }),
          document('shop', 'proxyOf', { doc: 'Of a request, where to send it through.' }),
          document('shop', 'send', { words: ['proxy'] }),
        ]);
      });
      const [ofTests, ofProduction] = [
        ['send_proxy_request', 'sends_request_of_proxy'],
        ['proxyOf', 'send'],
      ];
      const cases: [says: string, query: Partial<SearchQuery> & { text: string }, wanted: string[]][] = [
        ['is after production', { text: 'send a request through a proxy' }, [...ofProduction, ...ofTests]],
        ['is after it also where it has all words', { text: 'proxy request' }, ['proxyOf', ...ofTests]],
        ['is not, where it is asked for', { text: 'test send proxy request' }, [...ofTests, ...ofProduction]],
        ['is not, where a name is typed', { text: 'sendProxyRequest' }, ['send_proxy_request', 'proxyOf']],
      ];
      for (const [says, { text, ...more }, wanted] of cases)
        it(`${says}: ${text}`, async () => {
          const { hits } = await search(text, more);
          expect(hits.map(({ document: each }) => each.name)).to.deep.equal(wanted);
        });
    });

    describe('declared names', () => {
      beforeEach(async () => {
        await load('shop', [
          document('shop', 'run', { path: 'src/run.ts' }),
          document('shop', 'RUN', { path: 'test/run.ts', test: true }),
          document('shop', 'runFast', { kind: 'method', path: 'src/run.ts' }),
          document('shop', 'theRun', { type: 'Class', kind: 'class', centrality: 1, usage: 64 }),
        ]);
        const perfect = { usage: 64, health: 1, updated_at: '2029-12-31T00:00:00Z', language: 'go' };
        await load('stock', [
          declared('stock', 'run', { kind: 'field', ...perfect }, [
            { path: 'lib/stock.go', line: 3, in: 'Stock' },
            { path: 'lib/shelf.go', line: 8, in: 'Shelf' },
          ]),
          declared('stock', 'MAX_RUN', { kind: 'constant', ...perfect }),
          declared('stock', 'maxRuns', { kind: 'variable', test: true }),
        ]);
      });

      const found = async (text: string, more: Partial<SearchQuery> = {}) =>
        (await search(text, more)).hits.map(({ document: each }) => `${each.kind ?? each.type} ${each.name}`);

      it('come just after functions and classes of the name, and before all others', async () => {
        expect(await found('run')).to.deep.equal([
          'Function run',
          'field run',
          'Function RUN',
          'class theRun',
          'method runFast',
          'constant MAX_RUN',
          'variable maxRuns',
        ]);
        expect((await found('RUN'))[0]).to.equal('Function RUN');
        const scores = (await search('run')).hits.map(({ score }) => score);
        expect(scores[0]).to.be.at.least(90);
        expect(scores[1]).to.be.within(89.2, 89.999);
        for (const { score, breakdown } of (await search('run')).hits)
          expect(Object.values(breakdown).reduce((sum, part) => sum + part)).to.be.closeTo(score, 1e-9);
      });

      it('are found as they are typed: exactly, in another spelling, begun, by a part, in what they are declared in', async () => {
        for (const text of ['MAX_RUN', 'maxRun', 'max run', 'max_r'])
          expect((await found(text))[0], text).to.equal('constant MAX_RUN');
        expect(await found('max')).to.deep.equal(['constant MAX_RUN', 'variable maxRuns']);
        for (const text of ['Stock.run', 'Shelf.run', 'shelf.r', 'shelf run', 'lib/shelf.go'])
          expect((await found(text))[0], text).to.equal('field run');
        expect((await search('Shelf.run')).hits[0]?.score).to.be.within(89.2, 89.999);
        expect(await found('where is max declared')).to.deep.equal(['constant MAX_RUN', 'variable maxRuns']);
      });

      it('say how often and where they are declared', async () => {
        const { hits } = await search('Shelf.run');
        expect(hits[0]?.document.declared).to.deep.equal({
          count: 2,
          places: [
            { path: 'lib/stock.go', line: 3, in: 'Stock' },
            { path: 'lib/shelf.go', line: 8, in: 'Shelf' },
          ],
        });
      });

      it('are narrowed, and counted, by kind, type, language and path', async () => {
        expect(await found('run', { kinds: ['Constant', 'field'] })).to.deep.equal(['field run', 'constant MAX_RUN']);
        expect(await found('run', { kinds: ['method'] })).to.deep.equal(['method runFast']);
        expect(await found('run', { excluded: { kinds: ['class', 'method'], types: ['Declaration'] } })).to.deep.equal([
          'Function run',
          'Function RUN',
        ]);
        expect(await found('', { types: ['Declaration'], languages: ['Go'] })).to.have.length(2);
        expect(await found('run', { paths: ['lib/shelf'] })).to.deep.equal(['field run']);
        expect(await found('', { without: ['max'], repositories: ['stock'] })).to.deep.equal(['field run']);
        expect((await search('run', { facets: ['kind', 'type'] })).facets).to.deep.equal({
          kind: ['class', 'constant', 'field', 'method', 'variable'].map((value) => ({ value, count: 1 })),
          type: [
            { value: 'Declaration', count: 3 },
            { value: 'Function', count: 3 },
            { value: 'Class', count: 1 },
          ],
        });
      });

      it('change nothing of what is found of functions and classes, however many there are', async () => {
        const texts = [
          'run',
          'runFats',
          'runfast',
          'the run',
          'fast run lib',
          'rnu',
          'a run that is fast',
          'TR',
          'max',
        ];
        const nodes = async () => {
          const only = { types: ['Function', 'Class'] as const };
          const all = await Promise.all(texts.map((text) => search(text, only)));
          return all.map(({ hits }) => hits.map(({ document: { id }, score }) => [id, score]));
        };
        const before = await nodes();
        const many = Array.from({ length: 300 }, (_, i) => declared('many', `fastRuns${i}`, { kind: 'field' }));
        await load('many', [...many, declared('many', 'runFats', { kind: 'field' })]);
        expect(await nodes()).to.deep.equal(before);
      });
    });

    it('scores what has one word of several alike, however many fit, and no other search after it', async () => {
      const many = Array.from({ length: 1_050 }, (_, i) =>
        document('koa', `fetch${i}`, { doc: 'a value', test: i > 20 }),
      );
      await load('koa', [...many, document('koa', 'valueOf')]);
      const first = async (text: string) => {
        const { hits, total } = await search(text, { limit: 10 });
        return { total, points: hits.map(({ document: each, relevance }) => [each.name, relevance]) };
      };
      const alone = await first('value');
      expect(alone.points[0]).to.deep.equal(['valueOf', 76]);
      const { total, points } = await first('unheardof value');
      expect(total).to.equal(1_051);
      expect(points.slice(0, 5)).to.deep.equal([
        ['valueOf', 74],
        ['fetch0', 41.86],
        ['fetch1', 41.86],
        ['fetch2', 41.86],
        ['fetch3', 41.86],
      ]);
      expect(await first('value')).to.deep.equal(alone);
    });

    it('is empty when nothing was loaded', async () => {
      for (const text of ['', 'koa', '$'])
        expect(await search(text)).to.deep.equal({ hits: [], end: null, total: 0, leftOut: null, facets: {} });
      expect(await store.generations()).to.deep.equal(new Map());
    });
  });
}

const EVERYTHING: SearchQuery = { text: '', sort: 'composite_score', order: 'desc', offset: 0, limit: 50 };

/** A document of one symbol; what is not given is as plain as can be. */
export function document(repository: string, name: string, more: Partial<SearchDocument> = {}): SearchDocument {
  return {
    id: `${repository}/lib.ts#${name}`,
    type: 'Function',
    name,
    qualified_name: null,
    repository,
    path: null,
    line: null,
    language: null,
    kind: null,
    signature: null,
    doc: null,
    details: null,
    frameworks: [],
    exported: true,
    centrality: 0,
    usage: 0,
    health: null,
    updated_at: null,
    test: false,
    ...more,
  };
}

/** A document of a declared name. */
export function declared(
  repository: string,
  name: string,
  more: Partial<SearchDocument> = {},
  places: NonNullable<SearchDocument['declared']>['places'] = [{ path: `src/${name}.ts`, line: 1 }],
): SearchDocument {
  const [first] = places;
  return document(repository, name, {
    id: `${repository}/${first?.path}#${name}`,
    type: 'Declaration',
    qualified_name: first?.in === undefined ? null : `${first.in}.${name}`,
    path: first?.path ?? null,
    line: first?.line ?? null,
    declared: { count: places.length, places },
    ...more,
  });
}

/** A document of a file. */
export function file(
  repository: string,
  path: string,
  text: string,
  more: Partial<SearchDocument> = {},
): IndexedDocument {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const own = {
    id: `${repository}/${path}`,
    type: 'File',
    path,
    line: null,
    qualified_name: null,
    kind: null,
  } as const;
  return { ...document(repository, name, { ...own, signature: null, ...more }), content: contentLevels(path, text) };
}

/** A person or a bot, whom several repositories may have. */
export function contributor(name: string, more: Partial<SearchDocument> = {}): SearchDocument {
  const type: NodeType = 'Contributor';
  return { ...document('', name), id: `contributor:${name}`, type, repository: null, ...more };
}

/** By score, upwards or downwards; ties by name, then id. */
async function sorted(hits: { document: SearchDocument; score: number }[], direction: 1 | -1) {
  const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  return hits
    .toSorted(
      (a, b) =>
        direction * (a.score - b.score) ||
        compare(a.document.name, b.document.name) ||
        compare(a.document.id, b.document.id),
    )
    .map(({ document: each }) => each);
}

async function* failing(first: SearchDocument): AsyncGenerator<SearchDocument> {
  yield first;
  await setImmediate();
  throw new Error('no more');
}

const NAUGHTY = [
  `it's "quoted" and \`ticked\``,
  'two\nlines\r\n\tand a tab',
  'Ünï𝔠ode 名前 🧭 \u202e',
  "'; DROP TABLE documents; --",
  'name : (a* OR b) NOT "c" NEAR(d e, 2) ^f',
  '{"query": {"match_all": {}}} && || ! ( ) { } [ ] ^ " ~ * ? : \\ /',
  'back\\slash \\u0041 %_*?',
  ' ',
  '__proto__',
  'constructor',
  '\u0000',
];
