import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { get, keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import type { Running } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import { onSmallDisk } from '../support/small-disk.ts';
import { losesNothingWhenFull } from '../support/full-disk.ts';

describe('a full disk', () => {
  onSmallDisk(200, (disk) => {
    let service: Running | undefined;
    const repository = gitRepository({ name: 'mine', files: { 'a.js': '' } });
    afterEach(() => service?.kill());
    after(() => repository.remove());

    it('is seen before it is full: loads and writes are refused and say so, reads go on, and all goes on when there is room', async () => {
      const environment = {
        DATA_DIR: await dataFolder(join(disk().folder, 'data')),
        MIN_FREE_MB: '40',
        LOG_LEVEL: 'warn',
      };
      const source = temporaryFolder();
      await mkdir(join(source, 'src'));
      writeFileSync(join(source, 'src/one.js'), 'export function firstOfAll() {}\n');
      const { address, stdout, stderr } = (service = await startRepoIntel(['up', source], environment));
      const key = keyIn(stdout());
      const post = (path: string, body: unknown) =>
        fetch(`${address}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      const found = async (word: string) =>
        (await get<{ items: { name: string }[] }>(address, `/api/search?q=${word}`, key)).body.items.filter(
          ({ name }) => name === word,
        ).length;
      const readiness = async () => (await fetch(`${address}/readyz`)).json();
      const newKey = { member: 'anna' };
      const made = (await (await post('/v1/api-keys', newKey)).json()) as { id: string };
      expect(await readiness()).deep.equals({ status: 'ready' });

      disk().fill(30_000_000);
      await eventually(async () => expect(await readiness()).deep.equals({ status: 'ready', degraded: ['disk'] }));
      const refused = await post('/v1/api-keys', newKey);
      expect([refused.status, refused.headers.get('retry-after')]).deep.equals([507, '60']);
      expect(await refused.json()).include({ code: 'insufficient_storage', status: 507 });
      const ended = await fetch(`${address}/v1/api-keys/${made.id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${key}` },
      });
      expect(ended.status).equals(204);
      writeFileSync(join(source, 'src/one.js'), 'export function secondOfAll() {}\n');
      const load = await repoIntel(['load', source], environment);
      expect(load.code).equals(1);
      expect(load.stderr).match(
        /not loaded\. The disk of the data folder has \d+ MB left, and 40 MB are kept free \(MIN_FREE_MB\)/,
      );
      const mint = await repoIntel(['benchmark', 'mint', repository.path, '--test-cmd', 'true'], environment);
      expect([mint.code, mint.stderr.includes('are kept free (MIN_FREE_MB)')], mint.stderr).deep.equals([1, true]);
      expect([await found('firstOfAll'), await found('secondOfAll')]).deep.equals([1, 0]);
      await eventually(async () => expect(stderr()).include('the disk is nearly full'));

      disk().makeRoom();
      await eventually(async () => expect(await readiness()).deep.equals({ status: 'ready' }));
      expect((await post('/v1/api-keys', newKey)).status).equals(201);
      expect((await repoIntel(['load', source], environment)).code).equals(0);
      expect([await found('firstOfAll'), await found('secondOfAll')]).deep.equals([0, 1]);
      expect((await service.stop()).code).equals(0);
    });

    it('at the start is a sentence, and damages nothing', async () => {
      const environment = { DATA_DIR: await dataFolder(join(disk().folder, 'data')) };
      const { stdout, kill } = (service = await startRepoIntel(['serve'], environment));
      const key = keyIn(stdout());
      await kill();
      disk().fill();
      const { code, stderr } = await repoIntel(['serve'], environment);
      expect(code).equals(1);
      expect(stderr).match(/is full: make room there and start again/);
      disk().makeRoom();
      const { address } = (service = await startRepoIntel(['serve'], environment));
      expect((await get(address, '/api/graph', key)).status).equals(200);
    });

    losesNothingWhenFull(disk, 1);
  });
});
