import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Pool } from 'pg';
import { relationalFolder } from '../../../src/stores/open.ts';
import { PgliteConnection } from '../../../src/stores/relational/pglite-connection.ts';
import { openPglite } from '../../../src/stores/relational/pglite.ts';
import { dataFolder } from '../../support/data-folder.ts';

const migrations = new URL('../../../src/stores/relational/migrations/', import.meta.url);

/** What a data folder of 0.1.0 has: every table of accounts and usage filled. */
const filled = `
  INSERT INTO organization (id, slug, name, checkout_hosts) VALUES ('org_1', 'acme', 'Acme', '{app.acme.example}');
  INSERT INTO member (id, organization_id, name, role, subject) VALUES
    ('mem_1', 'org_1', 'ann', 'owner', 'sub-1'), ('mem_2', 'org_1', 'bob', 'viewer', NULL);
  INSERT INTO api_key (id, organization_id, member_id, prefix, digest, name)
    VALUES ('key_1', 'org_1', 'mem_1', 'ris_live_0Xcs', decode(repeat('ab', 32), 'hex'), 'laptop');
  INSERT INTO cli_pairing (id, organization_id, member_id, selector, secret_digest, role, expires_at)
    VALUES ('pair_1', 'org_1', 'mem_1', 'BCDF', decode(repeat('cd', 32), 'hex'), 'member', now() + interval '1 hour');
  INSERT INTO audit_log (id, organization_id, member_id, key_id, action, subject, details) VALUES
    ('aud_1', 'org_1', NULL, NULL, 'member.created', 'mem_1', '{}'),
    ('aud_2', 'org_1', 'mem_1', 'key_1', 'api_key.created', 'key_2', '{"name": "ü"}'),
    ('aud_3', 'org_1', NULL, NULL, 'cli_pairing.revoked', 'pair_0', '{"reason": "wrong_codes"}'),
    ('aud_4', 'org_1', NULL, NULL, 'checkout_session.completed', 'cs_1', '{}');
  INSERT INTO usage_ledger VALUES ('2026-11-01', gen_random_uuid(), 'org_1', 'mem_1', 'key_1', 'code-search', 'search', 200,
    'successful', 1, '2026-11-21T10:00:00Z');
  INSERT INTO usage_rollup (organization_id, period, day, member_id, product, operation, class, calls, credits)
    VALUES ('org_1', '2026-11-01', '2026-11-21', 'mem_1', 'code-search', 'search', 'successful', 1, 1);
`;

describe('migrations', () => {
  it('a database of 0.1.0 opens, and nothing of its accounts and usage is lost', async () => {
    const folder = relationalFolder({ dataDir: await dataFolder() });
    const old = new Pool({
      max: 1,
      user: 'postgres',
      database: 'postgres',
      password: '',
      ssl: false,
      stream: () => new PgliteConnection(folder, Promise.resolve()),
    });
    await old.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC');
    await old.query(
      'CREATE TABLE schema_migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql') && name < '0013').sort();
    expect(names).lengthOf(12);
    for (const name of names) {
      await old.query(await readFile(new URL(name, migrations), 'utf8'));
      await old.query('INSERT INTO schema_migration (name) VALUES ($1)', [name]);
    }
    await old.query(filled);
    await old.end();

    const store = await openPglite({ folder });
    try {
      const found = await store.accounts.principalByDigest([{ digest: Buffer.alloc(32, 0xab), pepperId: 'p' }]);
      expect(found).deep.equals({
        organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
        member: { id: 'mem_1', organization_id: 'org_1', name: 'ann', role: 'owner' },
        api_key: { id: 'key_1', prefix: 'ris_live_0Xcs', expires_at: null, environment: 'live' },
        products: null,
        repositories: null,
        scopes: null,
        rate_limit_per_minute: null,
      });
      const days = { from: '2026-11-01', to: '2026-11-30' };
      await store.tenant('org_1', async (tenant) => {
        expect((await tenant.members.list({ offset: 0, limit: 9 })).items.map(({ name }) => name)).deep.equals([
          'ann',
          'bob',
        ]);
        expect(await tenant.pairings.get('pair_1')).includes({ status: 'pending', invited_name: null });
        expect(await tenant.settings.get()).deep.includes({
          checkout_hosts: ['app.acme.example'],
          default_role: 'member',
          default_key_days: null,
        });
        expect((await tenant.audit.list()).map(({ id, via, details }) => [id, via, details])).deep.equals([
          ['aud_1', 'cli', {}],
          ['aud_2', 'api', { name: 'ü' }],
          ['aud_3', 'api', { reason: 'wrong_codes' }],
          ['aud_4', 'provider', {}],
        ]);
        expect(await tenant.usage.calls(days, ['environment', 'product'])).deep.equals([
          { environment: 'live', product: 'code-search', class: 'successful', calls: 1, credits: 1 },
        ]);
      });
      expect(await store.pairings.owner({ organization: 'acme', subject: 'sub-1' })).includes({ id: 'mem_1' });
      expect((await store.usage.check()).differing).deep.equals([]);
    } finally {
      await store.close();
    }
  });
});
