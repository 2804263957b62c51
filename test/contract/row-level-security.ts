import { expect } from 'chai';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import { addKey, addMember } from '../support/accounts.ts';
import {
  evaluationAttempt,
  evaluationOutcome,
  evaluationRun,
  mintRun,
  taskInstance,
} from '../support/task-instances.ts';
import { failure, repository, unique } from './relational-store.ts';

/** Asks the database itself, as its administrator. */
type Ask = (statement: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Tables whose rows belong to no organization: what the service's role for requests may do there. */
const ofNobody: Readonly<Record<string, string[]>> = {
  schema_migration: [],
  waitlist_entry: [],
};

/** The columns that name a repository by its key. */
const keyColumns = ['repository', 'repo'];

/** Tables whose rows every organization reads where they are shared, beside its own. */
const sharing: Readonly<Record<string, { policies: string[]; rights: string[] }>> = {
  repository: {
    policies: ['SELECT ((organization_id = tenant()) OR (shared AND (tenant() IS NOT NULL)))'],
    rights: ['SELECT'],
  },
  evaluation_run: {
    policies: ['ALL (organization_id = tenant())', 'SELECT (shared AND (tenant() IS NOT NULL))'],
    rights: ['SELECT', 'INSERT', 'UPDATE'],
  },
};

/**
 * What keeps organizations apart when a query forgets whose rows it wants: asked of the catalogue, so that a table that somebody
 * adds without a policy fails here. `inspect` gives a way past the store,
 * which nobody asks meanwhile.
 */
export function rowLevelSecurityContract(
  store: () => RelationalStore,
  inspect: () => Promise<{ ask: Ask; close(): Promise<void> }>,
): void {
  describe('row-level security', () => {
    const organizations: string[] = [];
    let ask: Ask;
    let close: (() => Promise<void>) | undefined;
    after(() => close?.());
    before(async () => {
      for (let count = 0; count < 2; count += 1) {
        const { organization, member } = await addMember(store(), unique('org'));
        organizations.push(organization.id);
        await addKey(store(), member);
        const entry = { memberId: null, keyId: null, action: 'test', subject: 'test' };
        await store().tenant(organization.id, ({ audit }) => audit.append(entry));
        const request = { key: 'k', fingerprint: Buffer.alloc(32), method: 'POST', route: '/', requestId: 'req_1' };
        const answer = { status: 201, headers: {}, body: '' };
        await store().idempotency.once({ ...request, organizationId: organization.id }, () => Promise.resolve(answer));
        await fill(store(), organization.id);
      }
      ({ ask, close } = await inspect());
    });

    /** Work as the role of requests, in a transaction that is undone. */
    const asService = async <T>(organizationId: string | null, work: () => Promise<T>): Promise<T> => {
      await ask('BEGIN');
      try {
        await ask('SET LOCAL ROLE ris_app');
        if (organizationId !== null) await ask(`SELECT set_config('app.organization_id', $1, true)`, [organizationId]);
        return await work();
      } finally {
        await ask('ROLLBACK');
      }
    };
    const refusal = (organizationId: string | null, statement: string, values?: unknown[]) =>
      asService(organizationId, () => failure(ask(statement, values)));

    const tables = async () =>
      (await ask(`
        SELECT relname AS name, relrowsecurity AS secured, relispartition AS part,
               array_remove(ARRAY[
                 CASE WHEN has_any_column_privilege('ris_app', oid, 'SELECT') THEN 'SELECT' END,
                 CASE WHEN has_any_column_privilege('ris_app', oid, 'INSERT') THEN 'INSERT' END,
                 CASE WHEN has_any_column_privilege('ris_app', oid, 'UPDATE') THEN 'UPDATE' END,
                 CASE WHEN has_table_privilege('ris_app', oid, 'DELETE') THEN 'DELETE' END,
                 CASE WHEN has_table_privilege('ris_app', oid, 'TRUNCATE') THEN 'TRUNCATE' END], NULL) AS rights
        FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY relname
      `)) as { name: string; secured: boolean; part: boolean; rights: string[] }[];
    /** Of the tables whose rows belong to a repository, the column that says which. */
    const ofRepositories = async () =>
      new Map(
        (
          await ask(
            `SELECT table_name AS name, column_name AS key FROM information_schema.columns
             WHERE table_schema = 'public' AND column_name = ANY ($1)`,
            [keyColumns],
          )
        ).map(({ name, key }) => [String(name), String(key)]),
      );
    const tenantTables = async () => (await tables()).filter(({ name, part }) => !(name in ofNobody) && !part);

    it('holds every table to the organization of the transaction, but for those that belong to nobody', async () => {
      const all = await tables();
      const names = all.map(({ name }) => name);
      expect(names).to.include.members([...Object.keys(ofNobody), 'organization', 'api_key', 'audit_log']);
      const keys = await ofRepositories();
      const policies = await ask(`SELECT *, roles::text AS of FROM pg_policies WHERE schemaname = 'public'`);
      for (const { name, secured, part, rights } of all) {
        const own = policies.filter(({ tablename }) => tablename === name);
        // A part is reached through its table, and by no other way.
        if (name in ofNobody || part) {
          expect([name, rights]).to.deep.equal([name, ofNobody[name] ?? []]);
          continue;
        }
        const told = own.map(({ cmd, qual }) => `${String(cmd)} ${String(qual)}`);
        for (const policy of own)
          expect(policy).to.deep.include({ of: '{ris_app}', permissive: 'PERMISSIVE', with_check: null });
        expect([name, secured]).to.deep.equal([name, true]);
        const key = keys.get(name);
        if (key !== undefined) {
          const inVisible = `(${key} IN ( SELECT repository.key\n   FROM repository))`;
          expect([name, rights, told]).to.deep.equal([name, ['SELECT'], [`SELECT ${inVisible}`]]);
          continue;
        }
        if (name in sharing) {
          expect({ rights, policies: told.toSorted() }).to.deep.equal(sharing[name]);
          continue;
        }
        expect([name, own.length]).to.deep.equal([name, 1]);
        expect(own[0]).to.deep.include({
          cmd: 'ALL',
          qual: name === 'organization' ? '(id = tenant())' : '(organization_id = tenant())',
        });
      }
    });

    it('shows no row of any table to a query that has not said whose', async () => {
      for (const { name, rights } of await tenantTables()) {
        if (!rights.includes('SELECT')) continue;
        for (const organizationId of [null, '', 'org_none']) {
          const rows = await asService(organizationId, () => ask(`SELECT 1 FROM "${name}"`));
          expect([name, rows]).to.deep.equal([name, []]);
        }
      }
      const kept = ['organization', 'member', 'api_key', 'audit_log', 'idempotency_key'];
      for (const name of kept) expect(await ask(`SELECT 1 FROM "${name}"`), name).to.have.length.greaterThan(1);
    });

    it('shows an organization its own rows and nobody else’s', async () => {
      const [first = ''] = organizations;
      const keys = await ofRepositories();
      for (const { name, rights } of await tenantTables()) {
        if (!rights.includes('SELECT') || keys.has(name)) continue;
        const column = name === 'organization' ? 'id' : 'organization_id';
        const rows = await asService(first, () => ask(`SELECT DISTINCT ${column} AS owner FROM "${name}"`));
        for (const { owner } of rows) expect([name, owner]).to.deep.equal([name, first]);
      }
      const seen = await asService(first, () => ask('SELECT count(*)::int AS rows FROM api_key'));
      expect(seen).to.deep.equal([{ rows: 1 }]);
    });

    it('shows an organization what is of its own repositories, in every table that names one', async () => {
      const keys = await ofRepositories();
      expect([...keys.keys()]).to.include.members([
        'snapshot',
        'snapshot_chunk',
        'pipeline_run',
        'task_instance',
        'mint_run',
      ]);
      for (const [name, key] of keys) {
        for (const organizationId of organizations) {
          const seen = await asService(organizationId, () => ask(`SELECT DISTINCT ${key} AS key FROM "${name}"`));
          const own = await ask(
            `SELECT DISTINCT ${key} AS key FROM "${name}" WHERE ${key} IN (SELECT key FROM repository WHERE organization_id = $1)`,
            [organizationId],
          );
          expect([name, own.length]).to.deep.equal([name, 1]);
          expect([name, seen]).to.deep.equal([name, own]);
        }
        expect(await ask(`SELECT 1 FROM "${name}"`), name).to.have.length.greaterThan(1);
      }
    });

    it('lets no organization write a row of another, or give one away', async () => {
      const [first = '', second = ''] = organizations;
      const insert = `INSERT INTO member (id, organization_id, name, role) VALUES ('mem_x', $1, 'x', 'owner')`;
      expect(await refusal(first, insert, [second])).to.have.property('code', '42501');
      const giveAway = 'UPDATE member SET organization_id = $1';
      expect(await refusal(first, giveAway, [second])).to.have.property('code', '42501');
      const touched = await asService(first, () => ask(`UPDATE member SET name = 'x' RETURNING organization_id`));
      expect(touched).to.deep.equal([{ organization_id: first }]);
    });

    it('adds to the audit log and never changes it', async () => {
      const [first = ''] = organizations;
      const log = (await tables()).find(({ name }) => name === 'audit_log');
      expect(log?.rights).to.deep.equal(['SELECT', 'INSERT']);
      for (const statement of [`UPDATE audit_log SET action = 'x'`, 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
        expect(await refusal(first, statement), statement).to.have.property('code', '42501');
      // Nor does the owner of the table.
      for (const statement of [
        `UPDATE audit_log SET action = 'x'`,
        `DELETE FROM audit_log WHERE action = 'test'`,
        'TRUNCATE audit_log',
      ]) {
        await ask('BEGIN');
        const refused = await failure(ask(statement));
        await ask('ROLLBACK');
        expect(refused, statement).to.have.property('message', 'the audit log is added to, never changed');
      }
    });

    it('has no way around: the role is nobody’s superior, owns nothing, and reads nothing elsewhere', async () => {
      const [role] = await ask(`SELECT * FROM pg_roles WHERE rolname = 'ris_app'`);
      expect(role).to.include({
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolcanlogin: false,
      });
      const none = [
        `SELECT relname FROM pg_class WHERE relowner = 'ris_app'::regrole`,
        `SELECT roleid::regrole::text FROM pg_auth_members WHERE member = 'ris_app'::regrole`,
        `SELECT table_name FROM information_schema.role_table_grants WHERE grantee = 'ris_app' AND table_schema <> 'public'`,
        `SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace`,
      ];
      for (const statement of none) expect([statement, await ask(statement)]).to.deep.equal([statement, []]);
    });
  });
}

/** A row in each table that names a repository, of a private one of this organization, and an evaluation run. */
async function fill(store: RelationalStore, organizationId: string): Promise<void> {
  const key = await store.repositories.claim(organizationId, 'private');
  await store.snapshots.save(repository(key), 'g', [Buffer.from('x')]);
  await store.runs.begin(repository(key));
  await store.taskInstances.save([taskInstance({ repo: key })]);
  await store.mintRuns.save(mintRun({ run_id: unique('mint'), repo: key }));
  await store.tenant(organizationId, async ({ evaluationRuns, evaluationOutcomes, evaluationAttempts }) => {
    await evaluationRuns.save(evaluationRun());
    await evaluationOutcomes.save(evaluationRun(), [evaluationOutcome()]);
    await evaluationAttempts.save(evaluationRun(), evaluationAttempt());
  });
}
