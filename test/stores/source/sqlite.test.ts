import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { expect } from 'chai';
import type { SourceStore } from '../../../src/stores/source/port.ts';
import { openSqliteSource } from '../../../src/stores/source/sqlite.ts';
import { sourceStoreContract } from '../../contract/source-store.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'source-'));
});
after(() => rm(folder, { recursive: true }));

let opened = 0;
sourceStoreContract('sqlite', (more) => openSqliteSource({ file: join(folder, `${++opened}.db`), ...more }));

describe('the trigrams of the embedded store of source', () => {
  let file: string;
  let store: SourceStore;
  let seed = 1;
  /** Some 80 kB that nothing else has. */
  const words = () =>
    Array.from({ length: 12_000 }, () => (seed = (seed * 48_271) % 2_147_483_647).toString(36)).join('\n');
  const load = (repository: string, texts: readonly string[]) =>
    store.replaceRepository({
      repository,
      generation: `${seed++}`,
      isKept: true,
      blobs: texts.map((text, i) => ({
        content: zstdCompressSync(Buffer.from(text)),
        files: [{ path: `${i}.txt`, language: null, test: false }],
      })),
      commits: [],
    });
  const ofFile = <T>(read: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return read(database);
    } finally {
      database.close();
    }
  };
  const segments = () =>
    ofFile((database) => database.prepare('SELECT count(*) AS pages FROM trigrams_idx GROUP BY segid').all());
  const found = async (source: string) => {
    const expression = { op: 'text' as const, pattern: { source, isRegex: false, matchCase: true } };
    const { files } = await store.within(['one', 'two', 'three']).search({ expression, offset: 0, limit: 10 });
    return files.map(({ repository, path }) => `${repository}/${path}`);
  };

  beforeEach(async () => {
    file = join(folder, `${++opened}.db`);
    store = await openSqliteSource({ file });
  });
  afterEach(() => store.close());

  it('are few segments once much was loaded, which find what several would', async () => {
    const texts = Array.from({ length: 6 }, words);
    await load('one', [`${texts[0]}\nlongNeedleOfOne`, ...texts.slice(1)]);
    expect(segments()).to.have.length.of.at.most(3);
    await load('two', [`${words()}\nlongNeedleOfTwo`, ...Array.from({ length: 5 }, words)]);
    expect(segments()).to.have.length.of.at.most(3);
    expect(await found('longNeedleOf')).to.deep.equal(['one/0.txt', 'two/0.txt']);
    await load('one', [`${texts[1]}\nlongNeedleOfAnother`]);
    await store.removeRepository('two');
    expect(await found('longNeedleOf')).to.deep.equal(['one/0.txt']);
    ofFile((database) => expect(database.prepare('PRAGMA quick_check').all()).to.deep.equal([{ quick_check: 'ok' }]));
  });

  it('are not merged anew for the little that a change brings', async () => {
    await load('one', Array.from({ length: 6 }, words));
    const merged = JSON.stringify(segments());
    await load('two', ['const little = 1']);
    expect(JSON.stringify(segments())).to.contain(merged.slice(1, -1));
    expect(await found('little')).to.deep.equal(['two/0.txt']);
  });
});
