import { HttpError, insufficientRole } from '../http/errors.ts';
import type { Member, Role } from '../model/account.ts';
import { mostOf } from '../model/plans.ts';
import type { Tenant } from '../stores/relational/port.ts';
import type { Actor } from './actor.ts';
import { createMember } from './create-key.ts';
import { atLeast } from './roles.ts';

/** What can be wrong with a change of members. */
export const memberProblems = {
  member_not_found: {
    status: 404,
    code: 'member_not_found',
    title: 'There is no such member',
    meaning: 'The organization has no member of this id; GET /v1/members lists those it has.',
  },
  member_limit_reached: {
    status: 409,
    code: 'member_limit_reached',
    title: 'The organization has as many members as the plan allows',
    meaning:
      'Every seat is taken, or kept for somebody who is invited. Remove a member or revoke an invitation first, or give the key to a member who is there.',
  },
  member_name_taken: {
    status: 409,
    code: 'member_name_taken',
    title: 'Another member has this name',
    meaning: 'Members of an organization have different names. Choose another.',
  },
  subject_taken: {
    status: 409,
    code: 'subject_taken',
    title: 'Another member is this subject',
    meaning:
      'A subject of the identity provider is one member of an organization. Take it from the other member first.',
  },
  last_owner: {
    status: 409,
    code: 'last_owner',
    title: 'It is the last owner',
    meaning: 'An organization has an owner at any time. Make another member an owner first.',
  },
  last_owner_key: {
    status: 409,
    code: 'last_owner_key',
    title: 'It is the last key of an owner',
    meaning:
      'Without it nobody could manage the organization any more: no other key of an owner lives for more than a day. Create one first, or rotate this one; whoever runs the service can revoke it.',
  },
} as const;

/** A key of an owner that ends within this time does not count as one that an owner has. */
export const lastingSeconds = 86_400;

/** Nobody changes, or lets in, somebody who may do more than they themselves; null is whoever runs the service. */
export function allowOnlyBelow(by: Role | null, role: Role): void {
  if (by !== null && !atLeast(role).includes(by)) throw insufficientRole(by, atLeast(role));
}

/** The member of this id; throws `member_not_found`. */
export async function findMember(tenant: Tenant, id: string) {
  const member = await tenant.members.get(id);
  if (!member) throw new HttpError(memberProblems.member_not_found);
  return member;
}

/** Makes a member where there is a seat, within what only one does at a time (`apiKeys.alone`). */
export async function joinMember(
  tenant: Tenant,
  member: { name: string; role: Role },
  { actor }: { actor: Actor },
): Promise<Member> {
  if ((await tenant.members.count()) >= mostOf(await tenant.plan(), 'members'))
    throw new HttpError(memberProblems.member_limit_reached);
  await refuseTaken(tenant, member.name);
  return createMember(tenant, member, actor);
}

/** Throws where nobody of this name could be invited. */
export async function refuseUninvitable(tenant: Tenant, name: string): Promise<void> {
  await refuseTaken(tenant, name);
  const seats = (await tenant.members.count()) + (await tenant.pairings.invited());
  if (seats >= mostOf(await tenant.plan(), 'members')) throw new HttpError(memberProblems.member_limit_reached);
}

/** Gives a member another role, name or subject; `by` is the role of whoever asks. */
export async function changeMember(
  tenant: Tenant,
  id: string,
  {
    role,
    name,
    subject,
    by,
    actor,
  }: {
    role?: Role | undefined;
    name?: string | undefined;
    subject?: string | null | undefined;
    by: Role | null;
    actor: Actor;
  },
) {
  const member = await findMember(tenant, id);
  allowOnlyBelow(by, member.role);
  if (name !== undefined && name !== member.name) {
    await refuseTaken(tenant, name);
    await tenant.members.setName(id, name);
    await appendChange(tenant, actor, { action: 'member.renamed', subject: id, from: member.name, to: name });
  }
  if (subject !== undefined && subject !== member.subject) {
    if (!(await tenant.members.setSubject(id, subject))) throw new HttpError(memberProblems.subject_taken);
    await tenant.audit.append({ ...actor, action: 'member.subject_set', subject: id, details: { subject } });
  }
  if (role !== undefined && role !== member.role) {
    allowOnlyBelow(by, role);
    await keepingAnOwner(tenant, member, () => tenant.members.setRole(id, role));
    await appendChange(tenant, actor, { action: 'member.role_changed', subject: id, from: member.role, to: role });
  }
  return findMember(tenant, id);
}

/** Removes a member: their keys end, and with them the sessions of their command lines, and their codes; their seat is free. */
export async function removeMember(
  tenant: Tenant,
  id: string,
  { by, actor }: { by: Role | null; actor: Actor },
): Promise<void> {
  const member = await findMember(tenant, id);
  allowOnlyBelow(by, member.role);
  await keepingAnOwner(tenant, member, async () => {
    const keys = await tenant.apiKeys.revokeAllOf(id);
    for (const subject of keys) await tenant.audit.append({ ...actor, action: 'api_key.revoked', subject });
    for (const subject of await tenant.pairings.revokeAllOf(id))
      await tenant.audit.append({ ...actor, action: 'cli_pairing.revoked', subject });
    await tenant.members.remove(id);
    const { name, role } = member;
    await tenant.audit.append({ ...actor, action: 'member.removed', subject: id, details: { name, role } });
  });
}

/** Does the change, and throws where it leaves no owner, or none who has a key. What it did is then undone with the transaction. */
async function keepingAnOwner(tenant: Tenant, { role }: Member, change: () => Promise<void>): Promise<void> {
  const keysBefore = await tenant.apiKeys.inUse({ role: 'owner' }, lastingSeconds);
  await change();
  if (role !== 'owner') return;
  if ((await tenant.members.count('owner')) === 0) throw new HttpError(memberProblems.last_owner);
  if (keysBefore > 0 && (await tenant.apiKeys.inUse({ role: 'owner' }, lastingSeconds)) === 0)
    throw new HttpError(memberProblems.last_owner_key);
}

async function refuseTaken(tenant: Tenant, name: string): Promise<void> {
  if (await tenant.members.named(name)) throw new HttpError(memberProblems.member_name_taken);
}

const appendChange = (
  { audit }: Tenant,
  actor: Actor,
  { action, subject, ...details }: { action: string; subject: string; from: string; to: string },
) => audit.append({ ...actor, action, subject, details });
