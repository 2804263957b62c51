import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { actorOf, originOf } from '../auth/actor.ts';
import { memberProblems } from '../auth/members.ts';
import { OwnerJwtInvalid } from '../auth/owner-jwt.ts';
import type { OwnerClaims } from '../auth/owner-jwt.ts';
import { codeLifetimeSeconds, createPairing, exchangePairingCode, revokePairing } from '../auth/pair.ts';
import type { Asking, Device } from '../auth/pair.ts';
import { formatPairingCode } from '../auth/pairing-code.ts';
import { IdentityProviderUnavailable } from '../auth/remote-keys.ts';
import { rolesFor } from '../auth/roles.ts';
import { HttpError } from '../http/errors.ts';
import { problems } from '../http/problems.ts';
import { quotaExceeded } from '../http/rate-limit.ts';
import { Reply, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { cliClientSchema, cliRoleSchema, deviceNameSchema } from '../model/cli.ts';
import type { CliPairing } from '../model/cli.ts';
import type { EphemeralStore, Quota } from '../stores/ephemeral/port.ts';
import type { RelationalStore, Tenant } from '../stores/relational/port.ts';

/** Every exchange that fails takes as long: the time must not tell what was wrong. */
const refusalMs = 250;
/** Wrong codes from everywhere, of which somebody should know. */
const alarmQuota: Quota = { name: 'pair_exchange_alarm', requests: 100, window_seconds: 600 };

const pairingProblems = {
  owner_jwt_required: {
    status: 401,
    code: 'owner_jwt_required',
    title: 'The token of an owner is required',
    meaning: 'Send in owner_jwt a token of the identity provider that you are signed in to as an owner.',
  },
  owner_jwt_invalid: {
    status: 401,
    code: 'owner_jwt_invalid',
    title: 'The token is not valid',
    meaning:
      'The token in owner_jwt is malformed, expired, used before, meant for others, or not signed by the identity provider; all answer alike. Get a new one.',
  },
  owner_role_required: {
    status: 403,
    code: 'owner_role_required',
    title: 'Only an owner may do this',
    meaning:
      'The token is valid, but it has not the role owner, or its subject is no owner of the organization that it names.',
  },
  invalid_pairing_code: {
    status: 400,
    code: 'invalid_pairing_code',
    title: 'The pairing code is not valid',
    meaning:
      'The code is unknown, mistyped, used, expired or revoked; all answer alike. A code is good once, for ten minutes, and for five attempts. Ask an owner for a new one.',
  },
  pairing_not_found: {
    status: 404,
    code: 'pairing_not_found',
    title: 'There is no such pairing',
    meaning: 'The organization has no pairing of this id.',
  },
} as const;

const pairingSchema = z
  .object({
    id: z.string(),
    object: z.literal('cli_pairing'),
    status: z.enum(['pending', 'claimed', 'expired', 'revoked']),
    device_name: z.string().nullable(),
    role: cliRoleSchema.meta({ description: 'What the key of the command line may do.' }),
    invited_name: z
      .string()
      .nullable()
      .meta({ description: 'Of the member that it makes; null: it lets in a command line of who asked.' }),
    organization_id: z.string(),
    expires_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Pairing' });
const newPairingSchema = pairingSchema
  .extend({
    pairing_code: z.string().meta({ description: 'Good once; shown this once.' }),
    exchange_url: z.url(),
    expires_in: z.int().meta({ description: 'Seconds.' }),
  })
  .meta({ id: 'NewPairing' });
const newSessionSchema = z
  .object({
    object: z.literal('cli_session'),
    id: z.string(),
    api_key: z.string().meta({ description: 'The key itself; shown this once.' }),
    api_key_id: z.string(),
    role: cliRoleSchema,
    organization: z.object({ id: z.string(), slug: z.string() }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'NewCliSession' });

const example = {
  id: 'pair_01JD7Z3M2QK8V6T4R9W5X1Y0AJ',
  object: 'cli_pairing',
  status: 'pending',
  device_name: 'anna-laptop',
  role: 'member',
  invited_name: null,
  organization_id: 'org_01JD7Z3M2QK8V6T4R9W5X1Y0AB',
  expires_at: '2026-11-21T11:18:12.345Z',
  created_at: '2026-11-21T11:08:12.345Z',
} as const;

const common = { product: null, credits: 0 } as const;
const byId = { params: { id: z.string().meta({ examples: [example.id] }) } };

const deviceFields = {
  device_name: deviceNameSchema
    .nullable()
    .default(null)
    .meta({ description: 'For you to recognise it in the list of sessions.' }),
  role: cliRoleSchema.default('member').meta({ description: 'What the key of the command line may do.' }),
};

/** What proves that an owner asks: a token, verified so, or for trying the service out their API key. */
export type OwnerProof = 'api_key' | ((token: string) => Promise<OwnerClaims>);

/** What the routes of pairing work with. */
interface Needs {
  relational: Pick<RelationalStore, 'pairings' | 'tenant'>;
  ephemeral: Pick<EphemeralStore, 'limiter'>;
  pepper: string;
  baseUrl: string;
  quotas: { pair: Quota; pair_exchange: Quota };
  ownerProof: OwnerProof;
  /** Called when many wrong codes come from everywhere. */
  alarm: (message: string) => void;
}

/** `/v1/cli/pair`: an owner asks for a code, and a command line exchanges it for a key of its own. */
export function pairingRoutes(needs: Needs): Route[] {
  const { relational, ownerProof } = needs;
  const giveCode = codeGiver(needs);
  return [
    ownerProof === 'api_key' ? askWithKey(giveCode) : askWithToken(giveCode, relational, ownerProof),
    exchange(needs),
    getPairing(relational),
    revoke(relational),
  ];
}

/** Gives owners codes, as many as their quota lets them ask for. */
function codeGiver({ relational, ephemeral, pepper, baseUrl, quotas }: Needs) {
  const limiter = ephemeral.limiter(quotas.pair);
  return async (asking: Asking, device: Device) => {
    const standing = await limiter.take(asking.memberId);
    if (!standing.allowed) throw quotaExceeded(quotas.pair, standing);
    const { pairing, code } = await createPairing(relational, pepper, asking, device).catch(async (error: unknown) => {
      // Who sends somebody's token again must not use up what its owner may ask for.
      await limiter.giveBack(asking.memberId);
      throw explainToken(error);
    });
    return new Reply(
      {
        ...wire(pairing),
        pairing_code: formatPairingCode(code),
        exchange_url: `${baseUrl}/v1/cli/pair/exchange`,
        expires_in: codeLifetimeSeconds,
      },
      { headers: { Location: `/v1/cli/pair/${pairing.id}` } },
    );
  };
}

type GiveCode = ReturnType<typeof codeGiver>;

const pairRoute = {
  ...common,
  method: 'POST',
  path: '/v1/cli/pair',
  operation_id: 'create_cli_pairing',
  summary: 'Ask for a code that lets a command line in',
  description:
    'An owner asks for it; `repo-intel login` exchanges it for a key of its own. The code is good once, for ten minutes. It is not replayed: a second request makes a second code.',
  status: 201,
  secret: true,
  responseHeaders: { Location: 'Path of the pairing.' },
  response: newPairingSchema,
  example: {
    ...example,
    pairing_code: 'WDJB-MJHT-KQRZ',
    exchange_url: 'https://example.com/v1/cli/pair/exchange',
    expires_in: codeLifetimeSeconds,
  },
} as const;

/** For trying the service out: an owner asks with their API key. */
function askWithKey(giveCode: GiveCode): Route {
  return route({
    ...pairRoute,
    access: rolesFor('create_cli_pairing'),
    body: z.strictObject(deviceFields).prefault({}),
    errors: [problems.rate_limited],
    handle: ({ body, caller, request }) => {
      const actor = { ...actorOf(caller, request), memberId: caller.member.id };
      return giveCode({ ...actor, organizationId: caller.organization.id, token: null }, body);
    },
  });
}

/** An owner asks with a token of the identity provider. */
function askWithToken(
  giveCode: GiveCode,
  relational: Needs['relational'],
  proof: Exclude<OwnerProof, 'api_key'>,
): Route {
  return route({
    ...pairRoute,
    access: 'public',
    body: z
      .strictObject({
        owner_jwt: z.string().nullish().catch(null).meta({
          description: 'A token of the identity provider, of an owner: RFC 7519, signed, good once.',
        }),
        ...deviceFields,
      })
      .prefault({}),
    errors: [
      pairingProblems.owner_jwt_required,
      pairingProblems.owner_jwt_invalid,
      pairingProblems.owner_role_required,
      problems.dependency_unavailable,
    ],
    handle: async ({ body: { owner_jwt, ...device }, request }) => {
      if (owner_jwt === null || owner_jwt === undefined) throw refused(pairingProblems.owner_jwt_required);
      const token = await proof(owner_jwt).catch((error: unknown) => {
        throw explainToken(error);
      });
      const { organization, subject, role } = token;
      const owner =
        role === 'owner' && organization !== null && (await relational.pairings.owner({ organization, subject }));
      if (!owner) throw new HttpError(pairingProblems.owner_role_required);
      const actor = { memberId: owner.id, keyId: null, origin: originOf(request) };
      return giveCode({ ...actor, organizationId: owner.organization_id, token }, device);
    },
  });
}

function exchange({ relational, ephemeral, pepper, quotas, alarm }: Needs): Route {
  const limiters = { exchange: ephemeral.limiter(quotas.pair_exchange), alarm: ephemeral.limiter(alarmQuota) };
  return route({
    ...common,
    method: 'POST',
    path: '/v1/cli/pair/exchange',
    operation_id: 'exchange_cli_pairing',
    summary: 'Exchange a pairing code for an API key',
    description:
      'For the command line that an owner lets in. The key is shown this once and is good for 90 days. Case, spaces and dashes of the code do not matter.',
    access: 'public',
    bodyLimit: 4 * 1024,
    body: z.strictObject({
      pairing_code: z
        .string()
        .min(1)
        .max(64)
        .meta({ examples: ['WDJB-MJHT-KQRZ'] }),
      client: cliClientSchema.nullable().default(null).meta({ description: 'What the command line says of itself.' }),
    }),
    status: 201,
    responseHeaders: { Location: 'Path of the session.' },
    secret: true,
    response: newSessionSchema,
    example: {
      object: 'cli_session',
      id: 'cli_01JD7Z3M2QK8V6T4R9W5X1Y0AK',
      api_key: 'ris_live_0XcsuTKiNHLjrCIzZ6HGnbQ92VLxFFZE2PPE7W',
      api_key_id: 'key_01JD7Z3M2QK8V6T4R9W5X1Y0AL',
      role: 'member',
      organization: { id: 'org_01JD7Z3M2QK8V6T4R9W5X1Y0AB', slug: 'acme' },
      expires_at: '2027-02-19T11:08:12.345Z',
    },
    errors: [
      pairingProblems.invalid_pairing_code,
      memberProblems.member_limit_reached,
      memberProblems.member_name_taken,
      problems.dependency_unavailable,
    ],
    handle: async ({ body: { pairing_code, client }, request }) => {
      const { ip } = request;
      const soonest = sleep(refusalMs, undefined, { ref: false });
      const standing = await limiters.exchange.take(ip);
      if (!standing.allowed) throw quotaExceeded(quotas.pair_exchange, standing);
      const exchanged = await exchangePairingCode(relational, pepper, pairing_code, {
        client,
        origin: originOf(request),
      });
      if (exchanged) {
        await limiters.exchange.giveBack(ip);
        const { api_key, organization, session } = exchanged;
        const { id, api_key_id, role, expires_at } = session;
        return new Reply(
          { object: 'cli_session' as const, id, api_key, api_key_id, role, organization, expires_at },
          { headers: { Location: `/v1/cli/sessions/${id}` } },
        );
      }
      const all = await limiters.alarm.take('all');
      if (all.allowed && all.remaining === 0)
        alarm(`${alarmQuota.requests} wrong pairing codes in ${alarmQuota.window_seconds} s.`);
      await soonest;
      throw new HttpError(pairingProblems.invalid_pairing_code);
    },
  });
}

function getPairing(relational: Needs['relational']): Route {
  return route({
    ...common,
    ...byId,
    method: 'GET',
    path: '/v1/cli/pair/{id}',
    operation_id: 'get_cli_pairing',
    summary: 'What became of a pairing',
    description: 'Without its code.',
    access: rolesFor('get_cli_pairing'),
    response: pairingSchema,
    example,
    errors: [pairingProblems.pairing_not_found],
    handle: ({ caller, params: { id } }) =>
      relational.tenant(caller.organization.id, async (tenant) => wire(await find(tenant, id))),
  });
}

function revoke(relational: Needs['relational']): Route {
  return route({
    ...common,
    ...byId,
    method: 'DELETE',
    path: '/v1/cli/pair/{id}',
    operation_id: 'revoke_cli_pairing',
    summary: 'Revoke a pairing code',
    description: 'Nobody can exchange it any more. A command line that already has keeps its key: end its session.',
    access: rolesFor('revoke_cli_pairing'),
    status: 204,
    response: z.void(),
    errors: [pairingProblems.pairing_not_found],
    handle: ({ caller, params: { id }, request }) =>
      relational.tenant(caller.organization.id, async (tenant) => {
        await find(tenant, id);
        await revokePairing(tenant, id, actorOf(caller, request));
      }),
  });
}

const refused = (problem: (typeof pairingProblems)['owner_jwt_required' | 'owner_jwt_invalid']) =>
  new HttpError(problem, { headers: { 'WWW-Authenticate': 'Bearer realm="ris"' } });

function explainToken(error: unknown): unknown {
  if (error instanceof OwnerJwtInvalid) return refused(pairingProblems.owner_jwt_invalid);
  if (!(error instanceof IdentityProviderUnavailable)) return error;
  return new HttpError(problems.dependency_unavailable, {
    headers: { 'Retry-After': '30' },
    members: { dependency: 'identity_provider' },
    cause: error,
  });
}

async function find({ pairings }: Tenant, id: string): Promise<CliPairing> {
  const pairing = await pairings.get(id);
  if (!pairing) throw new HttpError(pairingProblems.pairing_not_found);
  return pairing;
}

function wire(pairing: CliPairing): z.input<typeof pairingSchema> {
  const { id, status, device_name, role, invited_name, organization_id, expires_at, created_at } = pairing;
  return {
    id,
    object: 'cli_pairing',
    status,
    device_name,
    role,
    invited_name,
    organization_id,
    expires_at,
    created_at,
  };
}
