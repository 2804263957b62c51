import { ulid } from 'ulid';
import { environmentOf } from '../../../model/account.ts';
import type { Member, Organization, Principal } from '../../../model/account.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';
import { isInUse, keyRole, memberKeyColumns, now } from './api-keys.ts';
import type { MemberKey } from './api-keys.ts';
import { organizationPlan } from './plans.ts';

/** What is kept in place of an API key. */
export interface KeyDigest {
  digest: Uint8Array;
  /** Tells the pepper, and nothing of it. */
  pepperId: string;
}

/** What is asked across organizations: by whoever runs the service, and to find out who is calling. */
export interface Accounts {
  /** The organization of this slug, made when it is new. */
  ensureOrganization(organization: { slug: string; name: string }): Promise<Organization>;
  organizations(): Promise<Organization[]>;
  /**
   * Who the key with one of these digests stands for; null when unknown, revoked or expired. The first digest is under the pepper
   * in force: a key found by another is kept by the first from now on.
   */
  principalByDigest(digests: readonly [KeyDigest, ...KeyDigest[]]): Promise<Principal | null>;
  /** Whoever is this subject at the identity provider, in each organization that they belong to, by its slug. */
  membersOf(subject: string): Promise<(Member & { organization_slug: string; organization_name: string })[]>;
  /** The keys of all organizations, in the order they were made. */
  apiKeys(): Promise<(MemberKey & { organization_slug: string })[]>;
  /** How many keys are in use under which pepper; null: one that was not noted. */
  keysByPepper(): Promise<{ pepper_id: string | null; keys: number }[]>;
}

/** Organizations and the keys of all of them, over any engine. */
export const accounts: Aggregate<Accounts> = {
  calls: {
    ensureOrganization: 'write',
    organizations: 'read',
    principalByDigest: 'read',
    membersOf: 'read',
    apiKeys: 'read',
    keysByPepper: 'read',
  },
  open: openAccounts,
};

function openAccounts(database: Database): Accounts {
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

    async principalByDigest(digests) {
      const row = await database
        .selectFrom('api_key')
        .innerJoin('organization', 'organization.id', 'api_key.organization_id')
        .innerJoin('member', 'member.id', 'api_key.member_id')
        .select([
          'api_key.id',
          'api_key.prefix',
          'api_key.expires_at',
          'api_key.last_used_at',
          'api_key.pepper_id',
          'api_key.products',
          'api_key.repositories',
          'api_key.scopes',
          'api_key.rate_limit_per_minute',
          'organization.id as organization_id',
          'organization.slug',
          'organization.name as organization_name',
          'member.id as member_id',
          'member.name as member_name',
          keyRole.as('role'),
        ])
        .where(
          'api_key.digest',
          'in',
          digests.map(({ digest }) => Buffer.from(digest)),
        )
        .where(isInUse)
        .where('member.removed_at', 'is', null)
        .executeTakeFirst();
      if (!row) return null;
      await noteUse(database, row, digests[0]);
      const plan = await organizationPlan(database, row.organization_id)();
      return {
        organization: { id: row.organization_id, slug: row.slug, name: row.organization_name },
        plan: plan.id,
        member: {
          id: row.member_id,
          organization_id: row.organization_id,
          name: row.member_name,
          role: row.role,
        },
        api_key: {
          id: row.id,
          prefix: row.prefix,
          expires_at: row.expires_at,
          environment: environmentOf(row),
        },
        products: row.products,
        repositories: row.repositories,
        scopes: row.scopes,
        rate_limit_per_minute: row.rate_limit_per_minute,
      };
    },

    membersOf: (subject) =>
      database
        .selectFrom('member')
        .innerJoin('organization', 'organization.id', 'member.organization_id')
        .select(['member.id', 'member.organization_id', 'member.name', 'member.role'])
        .select(['organization.slug as organization_slug', 'organization.name as organization_name'])
        .where('member.subject', '=', subject)
        .where('member.removed_at', 'is', null)
        .orderBy('organization.slug')
        .execute(),

    apiKeys: () =>
      database
        .selectFrom('api_key')
        .innerJoin('organization', 'organization.id', 'api_key.organization_id')
        .innerJoin('member', 'member.id', 'api_key.member_id')
        .select(memberKeyColumns)
        .select('organization.slug as organization_slug')
        .orderBy('api_key.created_at')
        .orderBy('api_key.id')
        .execute(),

    keysByPepper: () =>
      database
        .selectFrom('api_key')
        .select((select) => ['pepper_id', select.fn.countAll<number>().as('keys')])
        .where(isInUse)
        .groupBy('pepper_id')
        .execute(),
  };
}

/** To the minute: a write for each request would cost more than the knowledge is worth. */
async function noteUse(
  database: Database,
  key: { id: string; last_used_at: string | null; pepper_id: string | null },
  { digest, pepperId }: KeyDigest,
): Promise<void> {
  const isRecent = key.last_used_at !== null && Date.now() - Date.parse(key.last_used_at) < 60_000;
  if (isRecent && key.pepper_id === pepperId) return;
  await database
    .updateTable('api_key')
    .set({ last_used_at: now, digest: Buffer.from(digest), pepper_id: pepperId })
    .where('id', '=', key.id)
    .execute();
}
