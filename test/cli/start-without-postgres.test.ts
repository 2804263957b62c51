import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { generateApiKey } from '../../src/auth/api-key.ts';
import { openPostgres } from '../../src/stores/relational/postgres.ts';
import { get, keyIn, launchRepoIntel } from '../support/cli.ts';
import { onEngine } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { ownDatabase } from '../support/own-database.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';

onEngine('postgres', (server) => {
  it('the service lives while PostgreSQL is away at its start, is not ready, and is when PostgreSQL comes', async () => {
    const database = await ownDatabase(server());
    await (await openPostgres({ url: database.url })).close();
    await database.query(
      `INSERT INTO idempotency_key VALUES ('org_1', 'expired', repeat('x', 32)::bytea, 'POST', '/', 201, '{}', '', 'req_1', now(), now())`,
    );
    const folder = await mkdtemp(join(tmpdir(), 'without-postgres-'));
    const proxy = await openTcpProxy(database.url);
    proxy.cut();
    const service = await launchRepoIntel({ DATABASE_URL: proxy.url, DATA_DIR: folder });
    try {
      const status = async (path: string, key = generateApiKey('live')) =>
        (await get(service.address, path, key)).status;
      await eventually(async () => expect(await status('/healthz')).equals(200));
      expect(await status('/readyz')).equals(503);
      expect(await status('/api/graph')).equals(503);
      expect(await status('/v1/billing/usage')).equals(503);
      expect(await status('/api/graph', 'no-key')).equals(401);
      expect(await status('/v1/catalog')).equals(200);
      await eventually(async () => expect(service.stderr()).includes("The relational store can't be reached."));
      expect(service.stderr()).not.includes(proxy.url);

      proxy.restore();
      await eventually(async () => expect(await status('/readyz')).equals(200));
      const key = await eventually(async () => keyIn(service.stdout()));
      expect(await status('/api/graph', key)).equals(200);
      // Its housekeeping begins then.
      await eventually(async () => expect(await database.query('SELECT 1 FROM idempotency_key')).deep.equals([]));
      expect((await service.stop()).code).equals(0);
    } finally {
      await service.kill();
      proxy.close();
      await rm(folder, { recursive: true });
      await database.remove();
    }
  });

  it('a signal ends the wait for PostgreSQL', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'without-postgres-'));
    const service = await launchRepoIntel({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: folder });
    try {
      await eventually(async () => expect((await get(service.address, '/healthz', '')).status).equals(200));
      expect((await service.stop()).code).equals(0);
    } finally {
      await service.kill();
      await rm(folder, { recursive: true });
    }
  });
});
