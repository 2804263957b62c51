import { isDeepStrictEqual } from 'node:util';
import { environmentOf } from '../model/account.ts';
import type { KeyLimits } from '../model/account.ts';
import type { MemberKey, Tenant } from '../stores/relational/port.ts';
import type { Actor } from './actor.ts';
import type { IssuedKey } from './create-key.ts';
import { issueKey, limitsIn } from './create-key.ts';

/** Ends a key; false when it had ended before. Afterwards, when that is committed, `announceKeyChange`. */
export async function revokeKey(tenant: Tenant, id: string, actor: Actor): Promise<boolean> {
  const revoked = await tenant.apiKeys.revoke(id);
  if (revoked) await tenant.audit.append({ ...actor, action: 'api_key.revoked', subject: id });
  return revoked;
}

/**
 * Puts a new key of the same member in place of one, which goes on living for `overlapSeconds`, or ends. Null when there is none in
 * use. Afterwards, when that is committed, `announceKeyChange`.
 */
export async function rotateKey(
  tenant: Tenant,
  pepper: string,
  {
    id,
    overlapSeconds,
    expiresAt,
    actor,
  }: { id: string; overlapSeconds: number; expiresAt?: string | null | undefined; actor: Actor },
): Promise<{ key: IssuedKey; replaced: { id: string; expires_at: string } } | null> {
  const old = await tenant.apiKeys.get(id);
  if (!old || !isInUse(old)) return null;
  const lifetime = old.expires_at === null ? null : Date.parse(old.expires_at) - Date.parse(old.created_at);
  const end = inFuture(overlapSeconds * 1_000);
  const ends = old.expires_at !== null && old.expires_at < end ? old.expires_at : end;
  await tenant.apiKeys.expire(id, ends);
  const member = await tenant.members.get(old.member_id);
  const key = await issueKey(tenant, pepper, {
    member: { id: old.member_id, role: old.role },
    role: member?.role === old.role ? null : old.role,
    name: old.name,
    // As long a life as the old one was given, unless told.
    expiresAt: expiresAt !== undefined || lifetime === null ? (expiresAt ?? null) : inFuture(lifetime),
    environment: environmentOf(old),
    limits: old,
    actor,
  });
  await tenant.audit.append({
    ...actor,
    action: 'api_key.rotated',
    subject: id,
    details: { replaced_by: key.id, expires_at: ends },
  });
  return { key, replaced: { id, expires_at: ends } };
}

/** Gives a key another name or other limits. Afterwards, when that is committed, `announceKeyChange`. */
export async function changeKey(
  tenant: Tenant,
  key: MemberKey,
  { name, limits, actor }: { name: string | null; limits: KeyLimits; actor: Actor },
): Promise<void> {
  const wanted = { name, ...limitsIn(environmentOf(key), limits) };
  const fields = Object.keys(wanted) as (keyof typeof wanted)[];
  const changed = fields.filter((field) => !isDeepStrictEqual(key[field], wanted[field]));
  if (changed.length === 0) return;
  await tenant.apiKeys.change(key.id, wanted);
  const of = (values: typeof wanted) => Object.fromEntries(changed.map((field) => [field, values[field]]));
  await tenant.audit.append({
    ...actor,
    action: 'api_key.changed',
    subject: key.id,
    details: { from: of(key), to: of(wanted) },
  });
}

const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString();

/** Whether a key is neither revoked nor expired. */
export function isInUse({ revoked_at, expires_at }: { revoked_at: string | null; expires_at: string | null }): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > Date.now());
}
