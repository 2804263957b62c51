import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openStores } from '../../src/stores/open.ts';
import type { Stores } from '../../src/stores/open.ts';
import { unique } from '../contract/relational-store.ts';
import { onEngines } from '../support/engines.ts';
import { eventually, within } from '../support/eventually.ts';
import { ownDatabase } from '../support/own-database.ts';
import type { OwnDatabase } from '../support/own-database.ts';
import { useService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';

type Loaded = Record<'letIn' | 'refused', PromiseWithResolvers<void>>;

onEngines(['postgres', 'redis'], (server) => {
  describe('a key that is revoked at one of two instances', () => {
    const closing: (() => unknown)[] = [];
    let redis: TcpProxy;
    /** The way of the second instance to PostgreSQL. */
    let postgres: TcpProxy;
    let database: OwnDatabase;
    before(async () => {
      database = await ownDatabase(server('postgres'));
      redis = await openTcpProxy(server('redis'));
      postgres = await openTcpProxy(database.url);
    });
    after(async () => {
      for (const close of closing.toReversed()) await close();
      redis.close();
      postgres.close();
      await database.remove();
    });
    const instance = async (url: string): Promise<Stores> => {
      const dataDir = await mkdtemp(join(tmpdir(), 'instance-'));
      const stores = await openStores({ dataDir, databaseUrl: url, redisUrl: redis.url });
      closing.push(() => rm(dataDir, { recursive: true }), stores.close);
      return stores;
    };
    const here = useService(
      () => instance(database.url),
      undefined,
      () => ({ ownerProof: 'api_key' }),
    );
    const there = useService(() => instance(postgres.url));

    const ask = async (service: TestService, key: string) =>
      (await service.send('/', { headers: { authorization: `Bearer ${key}` } })).status;

    /** Revokes a key that both instances are busy with; gives for how long each let it in after that, and what they said then. */
    const revokeUnderLoad = async (forMs: number) => {
      const { api_key, id, organization } = await here().createKey(unique('revoked'), 'viewer');
      const { api_key: owner } = await here().createKey(organization.slug, 'owner', null, 'olga');
      let revokedAt = Infinity;
      let done = false;
      const load = async (service: TestService, { letIn, refused }: Loaded) => {
        let lastMs = 0;
        const refusals = new Set<number>();
        while (!done) {
          const began = performance.now();
          const status = await ask(service, api_key);
          if (status === 200) letIn.resolve();
          else refused.resolve();
          if (status !== 200) refusals.add(status);
          else if (began > revokedAt) lastMs = Math.max(lastMs, began - revokedAt);
          await sleep(1);
        }
        return { lastMs, refusals: [...refusals] };
      };
      const loaded = Array.from({ length: 4 }, () => ({
        letIn: Promise.withResolvers<void>(),
        refused: Promise.withResolvers<void>(),
      }));
      const loads = [here(), here(), there(), there()].map((service, index) => load(service, loaded[index]!));
      await Promise.all(loaded.map(({ letIn }) => letIn.promise));
      const { status } = await here().send(`/v1/api-keys/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${owner}` },
      });
      revokedAt = performance.now();
      expect(status).equals(204);
      await sleep(forMs);
      await Promise.all(loaded.map(({ refused }) => refused.promise));
      done = true;
      const [first, , second] = await Promise.all(loads);
      return { here: first, there: second };
    };

    it('is refused at once there, and by word of Redis at once at the other', async () => {
      await eventually(() => there().stores.ephemeral.ping());
      const { here: first, there: second } = await revokeUnderLoad(1_500);
      expect(first).deep.equals({ lastMs: 0, refusals: [401] });
      // Else it would be known as long as without Redis.
      expect(second?.lastMs).below(2_500);
      expect(second?.refusals).deep.equals([401]);
    });

    it('is refused at both when it was a command line’s, whose session ends', async () => {
      await eventually(() => there().stores.ephemeral.ping());
      const { api_key: owner } = await here().createKey(unique('paired'), 'owner');
      const send = async (method: string, path: string, body?: object) => {
        const { status, text } = await here().send(path, {
          method,
          headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return { status, json: (text === '' ? {} : JSON.parse(text)) as Record<string, string> };
      };
      const { pairing_code } = (await send('POST', '/v1/cli/pair', {})).json;
      const { id, api_key = '' } = (await send('POST', '/v1/cli/pair/exchange', { pairing_code })).json;
      for (const service of [here(), there()]) expect(await ask(service, api_key)).equals(200);
      expect((await send('DELETE', `/v1/cli/sessions/${id}`)).status).equals(204);
      expect(await ask(here(), api_key)).equals(401);
      await within(3, async () => expect(await ask(there(), api_key)).equals(401));
    });

    it('is refused within 5 s at the other when Redis is away', async () => {
      redis.cut();
      try {
        const { here: first, there: second } = await revokeUnderLoad(6_000);
        expect(first).deep.equals({ lastMs: 0, refusals: [401] });
        expect(second?.lastMs).within(1, 5_200);
        expect(second?.refusals).deep.equals([401]);
      } finally {
        redis.restore();
      }
    });

    it('is no longer honoured by an instance cut off from PostgreSQL that Redis still reaches', async () => {
      // A message may come late to who has just come back; then the key would be looked up again.
      await eventually(async () => {
        const heard = Promise.withResolvers<string>();
        there().stores.ephemeral.subscribe('test', heard.resolve);
        await here().stores.ephemeral.publish('test', 'is heard');
        await Promise.race([heard.promise, sleep(100).then(() => Promise.reject(new Error('not heard')))]);
      });
      const { api_key, id, organization } = await here().createKey(unique('revoked'), 'viewer');
      const { api_key: owner } = await here().createKey(organization.slug, 'owner', null, 'olga');
      expect(await ask(there(), api_key)).equals(200);
      postgres.cut();
      try {
        expect(await ask(there(), api_key)).equals(200);
        await here().send(`/v1/api-keys/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${owner}` } });
        await eventually(async () => expect(await ask(there(), api_key)).equals(503));
      } finally {
        postgres.restore();
      }
      await eventually(async () => expect(await ask(there(), api_key)).equals(401));
    });
  });
});
