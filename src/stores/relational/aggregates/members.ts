import { ulid } from 'ulid';
import type { Member, Role } from '../../../model/account.ts';
import type { Database } from '../database.ts';
import { now } from './api-keys.ts';

/** A member and since when they are one. */
export type ListedMember = Member & { created_at: string; subject: string | null };

/** The members of one organization: of those who were removed it knows nothing. */
export interface Members {
  get(id: string): Promise<ListedMember | null>;
  named(name: string): Promise<Member | null>;
  /** In the order of their names. */
  list(page: { offset: number; limit: number; role?: Role }): Promise<{ items: ListedMember[]; total: number }>;
  /** Of this role, or all. */
  count(role?: Role): Promise<number>;
  create(member: { name: string; role: Role }): Promise<Member>;
  /** Who the member is at the identity provider, null for nobody; false when another member of the organization is it. */
  setSubject(id: string, subject: string | null): Promise<boolean>;
  setRole(id: string, role: Role): Promise<void>;
  setName(id: string, name: string): Promise<void>;
  /** False when there was none. */
  remove(id: string): Promise<boolean>;
}

/** One organization's members over any engine. */
export function members(database: Database, organizationId: string): Members {
  const present = database
    .selectFrom('member')
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null);
  const own = present.select(columns);
  const change = (id: string) =>
    database
      .updateTable('member')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('removed_at', 'is', null);
  return {
    get: async (id) => (await own.where('id', '=', id).executeTakeFirst()) ?? null,

    named: async (name) =>
      (await present.select(['id', 'organization_id', 'name', 'role']).where('name', '=', name).executeTakeFirst()) ??
      null,

    async list({ offset, limit, role }) {
      const wanted = role === undefined ? present : present.where('role', '=', role);
      const { total } = await wanted
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const items = await wanted.select(columns).orderBy('name').orderBy('id').offset(offset).limit(limit).execute();
      return { items, total };
    },

    async count(role) {
      const counted = role === undefined ? present : present.where('role', '=', role);
      const { members } = await counted
        .select((select) => select.fn.countAll<number>().as('members'))
        .executeTakeFirstOrThrow();
      return members;
    },

    create: ({ name, role }) =>
      database
        .insertInto('member')
        .values({ id: `mem_${ulid()}`, organization_id: organizationId, name, role })
        .returning(['id', 'organization_id', 'name', 'role'])
        .executeTakeFirstOrThrow(),

    async setSubject(id, subject) {
      const other =
        subject !== null && (await own.where('subject', '=', subject).where('id', '!=', id).executeTakeFirst());
      if (other) return false;
      await change(id).set({ subject }).execute();
      return true;
    },

    async setRole(id, role) {
      await change(id).set({ role }).execute();
    },

    async setName(id, name) {
      await change(id).set({ name }).execute();
    },

    async remove(id) {
      const { numUpdatedRows } = await change(id).set({ removed_at: now }).executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

const columns = ['id', 'organization_id', 'name', 'role', 'created_at', 'subject'] as const;
