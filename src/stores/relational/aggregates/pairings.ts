import { sql } from 'kysely';
import { ulid } from 'ulid';
import type { Member } from '../../../model/account.ts';
import type { CliPairing, CliRole } from '../../../model/cli.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';

/** What is asked before it is known in which organization: who an owner is, and whose a pairing code may be. */
export interface OpenPairings {
  /** The owner who is this subject at the identity provider; `organization` is an id or a slug. */
  owner(of: { organization: string; subject: string }): Promise<Member | null>;
  /** Where the pairing of this selector is that can still be claimed. */
  find(selector: string): Promise<{ id: string; organization_id: string; organization_slug: string } | null>;
  /** Frees the selectors of pairings that nobody has used in time. */
  expire(): Promise<void>;
}

/** One organization's pairings. */
export interface Pairings {
  /** False when the token was used before. */
  useOwnerJwt(token: { digest: Uint8Array; expires_at: string }): Promise<boolean>;
  /** Null when another open pairing has this selector. */
  create(pairing: {
    memberId: string;
    /** The key that asked for it: what it gives may do no more. Null where a token asked. */
    keyId: string | null;
    selector: string;
    secretDigest: Uint8Array;
    deviceName: string | null;
    role: CliRole;
    lifetimeSeconds: number;
    /** Of the member that it makes; it lets a command line of `memberId` in where there is none. */
    invitedName?: string | null;
  }): Promise<CliPairing | null>;
  /** Open invitations. */
  invited(): Promise<number>;
  /** Ends all that a member has asked for: their ids. */
  revokeAllOf(memberId: string): Promise<string[]>;
  get(id: string): Promise<CliPairing | null>;
  /** One that can still be claimed: nobody else decides about it until the transaction ends. */
  hold(id: string): Promise<(CliPairing & { secret_digest: Uint8Array; key_id: string | null }) | null>;
  /** The fifth revokes the pairing: true. */
  countWrongSecret(id: string): Promise<boolean>;
  /** False when it could no longer be claimed; of many at once, one is told true. */
  claim(id: string): Promise<boolean>;
  /** False when it was not open any more. */
  revoke(id: string): Promise<boolean>;
}

/** How many wrong secrets end a pairing: RFC 8628, 5.1, at eight letters of twenty. */
const maxWrongSecrets = 5;

/** The open pairings of all organizations, over any engine. */
export const openPairings: Aggregate<OpenPairings> = {
  calls: { owner: 'read', find: 'read', expire: 'write' },
  open: openOpenPairings,
};

function openOpenPairings(database: Database): OpenPairings {
  return {
    find: async (selector) =>
      (await database
        .selectFrom('cli_pairing')
        .innerJoin('organization', 'organization.id', 'cli_pairing.organization_id')
        .select(['cli_pairing.id', 'cli_pairing.organization_id', 'organization.slug as organization_slug'])
        .where('cli_pairing.selector', '=', selector)
        .where('cli_pairing.expires_at', '>', now)
        .executeTakeFirst()) ?? null,

    async expire() {
      await database
        .updateTable('cli_pairing')
        .set({ status: 'expired', selector: null })
        .where('status', '=', 'pending')
        .where('expires_at', '<=', now)
        .execute();
    },

    owner: async ({ organization, subject }) =>
      (await database
        .selectFrom('member')
        .innerJoin('organization', 'organization.id', 'member.organization_id')
        .select(['member.id', 'member.organization_id', 'member.name', 'member.role'])
        .where(organization.startsWith('org_') ? 'organization.id' : 'organization.slug', '=', organization)
        .where('member.subject', '=', subject)
        .where('member.role', '=', 'owner')
        .where('member.removed_at', 'is', null)
        .executeTakeFirst()) ?? null,
  };
}

/** One organization's pairings over any engine. */
export function pairings(database: Database, organizationId: string): Pairings {
  const ofId = (id: string) =>
    database.selectFrom('cli_pairing').where('organization_id', '=', organizationId).where('id', '=', id);
  const end = async (id: string, status: 'claimed' | 'revoked') => {
    const { numUpdatedRows } = await database
      .updateTable('cli_pairing')
      .set({ status, selector: null })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('expires_at', '>', now)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };

  return {
    async useOwnerJwt({ digest, expires_at }) {
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('used_owner_jwt')
        .values({ digest: Buffer.from(digest), organization_id: organizationId, expires_at })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    create: async ({
      memberId,
      keyId,
      selector,
      secretDigest,
      deviceName,
      role,
      lifetimeSeconds,
      invitedName = null,
    }) =>
      (await database
        .insertInto('cli_pairing')
        .values({
          id: `pair_${ulid()}`,
          organization_id: organizationId,
          member_id: memberId,
          key_id: keyId,
          selector,
          secret_digest: Buffer.from(secretDigest),
          device_name: deviceName,
          role,
          invited_name: invitedName,
          expires_at: sql<string>`now() + make_interval(secs => ${lifetimeSeconds})`,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning(columns)
        .executeTakeFirst()) ?? null,

    get: async (id) => (await ofId(id).select(columns).executeTakeFirst()) ?? null,

    async hold(id) {
      const row = await ofId(id)
        .select([...columns, 'secret_digest', 'key_id'])
        .where('status', '=', 'pending')
        .where('expires_at', '>', now)
        .forUpdate()
        .executeTakeFirst();
      return row ?? null;
    },

    async countWrongSecret(id) {
      const { wrong_secrets: wrong } = await database
        .updateTable('cli_pairing')
        .set({ wrong_secrets: sql<number>`wrong_secrets + 1` })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning('wrong_secrets')
        .executeTakeFirstOrThrow();
      return wrong >= maxWrongSecrets && (await end(id, 'revoked'));
    },

    async invited() {
      const { open } = await database
        .selectFrom('cli_pairing')
        .select((select) => select.fn.countAll<number>().as('open'))
        .where('organization_id', '=', organizationId)
        .where('status', '=', 'pending')
        .where('expires_at', '>', now)
        .where('invited_name', 'is not', null)
        .executeTakeFirstOrThrow();
      return open;
    },

    async revokeAllOf(memberId) {
      const revoked = await database
        .updateTable('cli_pairing')
        .set({ status: 'revoked', selector: null })
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .where('status', '=', 'pending')
        .returning('id')
        .execute();
      return revoked.map(({ id }) => id);
    },

    claim: (id) => end(id, 'claimed'),
    revoke: (id) => end(id, 'revoked'),
  };
}

const now = sql<string>`now()`;

const columns = [
  'id',
  'organization_id',
  'member_id',
  // One that nobody has used in time expires by itself.
  sql<CliPairing['status']>`CASE WHEN status = 'pending' AND expires_at <= now() THEN 'expired' ELSE status END`.as(
    'status',
  ),
  'device_name',
  'role',
  'invited_name',
  'created_at',
  'expires_at',
] as const;
