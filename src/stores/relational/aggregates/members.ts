import { ulid } from 'ulid';
import type { Member, Role } from '../../../model/account.ts';
import type { Database } from '../database.ts';

/** The members of one organization. */
export interface Members {
  get(id: string): Promise<Member | null>;
  named(name: string): Promise<Member | null>;
  count(): Promise<number>;
  create(member: { name: string; role: Role }): Promise<Member>;
  /** Who the member is at the identity provider; false when another member of the organization is it. */
  setSubject(id: string, subject: string): Promise<boolean>;
  setRole(id: string, role: Role): Promise<void>;
}

/** One organization's members over any engine. */
export function members(database: Database, organizationId: string): Members {
  const own = database.selectFrom('member').select(columns).where('organization_id', '=', organizationId);
  return {
    get: async (id) => (await own.where('id', '=', id).executeTakeFirst()) ?? null,

    named: async (name) => (await own.where('name', '=', name).executeTakeFirst()) ?? null,

    async count() {
      const { members } = await database
        .selectFrom('member')
        .select((select) => select.fn.countAll<number>().as('members'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow();
      return members;
    },

    create: ({ name, role }) =>
      database
        .insertInto('member')
        .values({ id: `mem_${ulid()}`, organization_id: organizationId, name, role })
        .returning(columns)
        .executeTakeFirstOrThrow(),

    async setSubject(id, subject) {
      const other = await own.where('subject', '=', subject).where('id', '!=', id).executeTakeFirst();
      if (other) return false;
      await database
        .updateTable('member')
        .set({ subject })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute();
      return true;
    },

    async setRole(id, role) {
      await database
        .updateTable('member')
        .set({ role })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute();
    },
  };
}

const columns = ['id', 'organization_id', 'name', 'role'] as const;
