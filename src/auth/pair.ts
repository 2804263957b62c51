import { environmentOf } from '../model/account.ts';
import type { ApiKey, Origin } from '../model/account.ts';
import type { CliPairing, CliSession } from '../model/cli.ts';
import type { RelationalStore, Tenant } from '../stores/relational/port.ts';
import type { Actor } from './actor.ts';
import { issueKey } from './create-key.ts';
import { isInUse } from './change-key.ts';
import { joinMember } from './members.ts';
import { OwnerJwtInvalid } from './owner-jwt.ts';
import type { OwnerClaims } from './owner-jwt.ts';
import { digestPairingCode, generatePairingCode, isSameDigest, parsePairingCode } from './pairing-code.ts';
import type { PairingCode } from './pairing-code.ts';

/** For how long a code can be exchanged. */
export const codeLifetimeSeconds = 600;
const keyLifetimeMs = 90 * 24 * 60 * 60_000;

type Relational = Pick<RelationalStore, 'pairings' | 'tenant'>;

/** Who asks for a code: an owner, by whatever proves it. */
export interface Asking {
  memberId: string;
  organizationId: string;
  /** Of the API key that proves it, if one does. */
  keyId: string | null;
  /** The token that proves it, if one does: good once. */
  token: OwnerClaims | null;
  origin: Origin;
}

/** What the command line will be; with a name, of a member that it makes. */
export type Device = Pick<CliPairing, 'device_name' | 'role'> & { invited_name?: string | null };

/** A code, shown once; throws `OwnerJwtInvalid` when the token was used before. */
export async function createPairing(
  { pairings, tenant }: Relational,
  pepper: string,
  { organizationId, token, ...actor }: Asking,
  device: Device,
): Promise<{ pairing: CliPairing; code: PairingCode }> {
  await pairings.expire();
  return tenant(organizationId, async (tenant) => {
    if (token && !(await tenant.pairings.useOwnerJwt(token))) throw new OwnerJwtInvalid('The token was used before.');
    return insertPairing(tenant, pepper, { memberId: actor.memberId, actor }, device);
  });
}

/**
 * A key of its own for whoever has the code, once; null for every code that is not good. Of many at once, whoever comes first decides
 * about a pairing, and the next finds what they left: so a code is good for as many guesses as the store counts, and no more.
 */
export async function exchangePairingCode(
  { pairings, tenant }: Relational,
  pepper: string,
  text: string,
  { client, origin }: { client: CliSession['client']; origin: Origin },
): Promise<{ api_key: string; session: CliSession; organization: { id: string; slug: string } } | null> {
  const code = parsePairingCode(text);
  const found = code && (await pairings.find(code.selector));
  if (!found) return null;
  return tenant(found.organization_id, async (tenant) => {
    // Before the pairing, as whoever removes a member does.
    await tenant.apiKeys.alone();
    const pairing = await tenant.pairings.hold(found.id);
    if (!pairing) return null;
    const nobody = { memberId: null, keyId: null, origin };
    if (!isSameDigest(pairing.secret_digest, digestPairingCode(code, pepper))) {
      const isLast = await tenant.pairings.countWrongSecret(pairing.id);
      if (isLast) await appendRevoked(tenant, pairing.id, nobody, 'wrong_codes');
      return null;
    }
    const asking = pairing.key_id === null ? null : await tenant.apiKeys.get(pairing.key_id);
    // Whoever has lost their key since lets nobody in.
    if (pairing.key_id !== null && !(asking && isInUse(asking))) return null;
    const organization = { id: found.organization_id, slug: found.organization_slug };
    return { ...(await claim(tenant, pepper, { pairing, asking, client, origin })), organization };
  });
}

/** Ends an open pairing. */
export async function revokePairing(tenant: Tenant, id: string, actor: Actor): Promise<void> {
  if (await tenant.pairings.revoke(id)) await appendRevoked(tenant, id, actor, 'asked_for');
}

/** With a code whose selector no other open pairing has; `memberId` is who lets somebody in. */
export async function insertPairing(
  { pairings, audit }: Tenant,
  pepper: string,
  { memberId, actor }: { memberId: string; actor: Actor },
  device: Device,
): Promise<{ pairing: CliPairing; code: PairingCode }> {
  // Of 160,000 selectors the few that are open at a time are in the way once in a while, and not five times in a row.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const code = generatePairingCode();
    const pairing = await pairings.create({
      memberId,
      keyId: actor.keyId,
      selector: code.selector,
      secretDigest: digestPairingCode(code, pepper),
      deviceName: device.device_name,
      role: device.role,
      invitedName: device.invited_name ?? null,
      lifetimeSeconds: codeLifetimeSeconds,
    });
    if (!pairing) continue;
    const action = pairing.invited_name === null ? 'cli_pairing.created' : 'member.invited';
    await audit.append({ ...actor, action, subject: pairing.id, details: { ...device } });
    return { pairing, code };
  }
  throw new Error('There is no selector left for a pairing.');
}

async function claim(
  tenant: Tenant,
  pepper: string,
  {
    pairing: { id: pairingId, member_id: askedBy, device_name: deviceName, role, invited_name: invitedName },
    asking,
    client,
    origin,
  }: {
    pairing: CliPairing;
    asking: ApiKey | null;
    client: CliSession['client'];
    origin: Origin;
  },
): Promise<{ api_key: string; session: CliSession }> {
  const inviter = { memberId: askedBy, keyId: asking?.id ?? null, origin };
  const member =
    invitedName === null
      ? await tenant.members.get(askedBy)
      : await joinMember(tenant, { name: invitedName, role }, { actor: inviter });
  if (!member) throw new Error(`The member ${askedBy} of the pairing ${pairingId} is gone.`);
  await tenant.pairings.claim(pairingId);
  const actor = { memberId: member.id, keyId: null, origin };
  const end = new Date(Date.now() + keyLifetimeMs).toISOString();
  const key = await issueKey(tenant, pepper, {
    member,
    // Whoever was invited may be given another role, and their command line then has it, but never that of an owner.
    role: invitedName === null ? role : 'admin',
    name: deviceName,
    // No more than the key that asked for it has itself.
    expiresAt: asking?.expires_at != null && asking.expires_at < end ? asking.expires_at : end,
    ...(asking === null ? {} : { limits: asking, environment: environmentOf(asking) }),
    actor,
  });
  const session = await tenant.cliSessions.create({
    memberId: member.id,
    apiKeyId: key.id,
    pairingId,
    deviceName,
    client,
  });
  await tenant.audit.append({
    ...actor,
    action: 'cli_pairing.claimed',
    subject: pairingId,
    details: { session_id: session.id, api_key_id: key.id },
  });
  return { api_key: key.api_key, session };
}

const appendRevoked = ({ audit }: Tenant, id: string, actor: Actor, reason: 'asked_for' | 'wrong_codes') =>
  audit.append({ ...actor, action: 'cli_pairing.revoked', subject: id, details: { reason } });
