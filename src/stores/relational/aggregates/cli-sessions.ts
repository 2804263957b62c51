import { sql } from 'kysely';
import { ulid } from 'ulid';
import type { CliRole, CliSession } from '../../../model/cli.ts';
import type { Database } from '../database.ts';

/** One organization's command lines that have a key. */
export interface CliSessions {
  create(session: {
    memberId: string;
    apiKeyId: string;
    pairingId: string;
    deviceName: string | null;
    client: CliSession['client'];
  }): Promise<CliSession>;
  get(id: string): Promise<CliSession | null>;
  /** Null for a key that no command line was given. */
  ofKey(apiKeyId: string): Promise<CliSession | null>;
  /** The newest first; all members' unless told. */
  list(query: { memberId?: string; offset: number; limit: number }): Promise<{ items: CliSession[]; total: number }>;
}

/** One organization's command lines over any engine. */
export function cliSessions(database: Database, organizationId: string): CliSessions {
  const own = database
    .selectFrom('cli_session')
    .innerJoin('api_key', 'api_key.id', 'cli_session.api_key_id')
    .innerJoin('member', 'member.id', 'cli_session.member_id')
    .where('cli_session.organization_id', '=', organizationId);
  const listed = own.select(columns);
  const byId = (id: string) => listed.where('cli_session.id', '=', id);

  return {
    async create({ memberId, apiKeyId, pairingId, deviceName, client }) {
      const id = `cli_${ulid()}`;
      await database
        .insertInto('cli_session')
        .values({
          id,
          organization_id: organizationId,
          member_id: memberId,
          api_key_id: apiKeyId,
          pairing_id: pairingId,
          device_name: deviceName,
          client: client === null ? null : JSON.stringify(client),
        })
        .execute();
      return byId(id).executeTakeFirstOrThrow();
    },

    get: async (id) => (await byId(id).executeTakeFirst()) ?? null,

    ofKey: async (apiKeyId) => (await listed.where('cli_session.api_key_id', '=', apiKeyId).executeTakeFirst()) ?? null,

    async list({ memberId, offset, limit }) {
      const of = <T extends typeof own>(query: T) =>
        memberId === undefined ? query : (query.where('cli_session.member_id', '=', memberId) as T);
      const { total } = await of(own)
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const items = await of(own)
        .select(columns)
        .orderBy('cli_session.created_at', 'desc')
        .orderBy('cli_session.id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute();
      return { items, total };
    },
  };
}

const columns = [
  'cli_session.id',
  'cli_session.organization_id',
  'cli_session.member_id',
  'cli_session.api_key_id',
  sql<CliSession['status']>`CASE WHEN api_key.revoked_at IS NOT NULL THEN 'revoked'
    WHEN api_key.expires_at <= now() THEN 'expired' ELSE 'active' END`.as('status'),
  'cli_session.device_name',
  'cli_session.client',
  sql<CliRole>`key_role(api_key.role, member.role)`.as('role'),
  'cli_session.created_at',
  'api_key.last_used_at',
  sql<string>`api_key.expires_at`.as('expires_at'),
] as const;
