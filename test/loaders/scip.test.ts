import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { analyze } from '../../loaders/analyze.ts';
import type { ScipFile } from '../../loaders/scip/compiled.ts';
import { readScipIndex, ScipError } from '../../loaders/scip/read-index.ts';
import { partsOf } from '../../loaders/scip/symbol-parts.ts';
import { repoIntel } from '../support/cli.ts';
import { temporaryFolder } from '../support/git-repository.ts';

/** What `scip-typescript index` (0.4.0) made of the two files below. */
const fixture = new URL('../fixtures/scip/kinds.scip', import.meta.url);
const bytes = readFileSync(fixture);
const index: ScipFile = { ...readScipIndex(bytes, 'kinds.scip'), sha256: 'one' };

const sources = {
  'package.json': '{ "name": "kinds", "version": "1.0.0" }\n',
  'src/kinds.ts': `export class Store {
  save() {}
}
export class Log {
  save() {}
}
interface Kinds {
  store: Store;
  log: Log;
}
declare const kinds: Kinds;
export function open<K extends keyof Kinds>(kind: K): Kinds[K] {
  return kinds[kind];
}
`,
  'src/run.ts': `import { Log, open } from './kinds';

export class Loud extends Log {}

export function run(names: ReadonlyMap<string, string>) {
  open('store').save();
  forEach();
  names.forEach(() => plain());
  new Loud();
}

function forEach() {}
function plain() {}
`,
};

/** A folder with these files. */
function folderOf(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Edges as `caller -> callee`, each with how it was found, and the warnings of indexes. */
async function analysed(files: Record<string, string>, scip?: ScipFile[]) {
  const { snapshot } = await analyze(folderOf(files), { name: 'it', scip });
  const short = (id: string) => id.split('#')[1] ?? '';
  const found = [...snapshot.edges]
    .filter(({ type }) => type === 'CALLS' || type === 'INHERITS')
    .map(({ from, to, strategy, confidence }) => `${short(from)} -> ${short(to)} ${strategy} ${confidence}`);
  const { warnings, fingerprint } = snapshot.repository;
  return { edges: found.sort(), warnings: warnings.filter((one) => one.startsWith('scip')), fingerprint };
}

describe('SCIP indexes', () => {
  let without: Awaited<ReturnType<typeof analysed>>;
  before(async () => {
    without = await analysed(sources);
  });

  it('outrank what is found without a compiler, are sure, and belong to the fingerprint', async () => {
    const { edges, warnings, fingerprint } = await analysed(sources, [index]);
    expect(warnings).to.deep.equal([]);
    expect(edges).to.deep.equal([
      'Loud -> Log scip 1',
      'run -> Loud scip 1',
      'run -> Store.save scip 1',
      'run -> forEach scip 1',
      'run -> open scip 1',
      'run -> plain scip 1',
    ]);
    expect(without.edges.filter((edge) => edge.includes('save'))).to.deep.equal([]);
    expect(fingerprint).not.to.equal(without.fingerprint);
  });

  it('may be of a project in a folder, and leave other files as they are', async () => {
    const more = {
      ...Object.fromEntries(Object.entries(sources).map(([path, text]) => [`web/${path}`, text])),
      'web/src/more.ts': "import { run } from './run';\nexport function more() { run(new Map()); }\n",
    };
    const { edges, warnings } = await analysed(more, [index]);
    expect(warnings).to.deep.equal([]);
    expect(edges).to.include.members(['run -> Store.save scip 1', 'more -> run import 0.95']);
  });

  it('that are outdated or of another project are said, and lose nothing', async () => {
    const moved = { ...sources, 'src/run.ts': `// New.\n\n${sources['src/run.ts']}` };
    const { edges, warnings } = await analysed(moved, [index]);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(/^scip_outdated: 1 of 2 files .*"src\/run\.ts"/);
    expect(edges).to.deep.equal(without.edges);
    const foreign: ScipFile = {
      ...index,
      documents: index.documents.map((one) => ({ ...one, path: `x/${one.path}` })),
    };
    const beside = await analysed(sources, [foreign]);
    expect(beside.warnings[0]).to.match(/^scip_foreign: 2 of 2 files /);
    expect(beside.edges).to.deep.equal(without.edges);
  });

  it('that are damaged are refused with a sentence, wherever the damage is', async () => {
    const isRefused = (damaged: Uint8Array) => {
      try {
        readScipIndex(damaged, 'kinds.scip');
      } catch (error) {
        expect(error).to.be.instanceOf(ScipError);
        expect((error as Error).message).to.match(/^kinds\.scip is no SCIP index.*: make it again/);
        return true;
      }
      return false;
    };
    expect([new Uint8Array(), Buffer.from('{}'), bytes.subarray(0, 900)].map(isRefused)).to.deep.equal([
      true,
      true,
      true,
    ]);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 }), (at, value) => {
        const flipped = Uint8Array.from(bytes);
        flipped[at] = value;
        isRefused(flipped);
        isRefused(bytes.subarray(0, at));
      }),
    );
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'cut.scip'), bytes.subarray(0, 900));
    const { code, stderr } = await repoIntel(['analyze', folder, '--edges', '-', '--scip', join(folder, 'cut.scip')]);
    expect([code, stderr]).to.satisfy(([exit, text]: [number, string]) => exit === 1 && /no SCIP index/.test(text));
  });

  it('are named by explain where a call leads as they say', async () => {
    const explained = ['explain', 'src/run.ts:6', '--repo', folderOf(sources)];
    const found = await repoIntel(explained);
    expect(found.stdout).to.include('save(…) leads nowhere').and.not.include('SCIP');
    const said = await repoIntel([...explained, '--scip', fileURLToPath(fixture)]);
    expect(said.stdout).to.include('`run` calls method `Store.save` (as the SCIP index says, confidence 1)');
  });

  it('name symbols of every indexer', () => {
    const names = {
      'scip-typescript npm rxjs 7.8.2 src/`Subject.ts`/Subject#next().': ['rxjs', 'next'],
      'scip-java maven com.acme/kit 1.0 com/acme/Client#send(+1).': ['com.acme/kit', 'send'],
      'scip-python python flask 3.1.3 `flask.app`/Flask#': ['flask', 'Flask'],
      'scip-go gomod github.com/acme/kit v1 `github.com/acme/kit`/New().': ['github.com/acme/kit', 'New'],
      'rust-analyzer cargo kit 1.0.0 net/impl#[Client]send().': ['kit', 'send'],
      'scip-typescript npm kinds 1.0.0 src/`kinds.ts`/open().(kind)': null,
    };
    for (const [symbol, wanted] of Object.entries(names)) {
      const parts = partsOf(symbol);
      expect(parts && [parts.package, parts.name], symbol).to.deep.equal(wanted);
    }
  });
});
