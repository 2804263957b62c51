import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { gitRepository, type GitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';
import { shareWithAll } from '../support/share-with-all.ts';

interface Line {
  line: number;
  text: string;
  ranges: [number, number][];
  symbol: { id: string; kind: string } | null;
}
interface File {
  repository: string;
  path: string;
  line_count: number;
  lines: Line[];
}

describeService('the source', (service) => {
  const [name, bare] = ['source-shop', 'source-bare'];
  let repository: GitRepository;
  const load = async (as: string, keepSource: boolean) => {
    const { snapshot, close } = await analyze(repository.path, { name: as, keepSource });
    await shareWithAll(service().stores, [as]);
    await writeSnapshot(service().stores, snapshot);
    close();
  };
  before(async () => {
    repository = gitRepository({
      files: {
        'src/basket.ts':
          "// Ünïcode before.\nexport class Basket {\n  total() {\n    throw new Error('The basket has a leak');\n  }\n}\n",
        'src/walk.go': 'package walk\n\nfunc Leak() int { return 42 }\n',
        'test/basket.test.ts': "it('has no leak', () => leak());\n",
        'docs/a.md': 'Nothing.\r\nIt leaks.\r\n',
        'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
      },
    });
    const changed = "    throw new Error('The basket has a leak: 42 %');";
    const basket = readFileSync(`${repository.path}/src/basket.ts`, 'utf8');
    repository.commit('Say how much', {
      files: { 'src/basket.ts': basket.replace("    throw new Error('The basket has a leak');", changed) },
      author: { name: 'Bo Dahl', email: 'bo@example.com' },
    });
    await load(name, true);
    await load(bare, false);
  });
  after(async () => {
    repository.remove();
    for (const each of [name, bare]) await removeRepository(service().stores, each);
  });

  const search = async (q: string, more = '') => {
    const { status, json, text } = await service().get(`/api/search/text?q=${encodeURIComponent(q)}${more}`);
    expect(status, text).to.equal(200);
    return json as {
      items: File[];
      total: number;
      total_lines: number;
      complete: boolean;
      hints: string[];
      without_source: string[];
    };
  };
  const paths = async (q: string) => (await search(`${q} repo:^${name}$`)).items.map(({ path }) => path);
  const read = (query: string, of = name) => service().get(`/api/source/${of}?${query}`);

  describe('GET /api/search', () => {
    const first = async (q: string) => {
      const { status, json, text } = await service().get(`/api/search?q=${encodeURIComponent(`${q} repo:${name}`)}`);
      expect(status, text).to.equal(200);
      return (json as { items: { id: string }[] }).items[0]?.id ?? null;
    };
    const total = `${name}/src/basket.ts#Basket.total`;
    const cases: [says: string, q: string, wanted: string | null][] = [
      ['a message that somebody has seen, whatever its case', 'the Basket has a leak:', total],
      ['as it stands, in quotes', '"has a"', total],
      ['what is in no function, by its file', '"package walk"', `${name}/src/walk.go`],
      ['a word that only code has', 'throw', total],
      ['two words that only code has', 'has a', total],
      ['what is typed, with quotes in it', `error('the basket has a leak`, total],
      ['what is named so, and not where it is used', 'leak', `${name}/src/walk.go#Leak`],
      ['in quotes and nowhere', '"a leak has"', null],
    ];
    for (const [says, q, wanted] of cases) {
      it(`finds ${says}: ${q}`, async () => {
        expect(await first(q)).to.equal(wanted);
      });
    }
  });

  describe('GET /api/search/text', () => {
    it('answers others while names of repositories are compared with what takes for ever, and ends that', async () => {
      const endless = `${'('.repeat(12)}[^~]${'+)'.repeat(12)}+~`;
      const slow = service().get(`/api/search/text?q=${encodeURIComponent(`leak repo:/${endless}/`)}`);
      const first = await Promise.race([slow.then(() => 'the search'), read('path=docs/a.md').then(() => 'the file')]);
      expect(first).to.equal('the file');
      const { status, json } = await slow;
      expect(json['code']).to.equal('search_too_long');
      expect(status).to.equal(422);
      expect(await paths('leak repo:/SOURCE.sh[o]p/')).to.include('src/basket.ts');
    });

    it('gives lines with what was found in them, and the function around each; source is first, then tests, then documents', async () => {
      const { items, total, total_lines, complete, without_source } = await search(`leak repo:${name}`);
      expect([total, total_lines, complete]).to.deep.equal([4, 4, true]);
      expect(items.slice(2).map(({ path }) => path)).to.deep.equal(['test/basket.test.ts', 'docs/a.md']);
      const [line] = items.find(({ path }) => path === 'src/basket.ts')?.lines ?? [];
      expect(line).to.deep.include({ line: 4, text: "    throw new Error('The basket has a leak: 42 %');" });
      const [[from, before] = [0, 0]] = line?.ranges ?? [];
      expect(line?.text.slice(from, before)).to.equal('leak');
      expect(line?.symbol).to.deep.include({ id: `${name}/src/basket.ts#Basket.total`, kind: 'method' });
      expect(without_source).to.include(bare).and.to.not.include(name);
    });

    const cases: readonly [says: string, q: string, files: string[]][] = [
      ['as it stands', '"leak: 42 %"', ['src/basket.ts']],
      ['a regular expression', '/l[e]ak.*\\d+/', ['src/basket.ts', 'src/walk.go']],
      ['case:yes', 'Leak case:yes', ['src/walk.go']],
      ['lang: and file:', 'leak lang:ts file:^src/', ['src/basket.ts']],
      ['without', 'leak -file:test -lang:go -"It leaks"', ['src/basket.ts']],
      ['one or other', '(package OR Basket) -file:test', ['src/basket.ts', 'src/walk.go']],
      ['letters of any language', 'ünÏcode', ['src/basket.ts']],
    ];
    for (const [says, q, files] of cases)
      it(`${says}: ${q}`, async () => {
        expect((await paths(q)).toSorted()).to.deep.equal(files);
      });

    it('takes count:all for all that fits, and another count for text, of which it says so', async () => {
      const all = await search(`leak count:all repo:${name}`);
      expect([all.total, all.complete, all.hints]).to.deep.equal([4, true, []]);
      const bracketed = await search(`(leak OR leaks count:all) repo:${name}`);
      expect([bracketed.total, bracketed.hints]).to.deep.equal([4, []]);
      const { total, hints } = await search(`leak count:50 repo:${name}`);
      expect(total).to.equal(0);
      expect(hints.join(' ')).to.match(/count: is no qualifier .* count:all/);
    });

    it('says of a qualifier that it does not know what there is', async () => {
      const { hints } = await search('author:ann');
      expect(hints.join(' ')).to.match(/author: is no qualifier .* repo:/);
    });

    it('is paged', async () => {
      const { items, total } = await search(`leak repo:${name}`, '&page=2&page_size=3');
      expect([items.length, total]).to.deep.equal([1, 4]);
    });

    it('refuses what is no regular expression, and ends one that takes too long, with a word on what to do', async () => {
      const bad = await service().get('/api/search/text?q=/a(/');
      expect(bad.status).to.equal(422);
      expect(bad.json).to.include({ code: 'bad_pattern' });
    });
  });

  describe('GET /api/source/{repository}', () => {
    it('gives a file, some of its lines, or a function, with their numbers', async () => {
      const whole = await read('path=src/walk.go');
      expect(whole.json).to.deep.include({ repository: name, language: 'Go', line_count: 3, url: null });
      expect(whole.json['lines']).to.have.length(3);
      expect((await read('path=docs/a.md&lines=2')).json['lines']).to.deep.equal([{ line: 2, text: 'It leaks.' }]);
      const { json } = await read(`symbol=${encodeURIComponent(`${name}/src/basket.ts#Basket.total`)}`);
      expect((json['lines'] as Line[]).map(({ line }) => line)).to.deep.equal([3, 4, 5]);
      expect((await read('path=docs/a.md&lines=7-9')).json['lines']).to.deep.equal([]);
      expect((await read('path=docs/a.md&lines=9-7')).status).to.equal(422);
    });

    it('says which commits wrote the lines of a file, or of a function, and whose they are', async () => {
      interface History {
        from: number;
        to: number;
        commits: { id: string; subject: string; lines: number; author: { id: string; name: string }; url: null }[];
        authors: { name: string; lines: number }[];
        stretches: { from: number; to: number; commit: string | null }[];
        lines_unknown: number;
      }
      const history = async (query: string) => {
        const { json, status, text } = await service().get(`/api/source/${name}/history?${query}`);
        expect(status, text).to.equal(200);
        return json as unknown as History;
      };
      const whole = await history('path=src/basket.ts');
      expect(whole).to.deep.include({ from: 1, to: 6, lines_unknown: 0, total_commits: 2 });
      expect(whole.commits.map(({ subject, lines }) => [subject, lines])).to.deep.equal([
        ['Say how much', 1],
        ['Begin', 5],
      ]);
      expect(whole.authors.map((each) => [each.name, each.lines])).to.deep.equal([
        ['Ann Author', 5],
        ['Bo Dahl', 1],
      ]);
      const subjectOf = new Map(whole.commits.map(({ id, subject }) => [id, subject]));
      const told = whole.stretches.map(({ from, to, commit }) => [from, to, subjectOf.get(commit ?? '')]);
      expect(told).to.deep.equal([
        [1, 3, 'Begin'],
        [4, 4, 'Say how much'],
        [5, 6, 'Begin'],
      ]);
      const method = await history(`symbol=${encodeURIComponent(`${name}/src/basket.ts#Basket.total`)}`);
      expect(method).to.deep.include({ from: 3, to: 5, total_commits: 2 });
      expect(method.stretches.map(({ from, to }) => [from, to])).to.deep.equal([
        [3, 3],
        [4, 4],
        [5, 5],
      ]);
      expect(method.commits[0]).to.deep.include({ subject: 'Say how much', lines: 1, url: null });
      const { json: node } = await service().get(`/api/graph/references/${method.commits[0]?.author.id}?direction=out`);
      expect((node as { node: { name: string } }).node.name).to.equal('Bo Dahl');
      // What is no source has none, and lines that are not there are nobody's.
      expect(await history('path=docs/a.md')).to.deep.include({
        total_commits: 0,
        authors: [],
        stretches: [],
        lines_unknown: 2,
      });
      expect(await history('path=docs/a.md&lines=7-9')).to.deep.include({ from: 0, to: 0, lines_unknown: 0 });
    });

    it('says what is missing: the repository, its source, the file, the symbol, the question', async () => {
      const codes = [
        ['repository_not_found', await read('path=a.md', 'source-nobody')],
        ['source_not_kept', await read('path=docs/a.md', bare)],
        ['file_not_found', await read('path=docs/b.md')],
        ['file_not_found', await read('path=logo.png')],
        ['node_not_found', await read(`symbol=${name}%2Fsrc%2Fwalk.go%23Nobody`)],
        ['file_not_found', await read('lines=1')],
      ] as const;
      for (const [code, answer] of codes) expect(answer.json, code).to.include({ code });
    });
  });
});
