import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { readScipIndex } from '../../loaders/scip/read-index.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { edge } from '../contract/graph-store.ts';
import { gitRepository, type GitRepository } from '../support/git-repository.ts';
import { putLinks } from '../support/put-links.ts';
import { describeService } from '../support/service.ts';
import { shareWithAll } from '../support/share-with-all.ts';

const files: Record<string, string> = {
  'src/store.ts': `import { log } from './log';

export class Base { /* 💾 */ save() { log('saved'); } }
export class Store extends Base {
  constructor(private readonly sizes: number[]) { super(); }
  save() {
    super.save();
    this.sizes.forEach(function each(size) { if (size > 0) each(size - 1); });
    log('here');
    log('there');
  }
}
export const open = () => new Store([1]);
export const élan = () => open().save();
`,
  'src/log.ts': 'export function log(text: string) { return text; }\n',
  'src/#odd name`.ts': 'export function odd() {}\nexport namespace inner { export function odd() {} }\n',
  'tool.py': 'class Job:\n    def run(self):\n        return helper()\n\n\ndef helper():\n    return Job()\n',
  'main.go':
    'package main\n\ntype Shape struct{}\n\nfunc (s Shape) Area() int { return side() * side() }\n\nfunc side() int { return 2 }\n\nfunc main() { Shape{}.Area() }\n',
  'README.md': '# Nothing\n',
};

interface Occurrence {
  range: number[];
  enclosing: number[];
  symbol: string;
  roles: number;
}

describeService('GET /api/export/scip', (service) => {
  const [name, other, bare] = ['scip-shop', 'scip other', 'scip-bare'];
  let repository: GitRepository;
  const load = async (as: string, keepSource = true) => {
    const { snapshot, close } = await analyze(repository.path, { name: as, keepSource });
    await shareWithAll(service().stores, [as]);
    await writeSnapshot(service().stores, snapshot);
    close();
  };
  const path = (repo: string, more = '') => `/api/export/scip?repo=${encodeURIComponent(repo)}${more}`;
  const walk = async (first: string) => {
    const pages: Buffer[] = [];
    for (let at: string | undefined = first; at !== undefined;) {
      const { status, headers, bytes } = await service().get(at);
      expect([status, headers['content-type']]).deep.equals([200, 'application/protobuf']);
      pages.push(Buffer.from(bytes));
      at = /^<(.+)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1];
    }
    return pages;
  };
  const edgesOf = async (scip?: Uint8Array) => {
    const index = scip && [{ ...readScipIndex(scip, 'exported.scip'), sha256: 'exported' }];
    const { snapshot, close } = await analyze(repository.path, { name, scip: index });
    const edges = [...snapshot.edges].filter(({ type }) => type === 'CALLS' || type === 'INHERITS');
    const warnings = snapshot.repository.warnings.filter((each) => each.startsWith('scip'));
    close();
    return { edges, warnings };
  };

  before(async () => {
    repository = gitRepository({ files });
    await load(name);
    await load(other);
    await load(bare, false);
  });
  after(async () => {
    repository.remove();
    for (const each of [name, other, bare]) await removeRepository(service().stores, each);
  });

  describe('200', () => {
    it('is an index by which the graph is made again: the same edges, and the index sure of them', async () => {
      const index = Buffer.concat(await walk(path(name)));
      const [without, made] = [await edgesOf(), await edgesOf(index)];
      const short = ({ type, from, to }: (typeof made.edges)[number]) => `${type} ${from} ${to}`;
      expect(made.warnings).deep.equals([]);
      expect(made.edges.map(short).sort()).deep.equals(without.edges.map(short).sort());
      // What is called by another word than its name has no place that could be told.
      const superCall = `CALLS ${name}/src/store.ts#Store ${name}/src/store.ts#Base`;
      const unsure = made.edges.filter(({ strategy }) => strategy !== 'scip').map(short);
      expect(unsure).deep.equals([superCall]);
      expect(made.edges.length).greaterThan(9);
    });

    it('says where each name stands that is defined or referred to, in UTF-16 units', async () => {
      const documents = documentsOf(Buffer.concat(await walk(path(name))));
      expect(documents.map((each) => each.path)).deep.equals(
        Object.keys(files)
          .filter((each) => !each.endsWith('.md'))
          .toSorted(),
      );
      const named: string[] = [];
      for (const { path: file, occurrences } of documents) {
        const lines = (files[file] ?? '').split('\n');
        for (const { range, symbol, roles } of occurrences) {
          const [line = -1, from = -1, to = -1] = range;
          named.push(`${symbol.split(' . ')[1]} ${lines[line]?.slice(from, to)} ${roles}`);
        }
      }
      expect(named).includes.members([
        'src/`store.ts`/Base#save(). save 1',
        'src/`store.ts`/Store# Store 1',
        'src/`store.ts`/Store# Store 0',
        'src/`store.ts`/`élan`(). élan 1',
        'src/`#odd name``.ts`/inner#odd(). odd 1',
        '`tool.py`/Job#run(). run 1',
        '`main.go`/Shape#Area(). Area 0',
      ]);
      const store = documents.find((each) => each.path === 'src/store.ts');
      expect(store).includes({ language: 'TypeScript', encoding: 2 });
      const base = store?.occurrences.find(({ symbol }) => symbol.endsWith('/Base#save().'));
      expect([base?.range, base?.enclosing]).deep.equals([
        [2, 29, 33],
        [2, 0, 2, 55],
      ]);
      // Two calls of one function by another are one edge, which knows the first.
      const logs = store?.occurrences
        .filter(({ symbol }) => symbol.endsWith('/log().'))
        .map(({ range: [line] }) => line);
      expect(logs).deep.equals([2, 8]);
    });

    it('has the same bytes in pages of any size, and says once who made it', async () => {
      const [whole, ...none] = await walk(path(name, '&limit=1000'));
      const pages = await walk(path(name, '&limit=1'));
      expect([none.length, pages.length]).deep.equals([0, 6]);
      expect(Buffer.concat(pages).equals(whole ?? Buffer.of())).equals(true);
      expect(readScipIndex(Buffer.concat(pages), 'pages').tool).match(/^repo-intel \d/);
    });

    it('calls a symbol of another repository as the index of that does', async () => {
      await putLinks(service().stores.graph, [
        { ...edge('CALLS', `${name}/tool.py#helper`, `${other}/tool.py#Job`), path: 'tool.py', line: 7 },
      ]);
      const symbolsOf = async (repo: string) =>
        documentsOf(Buffer.concat(await walk(path(repo)))).flatMap(({ occurrences }) => occurrences);
      const foreign = (await symbolsOf(name)).filter(({ symbol }) => symbol.includes('scip  other'));
      expect(foreign.map(({ range, roles }) => [range, roles])).deep.equals([[[6, 11, 14], 0]]);
      expect((await symbolsOf(other)).find(({ roles }) => roles === 1)?.symbol).includes('scip  other');
      expect((await symbolsOf(other)).map(({ symbol }) => symbol)).includes(foreign[0]?.symbol);
    });

    it('leaves out what is less certain than was asked for', async () => {
      const all = documentsOf(Buffer.concat(await walk(path(name)))).flatMap(({ occurrences }) => occurrences);
      const sure = documentsOf(Buffer.concat(await walk(path(name, '&min_confidence=0.99'))));
      const kept = sure.flatMap(({ occurrences }) => occurrences);
      expect(kept.filter(({ roles }) => roles === 1).length).equals(all.filter(({ roles }) => roles === 1).length);
      expect(kept.length).lessThan(all.length);
    });
  });

  describe('a page', () => {
    it('ends at a thousand definitions, however many files it may have', async () => {
      const many = gitRepository({
        files: Object.fromEntries(
          ['a', 'b', 'c', 'd'].map((file) => [
            `${file}.py`,
            Array.from({ length: 400 }, (_, n) => `def ${file}${n}():\n    pass\n`).join(''),
          ]),
        ),
      });
      const { snapshot, close } = await analyze(many.path, { name: 'scip-many', keepSource: true });
      await shareWithAll(service().stores, ['scip-many']);
      await writeSnapshot(service().stores, snapshot);
      close();
      const pages = (await walk(path('scip-many'))).map(documentsOf);
      expect(pages.map((each) => each.map((document) => document.path))).deep.equals([
        ['a.py', 'b.py'],
        ['c.py', 'd.py'],
      ]);
      await removeRepository(service().stores, 'scip-many');
      many.remove();
    });
  });

  describe('404', () => {
    it('of a repository that is not there, or whose source is not kept', async () => {
      for (const [repo, code] of [
        ['nobody', 'repository_not_found'],
        [bare, 'source_not_kept'],
      ] as const) {
        const { status, json } = await service().get(path(repo));
        expect([status, json['code']]).deep.equals([404, code]);
      }
    });
  });

  describe('409', () => {
    it('where the repository was loaded anew', async () => {
      const { headers } = await service().get(path(name, '&limit=2'));
      const next = /^<(.+)>; rel="next"$/.exec(String(headers['link']))?.[1] ?? '';
      expect((await service().get(next)).status).equals(200);
      repository.commit('More', { files: { 'more.py': 'def more():\n    pass\n' } });
      await load(name);
      const { status, json } = await service().get(next);
      expect([status, json['code']]).deep.equals([409, 'export_changed']);
    });
  });

  describe('422', () => {
    it('of what is no cursor, and of more files than a page has', async () => {
      for (const wrong of ['&cursor=x', '&limit=0', '&limit=1001', '&page=2'])
        expect((await service().get(path(name, wrong))).status, wrong).equals(422);
      expect((await service().get('/api/export/scip')).status).equals(422);
    });
  });
});

/** What an index says of where things stand; `loaders/scip` reads of it only lines. */
function documentsOf(index: Uint8Array) {
  const documents: { path: string; language: string; encoding: number; occurrences: Occurrence[] }[] = [];
  read(index, 2, (bytes) => {
    const document = { path: '', language: '', encoding: 0, occurrences: [] as Occurrence[] };
    read(bytes, 1, (text) => (document.path = Buffer.from(text).toString()));
    read(bytes, 4, (text) => (document.language = Buffer.from(text).toString()));
    read(bytes, 6, (value) => (document.encoding = value[0] ?? 0));
    read(bytes, 2, (inner) => {
      const occurrence: Occurrence = { range: [], enclosing: [], symbol: '', roles: 0 };
      read(inner, 1, (packed) => (occurrence.range = numbersOf(packed)));
      read(inner, 7, (packed) => (occurrence.enclosing = numbersOf(packed)));
      read(inner, 2, (text) => (occurrence.symbol = Buffer.from(text).toString()));
      read(inner, 3, (value) => (occurrence.roles = value[0] ?? 0));
      document.occurrences.push(occurrence);
    });
    documents.push(document);
  });
  return documents;
}

function read(bytes: Uint8Array, wanted: number, take: (value: Uint8Array) => void): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field !== wanted) reader.skip(wire, field);
    else if (wire === WireType.LengthDelimited) take(reader.bytes());
    else take(Uint8Array.of(reader.int32()));
  }
}

function numbersOf(packed: Uint8Array): number[] {
  const reader = new BinaryReader(packed);
  const found: number[] = [];
  while (reader.pos < reader.len) found.push(reader.int32());
  return found;
}
