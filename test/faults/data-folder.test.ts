import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { get, repoIntel, startRepoIntel } from '../support/cli.ts';
import type { Running } from '../support/cli.ts';
import { damageNames, damages, drawn } from '../support/damage.ts';
import { answersAsBefore, filesOf, fillDataFolder, survives } from '../support/damaged-data-folder.ts';
import type { FilledFolder } from '../support/damaged-data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';

/** Which damages are drawn; all of them are in test/long/data-folder.long.ts. */
const seed = Number(process.env['DAMAGE_SEED'] ?? 16);

describe('a data folder with a damaged file', () => {
  let filled: FilledFolder;
  let folder: string;
  let service: Running | undefined;
  before(async () => {
    filled = await fillDataFolder();
  });
  after(() => filled.remove());
  beforeEach(() => {
    folder = temporaryFolder();
    cpSync(filled.folder, folder, { recursive: true });
    service = undefined;
  });
  afterEach(async () => {
    await service?.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const start = async () => (service = await startRepoIntel(['serve'], { DATA_DIR: folder }));
  const answer = async ({ address }: Running) => {
    for (const [path, wanted] of filled.answers) await answersAsBefore(address, filled.key, path, wanted);
  };

  for (const file of ['graph.sqlite', 'search.sqlite']) {
    const [damage] = drawn(damageNames, 1, seed + file.length) as [keyof typeof damages];
    it(`${file} ${damage}: the service comes up, and all is answered as before`, () => survives(filled, file, damage));
  }

  it(`another, drawn with seed ${seed}: the service comes up, or names the file and the way out`, async () => {
    const others = filesOf(filled, 'ours').filter((file) => !/^(graph|search)\.sqlite$/.test(file));
    const cases = others.flatMap((file) => damageNames.map((damage) => ({ file, damage })));
    for (const { file, damage } of drawn(cases, 1, seed)) await survives(filled, file, damage);
  });

  it('damaged while it serves and a repository is loaded: that is in both once, and all else as before', async () => {
    const { address, stderr } = await start();
    await answer(service!);
    using added = gitRepository({ name: 'apart', files: { 'c.js': 'export function alone() {}\n' } });
    damages['cut to half'](join(folder, 'graph.sqlite'));
    damages.deleted(join(folder, 'search.sqlite'));
    const load = await repoIntel(['load', added.path], { DATA_DIR: folder });
    expect(load.code, load.stderr).equals(0);
    const ask = async <T>(path: string) => {
      const { status, body } = await get<T>(address, path, filled.key);
      expect(status).equals(200);
      return body;
    };
    await eventually(async () => {
      const { items } = await ask<{ items: { id: string }[] }>('/api/search?q=alone&type=Function');
      expect(items.map(({ id }) => id)).deep.equals(['apart/c.js#alone']);
      const { nodes } = await ask<{ nodes: { type: string; name: string }[] }>('/api/graph');
      const repositories = nodes.filter(({ type }) => type === 'Repository').map(({ name }) => name);
      expect(repositories.sort()).deep.equals(['apart', 'kit', 'shop']);
    });
    expect(await ask('/readyz')).deep.equals({ status: 'ready' });
    for (const file of ['graph.sqlite', 'search.sqlite'])
      expect(stderr()).contains(`${join(folder, file)} is made anew`);
    const edges = await repoIntel(['export'], { DATA_DIR: folder });
    const lines = edges.stdout.trim().split('\n');
    expect(new Set(lines).size).equals(lines.length);
    expect((await service!.stop()).code).equals(0);
  });

  it('with rows of the search index that are not what was written: noticed at the first search that reads one', async () => {
    const database = new DatabaseSync(join(folder, 'search.sqlite'));
    database.exec('UPDATE blocks SET terms = randomblob(length(terms))');
    database.close();
    await answer(await start());
    expect(service?.stderr())
      .contains(`${join(folder, 'search.sqlite')} is made anew`)
      .and.contains('checksum');
  });

  it('rebuild makes it anew without the service, and with it', async () => {
    for (const file of ['graph.sqlite', 'search.sqlite'] as const) {
      damages['overwritten at the head'](join(folder, file));
      const damaged = readFileSync(join(folder, file));
      const rebuild = await repoIntel(['rebuild', file.replace('.sqlite', '')], { DATA_DIR: folder });
      expect([rebuild.code, /2 repositories rebuilt/.test(rebuild.stderr)], rebuild.stderr).deep.equals([0, true]);
      expect(readFileSync(join(folder, `${file}.set-aside`)).equals(damaged)).equals(true);
    }
    await answer(await start());
    damages['overwritten at the head'](join(folder, 'search.sqlite'));
    const rebuild = await repoIntel(['rebuild', 'all'], { DATA_DIR: folder });
    expect([rebuild.code, /2 repositories rebuilt/.test(rebuild.stderr)], rebuild.stderr).deep.equals([0, true]);
    await answer(service!);
    expect(existsSync(join(folder, 'graph.sqlite.set-aside'))).equals(true);
  });
});
