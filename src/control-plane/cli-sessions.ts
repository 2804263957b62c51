import { z } from 'zod';
import { actorOf } from '../auth/actor.ts';
import { revokeKey } from '../auth/change-key.ts';
import { announceKeyChange } from '../auth/key-changes.ts';
import { atLeast } from '../auth/roles.ts';
import { hasScope } from '../auth/scopes.ts';
import { HttpError, insufficientRole, insufficientScope } from '../http/errors.ts';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import { problems } from '../http/problems.ts';
import { route } from '../http/route.ts';
import type { Caller, Route } from '../http/route.ts';
import { cliClientSchema, cliRoleSchema } from '../model/cli.ts';
import type { CliSession } from '../model/cli.ts';
import type { EphemeralStore } from '../stores/ephemeral/port.ts';
import type { RelationalStore, Tenant } from '../stores/relational/port.ts';

const sessionNotFound = {
  status: 404,
  code: 'session_not_found',
  title: 'There is no such session',
  meaning: 'The organization has no command-line session of this id, or the key was not given to a command line.',
} as const;

const sessionSchema = z
  .object({
    id: z.string(),
    object: z.literal('cli_session'),
    status: z.enum(['active', 'expired', 'revoked']),
    device_name: z.string().nullable(),
    client: z.object(cliClientSchema.shape).nullable().meta({ description: 'What the command line says of itself.' }),
    role: cliRoleSchema.meta({ description: 'What its key may do.' }),
    api_key_id: z.string(),
    member_id: z.string().meta({ description: 'The owner who let it in.' }),
    organization_id: z.string(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable().meta({ description: 'To the minute.' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'CliSession' });

const example = {
  id: 'cli_01JD7Z3M2QK8V6T4R9W5X1Y0AK',
  object: 'cli_session',
  status: 'active',
  device_name: 'anna-laptop',
  client: { name: 'repo-intel', version: '0.1.0', platform: 'linux-x64' },
  role: 'member',
  api_key_id: 'key_01JD7Z3M2QK8V6T4R9W5X1Y0AL',
  member_id: 'mem_01JD7Z3M2QK8V6T4R9W5X1Y0AC',
  organization_id: 'org_01JD7Z3M2QK8V6T4R9W5X1Y0AB',
  created_at: '2026-11-21T11:08:12.345Z',
  last_used_at: null,
  expires_at: '2027-02-19T11:08:12.345Z',
} as const;

const common = { product: null, credits: 0, access: 'tenant' } as const;
const byId = { params: { id: z.string().meta({ examples: [example.id] }) } };
const managing = atLeast('admin');
const manages = ({ member }: Caller) => managing.some((role) => role === member.role);

/** `/v1/cli/sessions`: the command lines that have a key. Everybody sees and ends their own; who manages the organization, all. */
export function cliSessionRoutes({
  relational,
  ephemeral,
}: {
  relational: Pick<RelationalStore, 'tenant'>;
  ephemeral: Pick<EphemeralStore, 'publish'>;
}): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: '/v1/cli/sessions',
      operation_id: 'list_cli_sessions',
      summary: 'The command lines that have a key',
      description: 'Your own; an owner or admin sees those of all. The newest first, with those that have ended.',
      query: pageQuery,
      paged: true,
      response: pageOf(sessionSchema),
      example: envelope([example], 1, { page: 1, page_size: 20 }),
      handle: async ({ caller, query }) => {
        const of = manages(caller) ? {} : { memberId: caller.member.id };
        const page = pageWindow(query);
        const { items, total } = await relational.tenant(caller.organization.id, ({ cliSessions }) =>
          cliSessions.list({ ...of, ...page }),
        );
        return envelope(items.map(wire), total, query);
      },
    }),
    route({
      ...common,
      method: 'GET',
      path: '/v1/cli/session',
      operation_id: 'get_own_cli_session',
      summary: 'The session of the key that asks',
      response: sessionSchema,
      example,
      errors: [sessionNotFound],
      handle: async ({ caller: { organization, api_key } }) => {
        const session = await relational.tenant(organization.id, ({ cliSessions }) => cliSessions.ofKey(api_key.id));
        if (!session) throw new HttpError(sessionNotFound);
        return wire(session);
      },
    }),
    route({
      ...common,
      ...byId,
      method: 'GET',
      path: '/v1/cli/sessions/{id}',
      operation_id: 'get_cli_session',
      summary: 'One session',
      response: sessionSchema,
      example,
      errors: [problems.insufficient_role, sessionNotFound],
      handle: async ({ caller, params: { id } }) =>
        wire(await relational.tenant(caller.organization.id, (tenant) => find(tenant, caller, id))),
    }),
    route({
      ...common,
      ...byId,
      method: 'DELETE',
      path: '/v1/cli/sessions/{id}',
      operation_id: 'end_cli_session',
      summary: 'End a session',
      description: 'Its key is refused at once here, and within 5 seconds everywhere.',
      status: 204,
      response: z.void(),
      errors: [problems.insufficient_role, sessionNotFound],
      handle: async ({ caller, params: { id }, request }) => {
        const { organization } = caller;
        const keyId = await relational.tenant(organization.id, async (tenant) => {
          const session = await find(tenant, caller, id);
          const actor = actorOf(caller, request);
          const ended = await revokeKey(tenant, session.api_key_id, actor);
          if (ended) await tenant.audit.append({ ...actor, action: 'cli_session.ended', subject: id });
          return session.api_key_id;
        });
        await announceKeyChange(ephemeral, keyId);
      },
    }),
  ];
}

async function find({ cliSessions }: Tenant, caller: Caller, id: string): Promise<CliSession> {
  const session = await cliSessions.get(id);
  if (!session) throw new HttpError(sessionNotFound);
  const isOwn = session.member_id === caller.member.id;
  if (!isOwn && !manages(caller)) throw insufficientRole(caller.member.role, managing);
  if (session.api_key_id !== caller.api_key.id && !hasScope(caller, 'members')) throw insufficientScope(['members']);
  return session;
}

function wire({ id, status, ...session }: CliSession): z.input<typeof sessionSchema> {
  return { id, object: 'cli_session', status, ...session };
}
