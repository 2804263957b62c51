import { randomBytes } from 'node:crypto';
import type { ApiKey, Member, Organization, Role } from '../../src/model/account.ts';
import type { KeyDigest, RelationalStore } from '../../src/stores/relational/port.ts';

/** A digest that no key has. */
export const someDigest = (): KeyDigest => ({ digest: randomBytes(32), pepperId: 'of tests' });

/** A member of this organization, which is made when new. */
export async function addMember(
  store: RelationalStore,
  slug: string,
  { name = 'Ann', role = 'owner' }: { name?: string; role?: Role } = {},
): Promise<{ organization: Organization; member: Member }> {
  const organization = await store.accounts.ensureOrganization({ slug, name: 'Acme GmbH' });
  const member = await store.tenant(organization.id, ({ members }) => members.create({ name, role }));
  return { organization, member };
}

/** A key of this member. */
export async function addKey(
  store: RelationalStore,
  member: Pick<Member, 'id' | 'organization_id'>,
  { digest = someDigest(), prefix = 'ris_live_0Xcs', expiresAt = null as string | null } = {},
): Promise<{ digest: KeyDigest; key: ApiKey }> {
  const key = await store.tenant(member.organization_id, ({ apiKeys }) =>
    apiKeys.create({ memberId: member.id, name: null, prefix, digest, expiresAt }),
  );
  return { digest, key };
}
