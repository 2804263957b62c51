import { sql } from 'kysely';
import { ulid } from 'ulid';
import type { Accounts } from './port.ts';
import type { Database } from './database.ts';

/** Organizations, members and API keys over any engine. */
export function accounts(database: Database): Accounts {
  return {
    async ensureOrganization({ slug, name }) {
      await database
        .insertInto('organization')
        .values({ id: `org_${ulid()}`, slug, name })
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .execute();
      return database
        .selectFrom('organization')
        .select(['id', 'slug', 'name'])
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow();
    },

    organizations: () => database.selectFrom('organization').select(['id', 'slug', 'name']).orderBy('slug').execute(),

    ensureMember: (organizationId, { name, role }) =>
      database
        .insertInto('member')
        .values({ id: `mem_${ulid()}`, organization_id: organizationId, name, role })
        .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doUpdateSet({ role }))
        .returning(['id', 'organization_id', 'name', 'role'])
        .executeTakeFirstOrThrow(),

    async createApiKey({ memberId, prefix, digest, expiresAt }) {
      const { organization_id } = await database
        .selectFrom('member')
        .select('organization_id')
        .where('id', '=', memberId)
        .executeTakeFirstOrThrow(() => new Error(`There is no member ${memberId}.`));
      return database
        .insertInto('api_key')
        .values({
          id: `key_${ulid()}`,
          organization_id,
          member_id: memberId,
          prefix,
          digest: Buffer.from(digest),
          expires_at: expiresAt,
        })
        .returning(keyColumns)
        .executeTakeFirstOrThrow();
    },

    async principalByDigest(digest) {
      const row = await database
        .selectFrom('api_key')
        .innerJoin('organization', 'organization.id', 'api_key.organization_id')
        .innerJoin('member', 'member.id', 'api_key.member_id')
        .select([
          'api_key.id',
          'api_key.prefix',
          'api_key.expires_at',
          'api_key.last_used_at',
          'organization.id as organization_id',
          'organization.slug',
          'organization.name as organization_name',
          'member.id as member_id',
          'member.name as member_name',
          'member.role',
        ])
        .where('api_key.digest', '=', Buffer.from(digest))
        .where('api_key.revoked_at', 'is', null)
        .where((where) => where.or([where('api_key.expires_at', 'is', null), where('api_key.expires_at', '>', now)]))
        .executeTakeFirst();
      if (!row) return null;
      await noteUse(database, row.id, row.last_used_at);
      return {
        organization: { id: row.organization_id, slug: row.slug, name: row.organization_name },
        member: {
          id: row.member_id,
          organization_id: row.organization_id,
          name: row.member_name,
          role: row.role,
        },
        api_key: { id: row.id, prefix: row.prefix, expires_at: row.expires_at },
      };
    },

    apiKeys: (organizationId) =>
      database
        .selectFrom('api_key')
        .innerJoin('organization', 'organization.id', 'api_key.organization_id')
        .innerJoin('member', 'member.id', 'api_key.member_id')
        .select(keyColumns.map((column) => `api_key.${column}` as const))
        .select(['organization.slug as organization_slug', 'member.name as member_name', 'member.role'])
        .$if(organizationId !== undefined, (query) => query.where('api_key.organization_id', '=', organizationId ?? ''))
        .orderBy('api_key.created_at')
        .orderBy('api_key.id')
        .execute(),

    async revokeApiKey(id) {
      const { numUpdatedRows } = await database
        .updateTable('api_key')
        .set({ revoked_at: now })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

const now = sql<string>`now()`;

const keyColumns = [
  'id',
  'organization_id',
  'member_id',
  'prefix',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const;

/** To the minute: a write for each request would cost more than the knowledge is worth. */
async function noteUse(database: Database, id: string, lastUsedAt: string | null): Promise<void> {
  if (lastUsedAt !== null && Date.now() - Date.parse(lastUsedAt) < 60_000) return;
  await database.updateTable('api_key').set({ last_used_at: now }).where('id', '=', id).execute();
}
