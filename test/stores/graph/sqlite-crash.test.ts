import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteGraph } from '../../../src/stores/graph/sqlite.ts';
import { repository } from '../../contract/graph-store.ts';
import { killWhileWriting } from '../../support/kill-while.ts';

/** Loads version after version of one repository until somebody ends it. */
const PROGRAM = `
  const [, file, from] = process.argv;
  const { openSqliteGraph } = await import(${JSON.stringify(new URL('../../../src/stores/graph/sqlite.ts', import.meta.url))});
  const { repository } = await import(${JSON.stringify(new URL('../../contract/graph-store.ts', import.meta.url))});
  const store = await openSqliteGraph({ file });
  for (let version = Number(from); ; version++) {
    const symbols = Array.from({ length: 2000 }, (_, i) => 'v' + version + '_' + i);
    const done = store.replaceRepository(repository('koa', { symbols, generation: String(version) }));
    console.log('writing');
    await done;
  }`;

describe('graph store sqlite, killed while it writes', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'graph-crash-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('opens again with one whole version of the repository, wherever the kill fell', async () => {
    const file = join(folder, 'graph.db');
    const first = await openSqliteGraph({ file });
    await first.replaceRepository(repository('koa', { symbols: named(0), generation: '0' }));
    await first.close();
    let version = 0;
    let kills = 0;
    for (const delayMs of [0, 3, 10, 25, 45, 70, 100, 140]) {
      if (await killWhileWriting(PROGRAM, [file, String(version + 1)], delayMs)) kills++;
      const store = await openSqliteGraph({ file });
      const held = Number((await store.generations()).get('koa'));
      expect(held).to.be.at.least(version);
      version = held;
      const wanted = repository('koa', { symbols: named(version) });
      const nodes = await Array.fromAsync(store.nodes(), ({ id }) => id);
      expect(new Set(nodes)).to.deep.equal(new Set(wanted.nodes.map(({ id }) => id)));
      const edges = await Array.fromAsync(store.edges(), ({ type, from, to }) => `${type} ${from} ${to}`);
      expect(new Set(edges)).to.deep.equal(new Set(wanted.edges.map(({ type, from, to }) => `${type} ${from} ${to}`)));
      expect((await store.everything.repositoryGraph()).counts[0]?.nodes).to.deep.equal({ Function: 2000 });
      await store.close();
    }
    expect(kills).to.equal(8);
  });
});

function named(version: number): string[] {
  return Array.from({ length: 2000 }, (_, i) => `v${version}_${i}`);
}
