import { z } from 'zod';
import { actorOf } from '../auth/actor.ts';
import { announceKeyChange } from '../auth/key-changes.ts';
import {
  allowOnlyBelow,
  changeMember,
  findMember,
  memberProblems,
  refuseUninvitable,
  removeMember,
} from '../auth/members.ts';
import { codeLifetimeSeconds, insertPairing } from '../auth/pair.ts';
import { formatPairingCode } from '../auth/pairing-code.ts';
import { rolesFor } from '../auth/roles.ts';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import { Reply, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { memberNameSchema, roleSchema, subjectSchema } from '../model/account.ts';
import { cliRoleSchema, deviceNameSchema } from '../model/cli.ts';
import type { EphemeralStore } from '../stores/ephemeral/port.ts';
import type { ListedMember, RelationalStore } from '../stores/relational/port.ts';
import { changeAccounts, roleOf } from './change-accounts.ts';

const memberSchema = z
  .object({
    id: z.string(),
    object: z.literal('member'),
    name: z.string(),
    role: roleSchema,
    subject: z.string().nullable().meta({
      description: 'Who they are at the identity provider; null: they can’t sign in there.',
    }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Member' });

const example = {
  id: 'mem_01JD7Z3M2QK8V6T4R9W5X1Y0AC',
  object: 'member',
  name: 'ann',
  role: 'member',
  subject: null,
  created_at: '2026-11-21T11:08:12.345Z',
} as const;

const invitationSchema = z
  .object({
    id: z.string(),
    object: z.literal('cli_pairing'),
    invited_name: z.string(),
    role: cliRoleSchema,
    pairing_code: z.string().meta({ description: 'Good once; shown this once.' }),
    exchange_url: z.url(),
    expires_at: z.iso.datetime(),
    expires_in: z.int().meta({ description: 'Seconds.' }),
  })
  .meta({ id: 'Invitation' });

const invitationExample = {
  id: 'pair_01JD7Z3M2QK8V6T4R9W5X1Y0AJ',
  object: 'cli_pairing',
  invited_name: 'ann',
  role: 'member',
  pairing_code: 'WDJB-MJHT-KQRZ',
  exchange_url: 'https://example.com/v1/cli/pair/exchange',
  expires_at: '2026-11-21T11:18:12.345Z',
  expires_in: codeLifetimeSeconds,
} as const;

const common = { product: null, credits: 0 } as const;
const byId = { params: { id: z.string().meta({ examples: [example.id] }) } };

/** What the routes of members work with. */
interface Needs {
  relational: Pick<RelationalStore, 'tenant' | 'pairings'>;
  ephemeral: Pick<EphemeralStore, 'publish'>;
  pepper: string;
  baseUrl: string;
}

/** `/v1/members`: who belongs to the organization, and what they may do; `/v1/invitations`: who is to belong to it. */
export function memberRoutes(needs: Needs): Route[] {
  return [
    listMembers(needs),
    inviteMember(needs),
    getMember(needs),
    changeOne(needs),
    removeOne(needs),
    leaveOrganization(needs),
  ];
}

function listMembers({ relational }: Needs): Route {
  return route({
    ...common,
    method: 'GET',
    path: '/v1/members',
    operation_id: 'list_members',
    summary: 'The members of the organization',
    description: 'By their names. Who was removed is not there.',
    access: 'tenant',
    query: pageQuery,
    paged: true,
    response: pageOf(memberSchema),
    example: envelope([example], 1, { page: 1, page_size: 20 }),
    handle: async ({ caller, query }) => {
      const { items, total } = await relational.tenant(caller.organization.id, ({ members }) =>
        members.list(pageWindow(query)),
      );
      return envelope(items.map(wire), total, query);
    },
  });
}

function inviteMember({ relational, pepper, baseUrl }: Needs): Route {
  return route({
    ...common,
    method: 'POST',
    path: '/v1/invitations',
    operation_id: 'invite_member',
    summary: 'Invite somebody',
    description: `The code is shown this once and is good for ten minutes. Whoever exchanges it, by \`repo-intel login\`, is a member of this name with a command line of their own. An organization has as many members as its plan says, and those who are invited count.`,
    access: rolesFor('invite_member'),
    body: z.strictObject({
      name: memberNameSchema,
      role: cliRoleSchema.optional().meta({
        description: 'As the organization has it unless told (`default_role`), and never above your own.',
      }),
      device_name: deviceNameSchema
        .nullable()
        .default(null)
        .meta({ description: 'For you to recognise their command line in the list of sessions.' }),
    }),
    status: 201,
    secret: true,
    responseHeaders: { Location: 'Path of the pairing, by which the invitation is seen and revoked.' },
    response: invitationSchema,
    example: invitationExample,
    errors: [memberProblems.member_limit_reached, memberProblems.member_name_taken],
    handle: async ({ caller, body, request }) => {
      await relational.pairings.expire();
      const { pairing, code } = await changeAccounts(relational, caller, async (tenant) => {
        const role = body.role ?? (await tenant.settings.get()).default_role;
        allowOnlyBelow(roleOf(caller), role);
        await refuseUninvitable(tenant, body.name);
        const asking = { memberId: caller.member.id, actor: actorOf(caller, request) };
        return insertPairing(tenant, pepper, asking, {
          device_name: body.device_name,
          role,
          invited_name: body.name,
        });
      });
      return new Reply(
        {
          id: pairing.id,
          object: 'cli_pairing' as const,
          invited_name: body.name,
          role: pairing.role,
          pairing_code: formatPairingCode(code),
          exchange_url: `${baseUrl}/v1/cli/pair/exchange`,
          expires_at: pairing.expires_at,
          expires_in: codeLifetimeSeconds,
        },
        { headers: { Location: `/v1/cli/pair/${pairing.id}` } },
      );
    },
  });
}

function getMember({ relational }: Needs): Route {
  return route({
    ...common,
    ...byId,
    method: 'GET',
    path: '/v1/members/{id}',
    operation_id: 'get_member',
    summary: 'One member',
    access: 'tenant',
    response: memberSchema,
    example,
    errors: [memberProblems.member_not_found],
    handle: async ({ caller, params: { id } }) =>
      wire(await relational.tenant(caller.organization.id, (tenant) => findMember(tenant, id))),
  });
}

function changeOne({ relational, ephemeral }: Needs): Route {
  return route({
    ...common,
    ...byId,
    method: 'PATCH',
    path: '/v1/members/{id}',
    operation_id: 'change_member',
    summary: 'Give a member another role, name or subject',
    description:
      'Nobody gives a role above their own, nor changes somebody who has one. Keys of the member do at once what the new role allows.',
    access: rolesFor('change_member'),
    body: z.strictObject({
      role: roleSchema.optional(),
      name: memberNameSchema.optional(),
      subject: subjectSchema.nullable().optional().meta({
        description:
          'Who they are at the identity provider, the `sub` of its tokens: by it they sign in. Null: nobody.',
      }),
    }),
    response: memberSchema,
    example,
    errors: [
      memberProblems.member_not_found,
      memberProblems.member_name_taken,
      memberProblems.subject_taken,
      memberProblems.last_owner,
      memberProblems.last_owner_key,
    ],
    handle: async ({ caller, params: { id }, body, request }) => {
      const changed = await changeAccounts(relational, caller, (tenant) =>
        changeMember(tenant, id, { ...body, by: roleOf(caller), actor: actorOf(caller, request) }),
      );
      await announceKeyChange(ephemeral, id);
      return wire(changed);
    },
  });
}

function removeOne({ relational, ephemeral }: Needs): Route {
  return route({
    ...common,
    ...byId,
    method: 'DELETE',
    path: '/v1/members/{id}',
    operation_id: 'remove_member',
    summary: 'Remove a member',
    description:
      'Their keys, command lines and codes are refused at once here, and within 5 seconds everywhere; their seat and name are free. What they did goes on naming them.',
    access: rolesFor('remove_member'),
    status: 204,
    response: z.void(),
    errors: [memberProblems.member_not_found, memberProblems.last_owner, memberProblems.last_owner_key],
    handle: async ({ caller, params: { id }, request }) => {
      await changeAccounts(relational, caller, (tenant) =>
        removeMember(tenant, id, { by: roleOf(caller), actor: actorOf(caller, request) }),
      );
      await announceKeyChange(ephemeral, id);
    },
  });
}

function leaveOrganization({ relational, ephemeral }: Needs): Route {
  return route({
    ...common,
    method: 'POST',
    path: '/v1/members/leave',
    operation_id: 'leave_organization',
    summary: 'Leave the organization',
    description:
      'As if the member whose key it is were removed, whatever their role; the key must have it. The last owner can’t leave.',
    access: 'tenant',
    status: 204,
    response: z.void(),
    errors: [memberProblems.last_owner, memberProblems.last_owner_key],
    handle: async ({ caller, request }) => {
      const { id } = caller.member;
      await changeAccounts(relational, caller, (tenant) =>
        removeMember(tenant, id, { by: roleOf(caller), actor: actorOf(caller, request) }),
      );
      await announceKeyChange(ephemeral, id);
    },
  });
}

const wire = ({ id, name, role, subject, created_at }: ListedMember): z.input<typeof memberSchema> => ({
  id,
  object: 'member',
  name,
  role,
  subject,
  created_at,
});
