import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openStores } from '../../src/stores/open.ts';
import type { Stores } from '../../src/stores/open.ts';
import { unique } from '../contract/relational-store.ts';
import { onEngine } from '../support/engines.ts';
import { ownDatabase } from '../support/own-database.ts';
import type { OwnDatabase } from '../support/own-database.ts';
import { useService } from '../support/service.ts';

onEngine('postgres', (server) => {
  describe('keys at rest', () => {
    let folder = '';
    let database: OwnDatabase;
    let stores: Stores;
    after(async () => {
      await stores?.close();
      await database?.remove();
      await rm(folder, { recursive: true });
    });
    const service = useService(async () => {
      folder = await mkdtemp(join(tmpdir(), 'at-rest-'));
      database = await ownDatabase(server());
      stores = await openStores({ dataDir: folder, databaseUrl: database.url });
      return stores;
    });

    it('a dump of every table holds no eight characters of a key that was issued, beside what people recognise it by', async () => {
      const owner = await service().createKey(unique('at-rest'), 'owner');
      const keys = [owner.api_key];
      const send = async (path: string, body: object) => {
        const { status, json } = await service().send(path, {
          method: 'POST',
          headers: { authorization: `Bearer ${owner.api_key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        expect(status).equals(201);
        keys.push(String(json['api_key']));
        return String(json['id']);
      };
      const first = await send('/v1/api-keys', { member: 'ann', name: 'laptop' });
      await send(`/v1/api-keys/${first}/rotate`, { overlap_seconds: 60 });
      for (const key of keys) await service().send('/api/graph', { headers: { authorization: `Bearer ${key}` } });
      expect((await service().get('/v1/billing/usage')).status).equals(200);

      const dump = await dumpOf(database);
      expect(dump).includes(owner.prefix).and.includes('api_key.rotated');
      const prefix = owner.prefix.length;
      for (const key of keys) {
        expect(key).matches(/^ris_live_[0-9A-Za-z]{38}$/);
        for (let start = prefix - 7; start + 8 <= key.length; start += 1) {
          const part = key.slice(start, start + 8);
          expect(dump).not.includes(part);
          // As bytes are shown.
          expect(dump).not.includes(Buffer.from(part).toString('hex'));
        }
      }
    });
  });
});

/** Every row of every table; bytes in hexadecimal. */
async function dumpOf({ query }: OwnDatabase): Promise<string> {
  const tables = await query(`
    SELECT table_schema || '."' || table_name || '"' AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`);
  const names = tables.map(({ name }) => String(name));
  expect(names).includes.members(['public."api_key"', 'public."audit_log"', 'public."idempotency_key"']);
  const rows = [];
  for (const name of names) rows.push(...(await query(`SELECT one::text AS row FROM ${name} AS one`)));
  return JSON.stringify(rows);
}
