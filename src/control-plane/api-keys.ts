import { z } from 'zod';
import { actorOf } from '../auth/actor.ts';
import { issueKey, maxTestRequestsPerMinute } from '../auth/create-key.ts';
import type { IssuedKey } from '../auth/create-key.ts';
import { changeKey, isInUse, revokeKey, rotateKey } from '../auth/change-key.ts';
import { announceKeyChange } from '../auth/key-changes.ts';
import { allowOnlyBelow, joinMember, lastingSeconds, memberProblems } from '../auth/members.ts';
import { rolesFor } from '../auth/roles.ts';
import { exceeding } from '../auth/within-limits.ts';
import type { KeyRights } from '../auth/within-limits.ts';
import { HttpError } from '../http/errors.ts';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import { Reply, route } from '../http/route.ts';
import type { Caller, Route } from '../http/route.ts';
import {
  environmentOf,
  keyEnvironmentSchema,
  keyLimitsSchema,
  memberNameSchema,
  repositoryNamesSchema,
  roleSchema,
  scopeSchema,
} from '../model/account.ts';
import type { KeyEnvironment, KeyLimits, Member, Role } from '../model/account.ts';
import type { EphemeralStore } from '../stores/ephemeral/port.ts';
import type { MemberKey, RelationalStore, Tenant } from '../stores/relational/port.ts';
import { mostOf } from '../model/plans.ts';
import { allProducts } from './all-products.ts';
import { changeAccounts, roleOf } from './change-accounts.ts';

const maxOverlapSeconds = lastingSeconds;

const keyProblems = {
  api_key_not_found: {
    status: 404,
    code: 'api_key_not_found',
    title: 'There is no such API key',
    meaning: 'The organization has no API key of this id; GET /v1/api-keys lists those it has.',
  },
  member_has_other_role: {
    status: 409,
    code: 'member_has_other_role',
    title: 'The member has another role',
    meaning: 'A key has the role of its member, and this one has another than the one given. Leave role out.',
  },
  api_key_limit_reached: {
    status: 409,
    code: 'api_key_limit_reached',
    title: 'The member has as many API keys as the plan allows',
    meaning:
      'A member has as many API keys in use as the plan of the organization says. Revoke one first, or rotate one.',
  },
  api_key_not_in_use: {
    status: 409,
    code: 'api_key_not_in_use',
    title: 'The API key is not in use',
    meaning: 'The key was revoked or has expired, so it can be neither changed nor rotated. Create a new one.',
  },
  exceeds_own_key: {
    status: 403,
    code: 'exceeds_own_key',
    title: 'The API key could do more than yours',
    meaning:
      'A key gives nothing that it has not itself: products, repositories, scopes, its rate limit, its environment, its time. exceeding names what is too much.',
  },
  expiry_in_the_past: {
    status: 409,
    code: 'expiry_in_the_past',
    title: 'The time of expiry has passed',
    meaning: 'expires_at must lie in the future, by the clock of the service. Null: the key does not expire.',
  },
} as const;

const nameSchema = memberNameSchema;
const expiresAt = z.iso.datetime().nullable();

const liveProducts = allProducts.filter(({ released_at }) => released_at !== null).map(({ slug }) => slug);

/** As they are asked for. */
const limitFields = {
  products: z
    .array(z.enum(liveProducts))
    .min(1)
    .nullable()
    .optional()
    .meta({ description: 'Slugs of the only products that it may call.' }),
  repositories: repositoryNamesSchema.min(1).nullable().optional().meta({
    description: 'Names of the only repositories that it may see; any other is an unknown name to it.',
  }),
  scopes: z.array(scopeSchema).min(1).nullable().optional().meta({
    description:
      'What it may do, beside what its role allows; where products or repositories are given, `read` unless told.',
  }),
  rate_limit_per_minute: keyLimitsSchema.shape.rate_limit_per_minute
    .optional()
    .meta({ description: 'Requests, beside the quotas of the organization.' }),
};
type AskedLimits = z.infer<z.ZodObject<typeof limitFields>>;

const keySchema = z
  .object({
    id: z.string(),
    object: z.literal('api_key'),
    name: z.string().nullable(),
    prefix: z.string().meta({ description: 'Its first characters, for people to recognise it.' }),
    status: z.enum(['active', 'expired', 'revoked']),
    role: roleSchema.meta({ description: 'What the key may do.' }),
    environment: keyEnvironmentSchema,
    products: z.array(z.string()).nullable().meta({ description: 'The only ones that it may call.' }),
    repositories: z.array(z.string()).nullable().meta({ description: 'The only ones that it may see.' }),
    scopes: z.array(z.string()).nullable().meta({ description: 'To which it is restricted.' }),
    rate_limit_per_minute: z.int().nullable(),
    member: z.object({ id: z.string(), name: z.string() }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().meta({ description: 'To the minute.' }),
  })
  .meta({ id: 'ApiKey' });
const newKeySchema = keySchema
  .extend({
    api_key: z.string().meta({ description: 'The key itself; shown this once.' }),
  })
  .meta({ id: 'NewApiKey' });
const rotatedKeySchema = newKeySchema
  .extend({
    replaces: z.object({
      id: z.string(),
      expires_at: z.iso.datetime().meta({ description: 'Until then the old key is taken as well.' }),
    }),
  })
  .meta({ id: 'RotatedApiKey' });

const example = {
  id: 'key_01JD7Z3M2QK8V6T4R9W5X1Y0AD',
  object: 'api_key',
  name: 'nightly build',
  prefix: 'ris_live_0Xcs',
  status: 'active',
  role: 'member',
  environment: 'live',
  products: ['code-search'],
  repositories: null,
  scopes: ['read'],
  rate_limit_per_minute: null,
  member: { id: 'mem_01JD7Z3M2QK8V6T4R9W5X1Y0AC', name: 'ci' },
  created_at: '2026-11-21T11:08:12.345Z',
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
} as const;
const newExample = { ...example, api_key: 'ris_live_0XcsuTKiNHLjrCIzZ6HGnbQ92VLxFFZE2PPE7W' };

const location = { Location: 'Path of the new key.' };
const common = { product: null, credits: 0 } as const;
const byId = { params: { id: z.string().meta({ examples: [example.id] }) } };

/** What the routes of API keys work with. */
interface Needs {
  relational: Pick<RelationalStore, 'tenant'>;
  ephemeral: Pick<EphemeralStore, 'publish'>;
  pepper: string;
}

/** `/v1/api-keys`: whoever manages an organization gives its members keys, and takes them away. */
export function apiKeyRoutes(needs: Needs): Route[] {
  return [listKeys(needs), createKey(needs), getKey(needs), changeOne(needs), rotateOne(needs), revokeOne(needs)];
}

function listKeys({ relational }: Needs): Route {
  return route({
    ...common,
    method: 'GET',
    path: '/v1/api-keys',
    operation_id: 'list_api_keys',
    summary: 'All API keys of the organization',
    description: 'The newest first, with those that were revoked or have expired.',
    access: rolesFor('list_api_keys'),
    query: pageQuery,
    paged: true,
    response: pageOf(keySchema),
    example: envelope([example], 1, { page: 1, page_size: 20 }),
    handle: async ({ caller, query }) => {
      const page = pageWindow(query);
      const { items, total } = await relational.tenant(caller.organization.id, ({ apiKeys }) => apiKeys.list(page));
      return envelope(items.map(wire), total, query);
    },
  });
}

function createKey({ relational, pepper }: Needs): Route {
  return route({
    ...common,
    method: 'POST',
    path: '/v1/api-keys',
    operation_id: 'create_api_key',
    summary: 'Give a member an API key',
    description: 'The key is shown this once. A member has at most as many keys in use as the plan says.',
    access: rolesFor('create_api_key'),
    body: z.strictObject({
      member: nameSchema.meta({ description: 'Id of a member, or a name: a member of a new name is made.' }),
      role: roleSchema.optional().meta({
        description:
          'Of a new member: as the organization has it unless told (`default_role`), and never above your own. A member who is there keeps theirs.',
      }),
      name: nameSchema.nullable().default(null).meta({ description: 'What the key is for.' }),
      expires_at: expiresAt.optional().meta({
        description:
          'Null: it does not expire. Unless told as the organization has it (`default_key_days`), and no later than the key that asks.',
      }),
      environment: keyEnvironmentSchema.optional().meta({
        description: `As with the key that asks unless told, and so are the limits. Calls with a key for test are counted and cost nothing; it takes at most ${maxTestRequestsPerMinute} requests a minute.`,
      }),
      ...limitFields,
    }),
    status: 201,
    secret: true,
    responseHeaders: location,
    response: newKeySchema,
    example: newExample,
    errors: [
      keyProblems.exceeds_own_key,
      memberProblems.member_not_found,
      keyProblems.member_has_other_role,
      memberProblems.member_limit_reached,
      keyProblems.api_key_limit_reached,
      keyProblems.expiry_in_the_past,
    ],
    handle: async ({ caller, body, request }) => {
      const actor = actorOf(caller, request);
      const { member, key } = await changeAccounts(relational, caller, async (tenant) => {
        const settings = await tenant.settings.get();
        const rights = rightsFor(caller, body, settings.default_key_days);
        refusePast(rights.expires_at);
        refuseMore(caller, rights);
        const role = body.role ?? settings.default_role;
        const member =
          (await existing(tenant, caller, body, role)) ??
          (await joinMember(tenant, { name: body.member, role }, { actor }));
        if ((await tenant.apiKeys.inUse({ memberId: member.id })) >= mostOf(await tenant.plan(), 'api_keys_per_member'))
          throw new HttpError(keyProblems.api_key_limit_reached);
        const key = await issueKey(tenant, pepper, {
          member,
          name: body.name,
          expiresAt: rights.expires_at,
          environment: rights.environment,
          limits: rights,
          actor,
        });
        return { member, key };
      });
      return issued(key, member);
    },
  });
}

function getKey({ relational }: Needs): Route {
  return route({
    ...common,
    ...byId,
    method: 'GET',
    path: '/v1/api-keys/{id}',
    operation_id: 'get_api_key',
    summary: 'One API key',
    access: rolesFor('get_api_key'),
    response: keySchema,
    example,
    errors: [keyProblems.api_key_not_found],
    handle: async ({ caller, params }) =>
      wire(await relational.tenant(caller.organization.id, (tenant) => find(tenant, params.id))),
  });
}

function changeOne({ relational, ephemeral }: Needs): Route {
  return route({
    ...common,
    ...byId,
    method: 'PATCH',
    path: '/v1/api-keys/{id}',
    operation_id: 'change_api_key',
    summary: 'Give an API key another name or other limits',
    description:
      'What is left out stays; null takes a limit away. It counts at once here, and within 5 seconds everywhere.',
    access: rolesFor('change_api_key'),
    body: z.strictObject({ name: nameSchema.nullable().optional(), ...limitFields }),
    response: keySchema,
    example,
    errors: [keyProblems.exceeds_own_key, keyProblems.api_key_not_found, keyProblems.api_key_not_in_use],
    handle: async ({ caller, params: { id }, body: { name, ...asked }, request }) => {
      const changed = await changeAccounts(relational, caller, async (tenant) => {
        const key = await findManageable(tenant, caller, id);
        if (!isInUse(key)) throw new HttpError(keyProblems.api_key_not_in_use);
        // Its environment and its end stay as they are.
        const { environment, expires_at } = rightsOf(caller);
        const limits = limitsFor(key, asked);
        refuseMore(caller, { ...limits, environment, expires_at });
        await changeKey(tenant, key, {
          name: name === undefined ? key.name : name,
          limits,
          actor: actorOf(caller, request),
        });
        return find(tenant, id);
      });
      await announceKeyChange(ephemeral, id);
      return wire(changed);
    },
  });
}

function rotateOne({ relational, ephemeral, pepper }: Needs): Route {
  return route({
    ...common,
    ...byId,
    method: 'POST',
    path: '/v1/api-keys/{id}/rotate',
    operation_id: 'rotate_api_key',
    summary: 'Put a new API key in place of one',
    description: 'The new key is of the same member and is shown this once; the old one ends, or goes on for a while.',
    access: rolesFor('rotate_api_key'),
    body: z.strictObject({
      overlap_seconds: z
        .int()
        .min(0)
        .max(maxOverlapSeconds)
        .default(0)
        .meta({ description: 'For how long the old key is taken as well.' }),
      expires_at: expiresAt.optional().meta({ description: 'As long a life as the old key was given, unless told.' }),
    }),
    status: 201,
    secret: true,
    responseHeaders: location,
    response: rotatedKeySchema,
    example: {
      ...newExample,
      replaces: { id: 'key_01JD7Z3M2QK8V6T4R9W5X1Y0AB', expires_at: '2026-11-21T12:08:12.345Z' },
    },
    errors: [
      keyProblems.exceeds_own_key,
      keyProblems.api_key_not_found,
      keyProblems.api_key_not_in_use,
      keyProblems.api_key_limit_reached,
      keyProblems.expiry_in_the_past,
    ],
    handle: async ({ caller, params: { id }, body, request }) => {
      refusePast(body.expires_at ?? null);
      const { old, rotated } = await changeAccounts(relational, caller, async (tenant) => {
        const old = await findManageable(tenant, caller, id);
        // Its holder is given all that it may; a life as long as it was given is no more.
        const expires_at = body.expires_at === undefined ? rightsOf(caller).expires_at : body.expires_at;
        refuseMore(caller, { ...old, environment: environmentOf(old), expires_at });
        // While both are taken, both are in use; the one that goes is not counted, so that a full member can rotate.
        const most = mostOf(await tenant.plan(), 'api_keys_per_member');
        if (body.overlap_seconds > 0 && (await tenant.apiKeys.inUse({ memberId: old.member_id })) > most)
          throw new HttpError(keyProblems.api_key_limit_reached);
        const rotated = await rotateKey(tenant, pepper, {
          id,
          overlapSeconds: body.overlap_seconds,
          expiresAt: body.expires_at,
          actor: actorOf(caller, request),
        });
        if (!rotated) throw new HttpError(keyProblems.api_key_not_in_use);
        return { old, rotated };
      });
      await announceKeyChange(ephemeral, id);
      const member = { id: old.member_id, name: old.member_name, role: old.role };
      const { body: key, headers } = issued(rotated.key, member);
      return new Reply({ ...key, replaces: rotated.replaced }, { headers });
    },
  });
}

function revokeOne({ relational, ephemeral }: Needs): Route {
  return route({
    ...common,
    ...byId,
    method: 'DELETE',
    path: '/v1/api-keys/{id}',
    operation_id: 'revoke_api_key',
    summary: 'Revoke an API key',
    description:
      'It is refused at once here, and within 5 seconds everywhere. The last key of an owner can only be rotated.',
    access: rolesFor('revoke_api_key'),
    status: 204,
    response: z.void(),
    errors: [keyProblems.api_key_not_found, memberProblems.last_owner_key],
    handle: async ({ caller, params: { id }, request }) => {
      await changeAccounts(relational, caller, async (tenant) => {
        const key = await findManageable(tenant, caller, id);
        if (key.role === 'owner' && isInUse(key) && !(await hasOtherOwnerKey(tenant, key)))
          throw new HttpError(memberProblems.last_owner_key);
        await revokeKey(tenant, id, actorOf(caller, request));
      });
      await announceKeyChange(ephemeral, id);
    },
  });
}

const rightsOf = ({ products, repositories, scopes, rate_limit_per_minute, api_key }: Caller): KeyRights => ({
  products,
  repositories,
  scopes: scopes as KeyRights['scopes'],
  rate_limit_per_minute,
  environment: api_key.environment,
  expires_at: api_key.expires_at,
});

/** What is asked for; where it says nothing, what the caller's own key has. */
function rightsFor(
  caller: Caller,
  asked: AskedLimits & { environment?: KeyEnvironment | undefined; expires_at?: string | null | undefined },
  defaultDays: number | null,
): KeyRights {
  const own = rightsOf(caller);
  const usual = defaultDays === null ? null : new Date(Date.now() + defaultDays * 86_400_000).toISOString();
  const end = own.expires_at !== null && own.expires_at < (usual ?? '~') ? own.expires_at : usual;
  return {
    ...limitsFor(own, asked),
    environment: asked.environment ?? own.environment,
    expires_at: asked.expires_at === undefined ? end : asked.expires_at,
  };
}

/** What is asked for; where it says nothing, what was before. */
function limitsFor(before: KeyLimits, asked: AskedLimits): KeyLimits {
  const isRestricted = (asked.products ?? asked.repositories ?? null) !== null;
  return {
    products: asked.products === undefined ? before.products : asked.products,
    repositories: asked.repositories === undefined ? before.repositories : asked.repositories,
    // Who asks for products or repositories means a key that reads these.
    scopes: asked.scopes === undefined ? (before.scopes ?? (isRestricted ? ['read'] : null)) : asked.scopes,
    rate_limit_per_minute:
      asked.rate_limit_per_minute === undefined ? before.rate_limit_per_minute : asked.rate_limit_per_minute,
  };
}

/** A key gives nothing that it has not itself. */
function refuseMore(caller: Caller, rights: KeyRights): void {
  const names = exceeding(rightsOf(caller), rights);
  if (names.length === 0) return;
  throw new HttpError(keyProblems.exceeds_own_key, {
    detail: `More than the key that asks has: ${names.join(', ')}.`,
    members: { exceeding: names },
  });
}

/** The member meant; null where they are to be made. */
async function existing(
  tenant: Tenant,
  caller: Caller,
  { member, role }: { member: string; role?: Role | undefined },
  roleOfNew: Role,
): Promise<Member | null> {
  const isId = /^mem_[0-9A-HJKMNP-TV-Z]{26}$/.test(member);
  const found = await (isId ? tenant.members.get(member) : tenant.members.named(member));
  if (isId && !found) throw new HttpError(memberProblems.member_not_found);
  allowOnlyBelow(roleOf(caller), found?.role ?? roleOfNew);
  if (found && role !== undefined && found.role !== role)
    throw new HttpError(keyProblems.member_has_other_role, { detail: `The member has the role ${found.role}.` });
  return found;
}

async function find(tenant: Tenant, id: string): Promise<MemberKey> {
  const key = await tenant.apiKeys.get(id);
  if (!key) throw new HttpError(keyProblems.api_key_not_found);
  return key;
}

async function findManageable(tenant: Tenant, caller: Caller, id: string): Promise<MemberKey> {
  const key = await find(tenant, id);
  allowOnlyBelow(roleOf(caller), key.role);
  return key;
}

/** Whether an owner has another key that lives on; one that was rotated goes on for a day at most. */
async function hasOtherOwnerKey(tenant: Tenant, { expires_at }: MemberKey): Promise<boolean> {
  const lasting = await tenant.apiKeys.inUse({ role: 'owner' }, maxOverlapSeconds);
  const lasts = expires_at === null || Date.parse(expires_at) > Date.now() + maxOverlapSeconds * 1_000;
  return lasting > (lasts ? 1 : 0);
}

function refusePast(expiresAt: string | null): void {
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) throw new HttpError(keyProblems.expiry_in_the_past);
}

function wire({ id, name, prefix, member_id, member_name, role, ...key }: MemberKey): z.input<typeof keySchema> {
  return {
    id,
    object: 'api_key',
    name,
    prefix,
    status: key.revoked_at !== null ? 'revoked' : isInUse(key) ? 'active' : 'expired',
    role,
    environment: environmentOf({ prefix }),
    products: key.products && [...key.products],
    repositories: key.repositories && [...key.repositories],
    scopes: key.scopes && [...key.scopes],
    rate_limit_per_minute: key.rate_limit_per_minute,
    member: { id: member_id, name: member_name },
    created_at: key.created_at,
    expires_at: key.expires_at,
    revoked_at: key.revoked_at,
    last_used_at: key.last_used_at,
  };
}

function issued({ api_key, ...key }: IssuedKey, member: { id: string; name: string; role: Role }) {
  return new Reply(
    { ...wire({ ...key, member_name: member.name, role: member.role }), api_key },
    { headers: { Location: `/v1/api-keys/${key.id}` } },
  );
}
