import { z } from 'zod';
import { roleSchema } from '../model/account.ts';
import type { ApiKey, Member, Organization } from '../model/account.ts';
import type { Accounts } from '../stores/relational/port.ts';
import { digestApiKey, generateApiKey } from './api-key.ts';

export const createKeyOptions = z.object({
  organization: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, {
    error: 'an organization is named in lower-case letters, digits and dashes, for example acme-labs',
  }),
  member: z.string().min(1).max(100),
  role: roleSchema,
  /** RFC 3339; null: the key does not expire. */
  expires_at: z.iso.datetime().nullable(),
});

export interface CreatedKey {
  /** Shown once; only its digest is kept. */
  api_key: string;
  id: ApiKey['id'];
  prefix: string;
  expires_at: string | null;
  organization: Organization;
  member: Member;
}

/** Makes an API key for a member of an organization; both are made when they are new. */
export async function createKey(
  accounts: Accounts,
  pepper: string,
  options: z.infer<typeof createKeyOptions>,
): Promise<CreatedKey> {
  const organization = await accounts.ensureOrganization({ slug: options.organization, name: options.organization });
  const member = await accounts.ensureMember(organization.id, { name: options.member, role: options.role });
  const key = generateApiKey('live');
  const { id, prefix, expires_at } = await accounts.createApiKey({
    memberId: member.id,
    prefix: key.slice(0, 'ris_live_'.length + 4),
    digest: digestApiKey(key, pepper),
    expiresAt: options.expires_at,
  });
  return { api_key: key, id, prefix, expires_at, organization, member };
}
