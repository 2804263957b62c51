import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteSearch } from '../../../src/stores/search/sqlite.ts';
import { document } from '../../contract/search-store.ts';
import { killWhileWriting } from '../../support/kill-while.ts';

/** Loads version after version of one repository until somebody ends it. */
const PROGRAM = `
  const [, file, from] = process.argv;
  const { openSqliteSearch } = await import(${JSON.stringify(new URL('../../../src/stores/search/sqlite.ts', import.meta.url))});
  const { document } = await import(${JSON.stringify(new URL('../../contract/search-store.ts', import.meta.url))});
  const store = await openSqliteSearch({ file });
  for (let version = Number(from); ; version++) {
    const documents = Array.from({ length: 1500 }, (_, i) => document('koa', 'version' + version + '_' + i));
    const done = store.replaceRepository({ repository: 'koa', generation: String(version), documents });
    console.log('writing');
    await done;
  }`;

describe('search store sqlite, killed while it writes', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'search-crash-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('opens again with one whole version of the repository, wherever the kill fell', async () => {
    const file = join(folder, 'search.db');
    const first = await openSqliteSearch({ file });
    await first.replaceRepository({ repository: 'koa', generation: '0', documents: [document('koa', 'version0_0')] });
    await first.close();
    let version = 0;
    let kills = 0;
    for (const delayMs of [0, 5, 20, 45, 80, 120, 170, 240]) {
      if (await killWhileWriting(PROGRAM, [file, String(version + 1)], delayMs)) kills++;
      const store = await openSqliteSearch({ file });
      const held = Number((await store.generations()).get('koa'));
      expect(held).to.be.at.least(version);
      version = held;
      const total = version === 0 ? 1 : 1500;
      const query = { sort: 'name', order: 'asc', offset: 0, limit: 2000 } as const;
      const { hits } = await store.everything.search({ ...query, text: '' });
      expect(new Set(hits.map((hit) => hit.document.name.split('_')[0]))).to.deep.equal(new Set([`version${version}`]));
      expect(hits).to.have.length(total);
      expect((await store.everything.search({ ...query, text: 'version' })).total).to.equal(total);
      expect((await store.everything.search({ ...query, text: `version${version}_` })).total).to.equal(total);
      await store.close();
    }
    expect(kills).to.equal(8);
  });
});
