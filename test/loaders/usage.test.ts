import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { openSqliteGraph } from '../../src/stores/graph/sqlite.ts';
import type { GraphStore } from '../../src/stores/graph/port.ts';
import type { SearchStore } from '../../src/stores/search/port.ts';
import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import type { SourceStore } from '../../src/stores/source/port.ts';
import { openSqliteSource } from '../../src/stores/source/sqlite.ts';
import { gitRepository } from '../support/git-repository.ts';
import { temporaryPglite } from '../support/temporary-pglite.ts';

describe('how much a repository is used by others, in search', () => {
  const relational = temporaryPglite();
  let folder: string;
  let graph: GraphStore;
  let search: SearchStore;
  let source: SourceStore;
  /** Repositories whose documents were written, since the last look. */
  let written: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'usage-'));
    graph = await openSqliteGraph({ file: join(folder, 'graph.db') });
    source = await openSqliteSource({ file: join(folder, 'source.db') });
    const store = await openSqliteSearch({ file: join(folder, 'search.db') });
    search = {
      ...store,
      replaceRepository: (snapshot) => {
        written.push(snapshot.repository);
        return store.replaceRepository(snapshot);
      },
    };
  });
  after(async () => {
    await Promise.all([graph.close(), search.close(), source.close()]);
    await rm(folder, { recursive: true });
  });

  const stores = () => ({
    graph,
    search,
    source,
    relational: relational(),
    healthOf: () => ({ score: 0.9, grade: 'A' }),
  });
  const load = async (name: string, needs: string[]) => {
    const dependencies = Object.fromEntries(needs.map((each) => [each, '^1.0.0']));
    using repository = gitRepository({
      files: {
        'package.json': JSON.stringify({ name, version: '1.0.0', description: `It is ${name}.`, dependencies }),
        'index.js': `export function ${name}Main() {}\n`,
      },
    });
    written = [];
    await writeSnapshot(stores(), (await analyze(repository.path, { name })).snapshot);
    return written;
  };
  const breakdown = async (text: string) => {
    const { hits } = await search.everything.search({
      text,
      sort: 'composite_score',
      order: 'desc',
      offset: 0,
      limit: 1,
    });
    return hits[0]?.breakdown;
  };

  it('counts for all that is in it, and only what it changes for is written again', async () => {
    expect(await load('base', [])).to.deep.equal(['base']);
    expect((await breakdown('baseMain'))?.usage).to.equal(0);
    expect(await load('first', ['base'])).to.deep.equal(['first', 'base']);
    const once = (await breakdown('baseMain'))?.usage ?? 0;
    expect(once).to.be.greaterThan(0);
    expect((await breakdown('base'))?.usage).to.equal(once);
    expect((await breakdown('firstMain'))?.usage).to.equal(0);
    expect(await load('second', ['base'])).to.deep.equal(['second', 'base']);
    expect((await breakdown('baseMain'))?.usage).to.be.greaterThan(once);
    // A third is not yet twice as many.
    expect(await load('third', ['base'])).to.deep.equal(['third']);
    await removeRepository(stores(), 'first');
    await removeRepository(stores(), 'second');
    expect((await breakdown('baseMain'))?.usage).to.equal(once);
  });

  it('stands beside the health that due diligence says', async () => {
    expect((await breakdown('baseMain'))?.health).to.equal(0.45);
  });
});
