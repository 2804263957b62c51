import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from 'pg';
import { generateApiKey } from '../../src/auth/api-key.ts';
import { openPostgres } from '../../src/stores/relational/postgres.ts';
import { unique } from '../contract/relational-store.ts';
import { get, keyIn, launchRepoIntel } from '../support/cli.ts';
import { onEngine } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';

onEngine('postgres', (server) => {
  const name = unique('repo_intel_test').replaceAll('-', '_');
  const url = () => Object.assign(new URL(server()), { pathname: `/${name}` }).href;
  const administer = async (statement: string, connectionString = server()) => {
    const client = new Client({ connectionString });
    await client.connect();
    const { rows } = await client.query(statement);
    await client.end();
    return rows as unknown[];
  };

  it('the service lives while PostgreSQL is away at its start, is not ready, and is when PostgreSQL comes', async () => {
    await administer(`CREATE DATABASE ${name}`);
    await (await openPostgres({ url: url() })).close();
    await administer(
      `INSERT INTO idempotency_key VALUES ('org_1', 'expired', repeat('x', 32)::bytea, 'POST', '/', 201, '{}', '', 'req_1', now(), now())`,
      url(),
    );
    const folder = await mkdtemp(join(tmpdir(), 'without-postgres-'));
    const proxy = await openTcpProxy(url());
    proxy.cut();
    const service = await launchRepoIntel({ DATABASE_URL: proxy.url, DATA_DIR: folder });
    try {
      const status = async (path: string, key = generateApiKey('live')) =>
        (await get(service.address, path, key)).status;
      await eventually(async () => expect(await status('/healthz')).equals(200), 20_000);
      expect(await status('/readyz')).equals(503);
      expect(await status('/api/graph')).equals(503);
      expect(await status('/v1/billing/usage')).equals(503);
      expect(await status('/api/graph', 'no-key')).equals(401);
      expect(await status('/v1/catalog')).equals(200);
      expect(service.stderr()).includes("The relational store can't be reached.").and.not.includes(proxy.url);

      proxy.restore();
      await eventually(async () => expect(await status('/readyz')).equals(200), 20_000);
      const key = await eventually(async () => keyIn(service.stdout()), 10_000);
      expect(await status('/api/graph', key)).equals(200);
      // Its housekeeping begins then.
      await eventually(
        async () => expect(await administer('SELECT 1 FROM idempotency_key', url())).deep.equals([]),
        10_000,
      );
      expect((await service.stop()).code).equals(0);
    } finally {
      await service.kill();
      proxy.close();
      await rm(folder, { recursive: true });
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  it('a signal ends the wait for PostgreSQL', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'without-postgres-'));
    const service = await launchRepoIntel({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: folder });
    try {
      await eventually(async () => expect((await get(service.address, '/healthz', '')).status).equals(200), 20_000);
      expect((await service.stop()).code).equals(0);
    } finally {
      await service.kill();
      await rm(folder, { recursive: true });
    }
  });
});
