import { zstdCompressSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Commit } from '../../src/model/commit.ts';
import type { Expression, Pattern } from '../../src/search/text/expression.ts';
import {
  askedAuthor,
  askedNotAuthor,
  askedPath,
  askedPhrase,
  askedWord,
  type CommitQuery,
  type Where,
} from '../../src/search/commits/commit-query.ts';
import { BadPattern } from '../../src/search/text/pattern.ts';
import { SearchTooLong, type SourceBlob, type SourceStore } from '../../src/stores/source/port.ts';
import { effort } from '../support/effort.ts';

const file = (path: string, { language = null as string | null, test = false } = {}) => ({ path, language, test });
const blob = (text: string, ...files: SourceBlob['files'][number][]): SourceBlob => ({
  content: zstdCompressSync(Buffer.from(text)),
  files,
});
const pattern = (source: string, more: Partial<Pattern> = {}): Pattern => ({
  source,
  isRegex: false,
  matchCase: false,
  ...more,
});
const text = (source: string, more: Partial<Pattern> = {}): Expression => ({
  op: 'text',
  pattern: pattern(source, more),
});
const regex = (source: string) => text(source, { isRegex: true });
const FIRST = { offset: 0, limit: 1_000 };

/** What every store of source promises, checked on one engine; `open` gives an empty store, which is closed here. */
export function sourceStoreContract(name: string, open: (more?: { limitMs: number }) => Promise<SourceStore>): void {
  describe(`source store contract: ${name}`, () => {
    let store: SourceStore;
    let generation = 0;
    const load = (
      repository: string,
      blobs: SourceBlob[],
      more: { generation?: string; isKept?: boolean; commits?: Commit[] } = {},
    ) =>
      store.replaceRepository({
        repository,
        generation: `${++generation}`,
        isKept: true,
        blobs,
        commits: [],
        ...more,
      });
    const find = (expression: Expression, repositories = ['koa']) =>
      store.within(repositories).search({ expression, ...FIRST });
    const paths = async (expression: Expression, repositories = ['koa']) =>
      (await find(expression, repositories)).files.map(({ repository, path }) => `${repository}/${path}`);

    describe('what is kept', () => {
      beforeEach(async () => {
        store = await open();
      });
      afterEach(() => store.close());

      it('is read as it was, whatever it holds', async () => {
        const texts = ['', '\n', 'a\r\nb', '\uFEFFmark', 'nul\0after nul', '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ſtrasse K', 'x'.repeat(300_000)];
        await load(
          'koa',
          texts.map((each, i) => blob(each, file(`${i}.txt`, { language: i % 2 ? 'Go' : null, test: i === 3 }))),
        );
        const { read } = store.within(['koa']);
        for (const [i, each] of texts.entries())
          expect(await read('koa', `${i}.txt`)).to.deep.equal({
            ...file(`${i}.txt`, { language: i % 2 ? 'Go' : null, test: i === 3 }),
            text: each,
          });
        const history = {
          commits: [{ id: 'a1', at: '2024-01-01T00:00:00.000Z', author: { id: 'x', name: 'Ann' }, subject: 'Begin' }],
          runs: [[1, 0] as [number, number], [2, null] as [number, null]],
        };
        await load('with history', [blob('a\nb\nc', { ...file('a.txt'), history }, file('b.txt'))]);
        const lines = store.within(['with history']);
        expect((await lines.read('with history', 'a.txt'))?.history).to.deep.equal(history);
        expect(await lines.read('with history', 'b.txt')).to.not.have.property('history');
        const asked = ['b.txt', 'a.txt', 'c.txt', 'a.txt'].map((path) => ({ repository: 'with history', path }));
        const told = [undefined, history, undefined, history, undefined];
        expect(await lines.histories([...asked, { repository: 'other', path: 'a.txt' }])).to.deep.equal(told);
        expect(await store.within(['other']).histories(asked.slice(1, 2))).to.deep.equal([undefined]);
        expect(await lines.histories([])).to.deep.equal([]);
        expect((await lines.search({ expression: text('b'), ...FIRST })).files[0]).to.not.have.property('history');
        expect((await Array.fromAsync(store.files('with history'))).map((each) => each.history)).to.have.deep.members([
          history,
          undefined,
        ]);
        expect(await read('koa', '99.txt')).to.equal(null);
        expect(await read('other', '0.txt')).to.equal(null);
        const all = await Array.fromAsync(store.files('koa'));
        expect(all.map((each) => each.text)).to.have.members(texts);
        expect(await paths(text('after nul'))).to.deep.equal(['koa/4.txt']);
      });

      it('is replaced as a whole, and the same generation changes nothing', async () => {
        await load('koa', [blob('const oldest = 1', file('a.js')), blob('const stays = 2', file('b.js'))]);
        await load('koa', [blob('const stays = 2', file('c.js'), file('d.js'))], { generation: 'two' });
        await load('koa', [blob('const never = 3', file('e.js'))], { generation: 'two' });
        expect(await paths(text('oldest'))).to.deep.equal([]);
        expect(await paths(text('stays'))).to.deep.equal(['koa/c.js', 'koa/d.js']);
        expect(await paths(text('never'))).to.deep.equal([]);
        expect(await store.generations()).to.deep.equal(new Map([['koa', 'two']]));
        expect(await store.within(['koa']).read('koa', 'a.js')).to.equal(null);
      });

      it('stays as it was when the stream of the new one fails', async () => {
        await load('koa', [blob('const first = 1', file('a.js'))]);
        async function* failing() {
          yield blob('const second = 2', file('b.js'));
          throw new Error('It was cut off.');
        }
        const replacing = store.replaceRepository({
          repository: 'koa',
          generation: 'x',
          isKept: true,
          blobs: failing(),
          commits: [],
        });
        expect(await replacing.catch((error: Error) => error.message)).to.equal('It was cut off.');
        expect(await paths(text('const'))).to.deep.equal(['koa/a.js']);
        await load('koa', [blob('const third = 3', file('c.js'))]);
        expect(await paths(text('const'))).to.deep.equal(['koa/c.js']);
      });

      it('says of a repository whose source was left out that it was', async () => {
        await load('koa', [blob('x', file('a.js'))]);
        await load('secret', [], { isKept: false });
        expect(await store.within(['koa', 'secret', 'unknown']).kept()).to.deep.equal(
          new Map([
            ['koa', true],
            ['secret', false],
          ]),
        );
        await load('koa', [], { isKept: false });
        expect(await store.within(['koa']).kept()).to.deep.equal(new Map([['koa', false]]));
        expect(await paths(text('x'))).to.deep.equal([]);
      });

      it('leaves nothing behind when it is removed, and others what they have', async () => {
        await load('koa', [blob('shared text', file('a.js')), blob('own text', file('b.js'))]);
        await load('fork', [blob('shared text', file('a.js'))]);
        expect(await store.removeRepository('koa')).to.equal(true);
        expect(await store.removeRepository('koa')).to.equal(false);
        expect([...(await store.generations()).keys()]).to.deep.equal(['fork']);
        expect(await paths(text('text'), ['koa', 'fork'])).to.deep.equal(['fork/a.js']);
        expect((await store.within(['fork']).read('fork', 'a.js'))?.text).to.equal('shared text');
        await load('koa', [blob('own text', file('b.js'))]);
        expect(await paths(text('text'), ['koa', 'fork'])).to.have.members(['koa/b.js', 'fork/a.js']);
      });

      it('is not there for who does not see it, also where he has the same text', async () => {
        await load('mine', [blob('the same text', file('a.js'))]);
        await load('theirs', [blob('the same text', file('a.js'), file('b.js')), blob('a secret text', file('c.js'))]);
        expect(await paths(text('text'), ['mine'])).to.deep.equal(['mine/a.js']);
        expect(await paths(text('secret'), ['mine'])).to.deep.equal([]);
        expect(await find(text('text'), ['mine'])).to.include({ total: 1, lines: 1, isComplete: true });
        expect(await store.within(['mine']).read('theirs', 'a.js')).to.equal(null);
        expect([...(await store.within(['mine']).kept()).keys()]).to.deep.equal(['mine']);
        expect(await paths({ op: 'repositories', keys: ['theirs'] }, ['mine'])).to.deep.equal([]);
      });
    });

    describe('commits', () => {
      const hex = (digit: string) => digit.repeat(40);
      const commit = (id: string, subject: string, more: Partial<Commit> = {}): Commit => ({
        id: hex(id),
        authored_at: '2024-03-01T12:00:00.000Z',
        committed_at: '2024-03-01T12:00:00.000Z',
        author: { id: 'contributor:1', name: 'Anna Berg' },
        subject,
        body: '',
        files: [],
        total_files: 0,
        changed: '',
        changed_kept: 'whole',
        ...more,
      });
      const changing = (...paths: string[]): Pick<Commit, 'files' | 'total_files'> => ({
        files: paths.map((path) => ({ path, status: 'M', added: 1, deleted: 0 })),
        total_files: paths.length,
      });
      const some = <T>(value: T | null) => (value === null ? [] : [value]);
      const words = (box: string, where: Where = 'anywhere') =>
        box.split(' ').flatMap((word) => some(askedWord(word, where)));
      const everything: CommitQuery = {
        words: [],
        isAnyEnough: false,
        filters: [],
        without: [],
        since: null,
        until: null,
        least: 0,
        repositories: null,
        notRepositories: [],
        sort: 'fit',
        order: 'desc',
        offset: 0,
        limit: 100,
        after: null,
        withFacet: false,
      };
      const find = (query: Partial<CommitQuery>, repositories = ['koa', 'express']) =>
        store.within(repositories).commits({ ...everything, ...query });
      const ids = async (query: Partial<CommitQuery>, repositories?: string[]) =>
        (await find(query, repositories)).commits.map(({ id }) => id[0]).join('');

      const koa = [
        commit('a', 'Parse URLs without a scheme', {
          committed_at: '2024-05-01T00:00:00.000Z',
          body: 'A host alone is an address too.\nSee the timeout of sockets.',
          ...changing('src/lib/url.ts', 'test/Url.test.ts'),
          changed: 'parseUrl HTTPServer options',
        }),
        commit('b', 'Fix the timeout of idle sockets', {
          committed_at: '2024-04-01T00:00:00.000Z',
          author: { id: 'contributor:2', name: 'Şule Öz' },
          ...changing('src/socket.c'),
          changed: 'setTimeout idle_ms',
          changed_kept: 'part',
        }),
        commit('c', 'Tidy', {
          committed_at: '2024-03-01T00:00:00.000Z',
          changed: 'timeout',
          ...changing('a b/Ünï.md'),
        }),
        commit('d', '修复超时 timeout', { committed_at: '2023-01-01T00:00:00.000Z', changed_kept: 'none' }),
      ];
      const express = [commit('e', 'Fix timeout', { committed_at: '2024-04-15T00:00:00.000Z' })];

      before(async () => {
        store = await open({ limitMs: 60_000 });
        await load('koa', [], { commits: koa });
        await load('express', [], { commits: express });
      });
      after(() => store.close());

      it('are given back as they are, but for what they are only found by', async () => {
        const { commits, total } = await find({ words: words('scheme') });
        const [{ changed: _, ...told } = commit('', '')] = koa;
        expect(commits).to.deep.equal([{ ...told, repository: 'koa', points: 100 }]);
        expect(total).to.equal(1);
        expect(await Array.fromAsync(store.history('koa'))).to.have.deep.members(
          koa.map(({ changed: __, ...rest }) => rest),
        );
        expect(await Array.fromAsync(store.history('other'))).to.deep.equal([]);
      });

      it('are found best in their subjects, then in messages and in what they changed, the newest first', async () => {
        const { commits } = await find({ words: words('timeout') });
        expect(commits.map(({ id, points }) => [id[0], points])).to.deep.equal([
          ['e', 100],
          ['b', 100],
          ['d', 100],
          ['a', 60],
          ['c', 45],
        ]);
        expect(await ids({ words: words('timeout'), order: 'asc' })).to.equal('caebd');
        expect(await ids({ words: words('timeout'), sort: 'date' })).to.equal('aebcd');
        expect(await ids({ words: words('timeout'), sort: 'date', order: 'asc' })).to.equal('dcbea');
        expect(await ids({})).to.equal('aebcd');
      });

      const found: [what: string, query: Partial<CommitQuery>, ids: string][] = [
        ['all words', { words: words('timeout sockets') }, 'ba'],
        ['beginnings, and other forms of words', { words: words('parsing url') }, 'a'],
        ['words in one, as they are written in code', { words: words('parseUrl') }, 'a'],
        ['nothing by half of a part, where a word has several', { words: words('idle-sock') }, ''],
        ['parts that follow one another', { words: words('idle_sockets') }, 'b'],
        ['identifiers by their parts', { words: words('server') }, 'a'],
        ['identifiers in one', { words: words('httpserver') }, 'a'],
        ['names of files', { words: words('socket.c') }, 'b'],
        ['scripts without spaces', { words: words('超时') }, 'd'],
        ['phrases', { words: some(askedPhrase('idle sockets', 'anywhere')) }, 'b'],
        ['phrases that are identifiers', { words: some(askedPhrase('set timeout', 'anywhere')) }, 'b'],
        ['phrases as they stand', { words: some(askedPhrase('timeout idle', 'anywhere')) }, ''],
        ['messages alone', { words: words('timeout', 'message') }, 'ebda'],
        ['changed lines alone', { words: words('timeout', 'changed') }, 'bc'],
        ['not what has a word', { words: words('timeout'), without: words('fix') }, 'dac'],
        ['nothing of a word that nobody has', { words: words('timeout nonsense') }, ''],
        ['authors by any part of their names', { filters: askedAuthor('berg') }, 'aecd'],
        ['authors whatever their accents', { filters: askedAuthor('sule oz') }, 'b'],
        ['nobody of whom a part is another’s', { filters: askedAuthor('Anna Öz') }, ''],
        ['all but an author', { without: some(askedNotAuthor('Anna Be')) }, 'b'],
        ['paths from their root', { filters: some(askedPath('^src/')) }, 'ab'],
        ['paths from a folder', { filters: some(askedPath('lib/u')) }, 'a'],
        ['no path within a name', { filters: some(askedPath('rl.ts')) }, ''],
        ['endings', { filters: some(askedPath('\\.md$')) }, 'c'],
        ['paths with blanks and accents', { filters: some(askedPath('A B/ünï')) }, 'c'],
        ['both paths', { filters: [...some(askedPath('url.ts')), ...some(askedPath('test/'))] }, 'a'],
        ['since a time, which is in it', { since: '2024-04-15T00:00:00.000Z' }, 'ae'],
        ['before a time, which is not in it', { until: '2024-04-01T00:00:00.000Z' }, 'cd'],
        ['nothing with fewer points', { words: words('timeout'), least: 60 }, 'ebda'],
        ['one repository', { repositories: ['express'] }, 'e'],
        ['all but one', { words: words('timeout'), notRepositories: ['koa'] }, 'e'],
      ];
      for (const [what, query, expected] of found)
        it(`finds ${what}`, async () => {
          expect(await ids(query)).to.equal(expected);
          expect((await find(query)).total).to.equal(expected.length);
        });

      it('says what no commit has, where some words are enough', async () => {
        const { commits, known } = await find({ words: words('timeout nonsense scheme'), isAnyEnough: true });
        expect(commits.map(({ id, points }) => [id[0], points])).to.deep.equal([
          ['a', 160],
          ['e', 100],
          ['b', 100],
          ['d', 100],
          ['c', 45],
        ]);
        expect(known).to.deep.equal([true, false, true]);
        expect((await find({ words: words('timeout') })).known).to.deep.equal([]);
      });

      it('counts by repository, and what is found by some of its changes only', async () => {
        const { byRepository, incomplete } = await find({ words: words('timeout'), withFacet: true });
        expect(byRepository).to.deep.equal([
          { value: 'koa', count: 4 },
          { value: 'express', count: 1 },
        ]);
        expect(incomplete).to.equal(2);
        expect((await find({}, ['express'])).incomplete).to.equal(0);
      });

      it('come in pages that repeat and drop none, by offset and behind the last', async () => {
        for (const more of [{}, { sort: 'date' as const }, { order: 'asc' as const }, { words: words('timeout') }]) {
          const whole = await ids(more);
          let [paged, behind] = ['', ''];
          let after: CommitQuery['after'] = null;
          for (let offset = 0; offset < 6; offset += 2) {
            paged += await ids({ ...more, offset, limit: 2 });
            const next = await find({ ...more, offset, limit: 2, after });
            behind += next.commits.map(({ id }) => id[0]).join('');
            expect(next.total).to.equal(5);
            after = next.end ?? after;
          }
          expect([paged, behind]).to.deep.equal([whole, whole]);
        }
        expect((await find({ offset: 100 })).end).to.equal(null);
      });

      it('are not there for who does not see their repository', async () => {
        expect(await ids({ words: words('timeout') }, ['express'])).to.equal('e');
        expect(await ids({ repositories: ['koa'] }, ['express'])).to.equal('');
        const { known } = await find({ words: words('timeout scheme'), isAnyEnough: true }, ['express']);
        expect(known).to.deep.equal([true, false]);
        expect(await find({}, [])).to.include({ total: 0, incomplete: 0 });
      });

      it('are read one by one, however many and large they are', async () => {
        const many = Array.from({ length: 150 }, (_, i) =>
          commit((i % 16).toString(16), `Change ${i}`, {
            id: i.toString(16).padStart(40, '0'),
            body: i % 50 === 7 ? 'ü '.repeat(100_000).trim() : '',
          }),
        );
        await load('many', [], { commits: many });
        const all = many.map(({ changed: __, ...rest }) => rest);
        expect(await Array.fromAsync(store.history('many'))).to.have.deep.members(all);
        const { commits } = await find({ limit: 200 }, ['many']);
        expect(commits).to.deep.equal(all.map((each) => ({ ...each, repository: 'many', points: 100 })));
        expect((await find({ words: words('change 149') }, ['many'])).commits.map(({ id }) => id)).to.deep.equal([
          many[149]?.id,
        ]);
        await store.removeRepository('many');
      });

      it('are no texts, and go with their repository', async () => {
        await load('gone', [blob('one text', file('a.txt'))], { commits: [commit('f', 'Vanish')] });
        const text: Expression = { op: 'and', parts: [] };
        expect((await store.within(['gone']).search({ expression: text, ...FIRST })).total).to.equal(1);
        expect(await ids({ words: words('vanish') }, ['gone'])).to.equal('f');
        await load('gone', [], { commits: [commit('1', 'Appear')] });
        expect(await ids({}, ['gone'])).to.equal('1');
        await store.removeRepository('gone');
        expect(await ids({}, ['gone'])).to.equal('');
        await load('gone', [], { isKept: false });
        expect(await ids({}, ['gone'])).to.equal('');
        await store.removeRepository('gone');
      });
    });

    describe('a search', () => {
      before(async () => {
        store = await open({ limitMs: 60_000 });
        await load('koa', [
          blob('function parseUrl(text) {\n  return new URL(text); // TODO\n}\n', file('lib/url.js', go('JavaScript'))),
          blob(
            'it("parses", () => parseurl("a.b"))\n',
            file('test/url.test.js', { language: 'JavaScript', test: true }),
          ),
          blob(`${'long '.repeat(300)}needle ${'tail '.repeat(300)}`, file('data.json')),
          blob('package url\nfunc Parse() {}\r\nfunc parseurls() {}\r\n', file('main.go', go('Go'))),
          blob('K ſ ÄÖ 東京都庁', file('odd.txt')),
          blob('1 < 2 && "a" + b.c(d)[0] ^ ~x | {y}$ \\n', file('signs.txt')),
        ]);
      });
      after(() => store.close());

      it('finds text without regard to case or with it, best and production first', async () => {
        expect(await paths(text('parseUrl'))).to.deep.equal(['koa/lib/url.js', 'koa/main.go', 'koa/test/url.test.js']);
        expect(await paths(text('parseUrl', { matchCase: true }))).to.deep.equal(['koa/lib/url.js']);
        expect(await paths(text('rl'))).to.deep.equal(['koa/lib/url.js', 'koa/main.go', 'koa/test/url.test.js']);
      });

      it('gives source first, then tests, then documents and data, then what others wrote', async () => {
        await load('order', [
          blob('wanted 1', file('README.md')),
          blob('wanted 2', { ...file('a/vendor.js', { language: 'JavaScript' }), left_out: 'vendored' }),
          blob('wanted 3', file('b.test.js', { language: 'JavaScript', test: true })),
          blob('wanted 4', file('test/data.json', { test: true })),
          blob('wanted 5', file('z.js', { language: 'JavaScript' })),
        ]);
        const { files } = await store.within(['order']).search({ expression: text('wanted'), ...FIRST });
        expect(files.map(({ path }) => path)).to.deep.equal([
          'z.js',
          'b.test.js',
          'README.md',
          'test/data.json',
          'a/vendor.js',
        ]);
        await store.removeRepository('order');
      });

      it('stops at so many files unless all are asked for, and parts them into pages', async () => {
        const blobs = ['needle', 'a needle\nneedle', 'needless'].map((each, kind) =>
          blob(each, ...Array.from({ length: 1_750 }, (_, at) => file(`${kind}/${at}.js`, { language: 'JavaScript' }))),
        );
        await load('many', blobs);
        const { search } = store.within(['many']);
        const page = (offset: number, limit: number, isAll = true) =>
          search({ expression: text('needle'), offset, limit, isAll });
        expect(await page(0, 10, false)).to.include({ total: 1_000, isComplete: false });
        const few = await search({ expression: text('needle'), offset: 0, limit: 3, enough: 3 });
        expect([few.total, few.files.length, few.isComplete]).to.deep.equal([3, 3, false]);
        const whole = await page(0, 6_000);
        expect(whole).to.include({ total: 5_250, lines: 7_000, isComplete: true });
        // Of several in a file, then as a word, then in one.
        expect([0, 1_749, 1_750, 3_500].map((at) => whole.files[at]?.path.slice(0, 1))).to.deep.equal([
          '1',
          '1',
          '0',
          '2',
        ]);
        expect((await page(1_745, 10)).files).to.deep.equal(whole.files.slice(1_745, 1_755));
        expect((await page(5_250, 10)).files).to.deep.equal([]);
        await store.removeRepository('many');
      });

      it('gives lines, with what was found in them', async () => {
        const { files, total, lines, isComplete } = await find(text('text'));
        expect({ total, lines, isComplete }).to.deep.equal({ total: 1, lines: 2, isComplete: true });
        expect(files[0]?.lines).to.deep.equal([
          { line: 1, text: 'function parseUrl(text) {', from: 0, ranges: [[18, 22]] },
          { line: 2, text: '  return new URL(text); // TODO', from: 0, ranges: [[17, 21]] },
        ]);
        const [long] = (await find(text('needle'))).files;
        const [line] = long?.lines ?? [];
        expect(line?.text).to.have.length(400);
        expect(line?.ranges.map(([from, to]) => line.text.slice(from, to))).to.deep.equal(['needle']);
        expect(line?.from).to.equal(1500 - 80);
      });

      it('looks for text in lines, over none of their ends', async () => {
        await load('ends', [
          blob('one\r\ntwo three\ntwo three two\r\nfour\rfive', file('a.txt')),
          blob('onetwo', file('one.txt')),
        ]);
        const lines = async (source: string) =>
          (await find(text(source), ['ends'])).files.flatMap(({ path, lines: shown }) =>
            shown.map(({ line }) => `${path}:${line}`),
          );
        expect(await lines('two')).to.deep.equal(['a.txt:2', 'a.txt:3', 'one.txt:1']);
        for (const over of ['one\r\ntwo', 'three\ntwo', 'one\r', 'three\n'])
          expect(await lines(over)).to.deep.equal([]);
        expect(await lines('r\rf')).to.deep.equal(['a.txt:4']);
      });

      it('reads regular expressions, line by line', async () => {
        expect(await paths(regex('^func [A-Z]\\w+\\(\\) \\{\\}$'))).to.deep.equal(['koa/main.go']);
        expect(await paths(regex('url\\nfunc'))).to.deep.equal([]);
        expect(await paths(regex('parse(Url|X{2,})\\b'))).to.deep.equal(['koa/lib/url.js', 'koa/test/url.test.js']);
        expect(await paths(regex('(?i)TODO|nothing'))).to.deep.equal(['koa/lib/url.js']);
        expect(await paths(regex('\\"a\\" \\+'))).to.deep.equal(['koa/signs.txt']);
        expect(await paths(regex('\\p{Script=Han}{4}'))).to.deep.equal(['koa/odd.txt']);
      });

      it('takes every sign for itself in text', async () => {
        for (const sign of ['1 < 2', '&& "a"', 'b.c(d)[0]', '^ ~x', '| {y}$', '\\n', '東京都', 'ÄÖ', 'äö', 'k s'])
          expect(await paths(text(sign)), sign).to.deep.equal([
            `koa/${/[^\0-\x7F]|^k s/u.test(sign) ? 'odd' : 'signs'}.txt`,
          ]);
      });

      it('joins and leaves out', async () => {
        const url = text('url');
        const inGo: Expression = { op: 'language', names: ['go'] };
        const inTests: Expression = { op: 'path', pattern: pattern('^test/', { isRegex: true }) };
        expect(await paths({ op: 'and', parts: [url, text('package')] })).to.deep.equal(['koa/main.go']);
        expect(await paths({ op: 'and', parts: [url, { op: 'not', part: inGo }] })).to.deep.equal([
          'koa/lib/url.js',
          'koa/test/url.test.js',
        ]);
        expect(await paths({ op: 'or', parts: [text('needle'), { op: 'and', parts: [url, inTests] }] })).to.deep.equal([
          'koa/test/url.test.js',
          'koa/data.json',
        ]);
        expect(await paths({ op: 'and', parts: [url, { op: 'not', part: text('func') }] })).to.deep.equal([
          'koa/test/url.test.js',
        ]);
        expect(await paths(inGo)).to.deep.equal(['koa/main.go']);
      });

      it('is paged', async () => {
        const all = await paths(regex('.'));
        const pages = await Promise.all(
          all.map((_, offset) => store.within(['koa']).search({ expression: regex('.'), offset, limit: 1 })),
        );
        expect(pages.flatMap(({ files }) => files.map(({ path }) => `koa/${path}`))).to.deep.equal(all);
        expect(new Set(pages.map(({ total }) => total))).to.deep.equal(new Set([6]));
      });

      it('refuses what is no regular expression', async () => {
        expect(await find(regex('(')).catch((error: unknown) => error)).to.be.instanceOf(BadPattern);
      });
    });

    it('finds what a look at every file finds', async () => {
      store = await open({ limitMs: 60_000 });
      const word = fc.constantFrom(
        'foo',
        'Bar',
        'baz_1',
        'x',
        '(',
        '.',
        'é',
        'É',
        '東京',
        'ſ',
        ' ',
        '\t',
        'K',
        'aaa',
        '\0',
      );
      const lineOf = fc.array(word, { maxLength: 6 }).map((words) => words.join(''));
      const textOf = fc.array(lineOf, { maxLength: 4 }).map((lines) => lines.join('\n'));
      const atom = fc.constantFrom(
        'foo',
        'bar',
        'ba[rz]',
        '.',
        'x?',
        '(foo|Bar)+',
        'a{2,3}',
        '\\w+',
        '[^f]',
        'baz_\\d',
        '^',
        '$',
      );
      const sought = fc.oneof(
        lineOf.filter((each) => each !== '').map((source) => pattern(source)),
        lineOf.filter((each) => each !== '').map((source) => pattern(source, { matchCase: true })),
        fc.array(atom, { minLength: 1, maxLength: 4 }).map((atoms) => pattern(atoms.join(''), { isRegex: true })),
        fc
          .array(atom, { minLength: 1, maxLength: 3 })
          .map((atoms) => pattern(atoms.join('|'), { isRegex: true, matchCase: true })),
      );
      try {
        const texts = fc.sample(textOf, { numRuns: 60, seed: 7 });
        await load(
          'many',
          texts.map((each, i) => blob(each, file(`${i}`))),
        );
        const property = fc.asyncProperty(sought, async (each) => {
          const { source, isRegex, matchCase } = each;
          const body = isRegex ? source : source.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
          const byHand = texts.flatMap((content, i) =>
            linesOf(content).some((line) => new RegExp(body, matchCase ? 'u' : 'iu').test(line)) ? [`many/${i}`] : [],
          );
          expect(await paths({ op: 'text', pattern: each }, ['many'])).to.have.members(byHand);
        });
        await fc.assert(property, { numRuns: effort({ gate: 150, long: 2_000 }), seed: 11 });
      } finally {
        await store.close();
      }
    });

    it('ends what takes too long, and goes on', async () => {
      store = await open({ limitMs: 1_500 });
      try {
        await load('koa', [blob(`${'a'.repeat(60)}!`, file('a.txt'))]);
        const failed = [1, 2, 3].map(() => find(regex('^(a+)+$')).catch((error: unknown) => error));
        const waiting = Promise.allSettled(failed);
        // What can be done without is not begun once both threads are held.
        const refused = async (): Promise<unknown> => {
          for (;;) {
            const optional = store.within(['koa']).search({ expression: text('aaaa!'), ...FIRST, isOptional: true });
            const error = await optional.catch((reason: unknown) => reason);
            if (error instanceof Error) return error;
            if ((await Promise.race([waiting, Promise.resolve('goes on')])) !== 'goes on') return 'was never refused';
          }
        };
        expect(await refused()).to.be.instanceOf(SearchTooLong);
        expect(await Promise.race([waiting, Promise.resolve('goes on')])).to.equal('goes on');
        for (const error of await Promise.all(failed)) expect(error).to.be.instanceOf(SearchTooLong);
        const again = async (): Promise<string[]> => paths(text('aaaa!'));
        expect(await again()).to.deep.equal(['koa/a.txt']);
      } finally {
        await store.close();
      }
    });
  });
}

const go = (language: string) => ({ language });

function linesOf(content: string): string[] {
  const lines = content.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
