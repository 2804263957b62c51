import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Pool } from 'pg';
import { decodeTime } from 'ulid';
import { relationalFolder } from '../../../src/stores/open.ts';
import { PgliteConnection } from '../../../src/stores/relational/pglite-connection.ts';
import { openPglite } from '../../../src/stores/relational/pglite.ts';
import { dataFolder } from '../../support/data-folder.ts';
import { effort } from '../../support/effort.ts';
import { taskInstance } from '../../support/task-instances.ts';

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

/** A repository in each table that kept one before anybody owned it. */
const kept = `
  INSERT INTO snapshot (repository, generation, info, content_id, size_bytes) VALUES ('koa', 'g', '{}', gen_random_uuid(), 1);
  INSERT INTO pipeline_run (id, repository, analyzer_version, status, completed_at) VALUES ('run_1', 'failed', 'v', 'failed', now());
  INSERT INTO task_instance (instance_id, repo, language, difficulty, created_at, body)
    VALUES ('acme__shop-1', 'acme/shop', 'Go', '1-4 hours', now(), '{"instance_id": "acme__shop-1", "repo": "acme/shop"}');
  INSERT INTO mint_run (run_id, repo, completed_at, body) VALUES ('mint-1', 'acme/searched', now(), '{"repo": "acme/searched"}');
  INSERT INTO evaluation_run (run_id, model, ended_at, body) VALUES ('run-1', 'm', now(), '{"run_id": "run-1"}');
`;
const keys = ['acme/searched', 'acme/shop', 'failed', 'koa'];

const organizations = (...slugs: string[]) =>
  slugs
    .map((slug) => `INSERT INTO organization (id, slug, name) VALUES ('org_${slug}', '${slug}', '${slug}');`)
    .join('');

/** A data folder as the version of this many migrations has left it. */
async function folderOf(version: number, statements: string): Promise<string> {
  const folder = relationalFolder({ dataDir: await dataFolder() });
  const connection = new PgliteConnection(folder, Promise.resolve());
  const old = new Pool({
    max: 1,
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
    stream: () => connection,
  });
  await old.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC');
  await old.query(
    'CREATE TABLE schema_migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort();
  for (const name of names.slice(0, version)) {
    await old.query(await readFile(new URL(name, migrations), 'utf8'));
    await old.query('INSERT INTO schema_migration (name) VALUES ($1)', [name]);
  }
  await old.query(statements);
  await old.end();
  await connection.exited;
  return folder;
}

describe('migrations', () => {
  describe('what was kept of repositories before they had an owner', () => {
    for (const { there, owner, shared } of [
      { there: ['acme', 'default'], owner: 'default', shared: true },
      { there: ['acme'], owner: 'acme', shared: false },
      { there: ['default'], owner: 'default', shared: false },
      { there: ['acme', 'bolt'], owner: 'default', shared: true },
      { there: [], owner: 'default', shared: false },
    ].slice(0, effort({ gate: 2, long: 5 }))) {
      it(`${there.join(' and ') || 'no organization'}: it is ${owner}’s${shared ? ', and everybody reads it still' : ''}`, async () => {
        const store = await openPglite({ folder: await folderOf(15, organizations(...there) + kept) });
        try {
          const found = await store.repositories.list();
          expect(
            found.map(({ key, name, organization_slug: slug, shared: all }) => [key, name, slug, all]),
          ).deep.equals(keys.map((key) => [key, key, owner, shared]));
          const all = await store.accounts.organizations();
          expect(all.map(({ slug }) => slug)).deep.equals([...new Set([...there, owner])].toSorted());
          if (!there.includes(owner)) {
            const made = all.find(({ slug }) => slug === owner);
            expect(made).includes({ name: 'Default' });
            expect(decodeTime(made?.id.slice('org_'.length) ?? '')).closeTo(Date.now(), 600_000);
          }
          const page = { offset: 0, limit: 9 };
          for (const { id, slug } of all)
            await store.tenant(id, async (tenant) => {
              const visible = await tenant.repositories.visible();
              expect(visible).deep.equals(
                keys.map((key) => ({
                  key,
                  name: key,
                  full_name: key.includes('/') ? key : null,
                  own: slug === owner,
                  shared,
                })),
              );
              expect((await tenant.snapshots.list()).map(({ repository }) => repository)).deep.equals(['koa']);
              expect((await tenant.runs.list('failed')).map(({ id: run }) => run)).deep.equals(['run_1']);
              expect(await tenant.taskInstances.get('acme__shop-1')).includes({ repo: 'acme/shop' });
              expect((await tenant.mintRuns.list(page)).items).deep.equals([{ repo: 'acme/searched' }]);
              expect((await tenant.evaluationRuns.list(page)).items).deep.equals([{ run_id: 'run-1' }]);
            });
          // What is loaded again keeps its key, and nobody else gets it.
          expect(await store.repositories.claim(found[0]?.organization_id ?? '', 'koa')).equals('koa');
          const usual = await store.accounts.ensureOrganization({ slug: 'default', name: 'default' });
          expect(await store.repositories.claim(usual.id, 'koa')).equals(owner === 'default' ? 'koa' : 'default~koa');
        } finally {
          await store.close();
        }
      });
    }

    it('where nothing was kept, nobody is made to own it', async () => {
      const store = await openPglite({ folder: await folderOf(15, '') });
      expect([await store.repositories.list(), await store.accounts.organizations()]).deep.equals([[], []]);
      await store.close();
    });
  });

  it('a database of 0.1.0 opens, and nothing of its accounts and usage is lost', async () => {
    const store = await openPglite({ folder: await folderOf(12, filled) });
    try {
      const found = await store.accounts.principalByDigest([{ digest: Buffer.alloc(32, 0xab), pepperId: 'p' }]);
      expect(found).deep.equals({
        organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
        plan: 'beta',
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

  it('a task that was left out for a flag that leaves none out any more is listed once it is saved again', async () => {
    const { quality } = taskInstance();
    const task = taskInstance({ quality: { ...quality, flags: ['changelog_only'] } });
    const kept = `INSERT INTO task_instance (instance_id, repo, language, difficulty, created_at, usable, body) VALUES
      ('${task.instance_id}', '${task.repo}', 'Go', '1-4 hours', now(), false, $body$${JSON.stringify(task)}$body$)`;
    const store = await openPglite({ folder: await folderOf(32, kept) });
    try {
      const { save, list } = store.taskInstances;
      const listed = async () => (await list({ usable: true, offset: 0, limit: 9 })).items;
      expect(await listed()).deep.equals([]);
      expect(await save([task])).deep.equals({ added: 0, changed: 1, unchanged: 0 });
      expect(await listed()).deep.equals([task]);
      expect(await save([task])).deep.equals({ added: 0, changed: 0, unchanged: 1 });
    } finally {
      await store.close();
    }
  });
});
