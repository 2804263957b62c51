import { sql } from 'kysely';
import { ulid } from 'ulid';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';

/** A repository that is kept as it is where it comes from. */
export interface Source {
  id: string;
  organization_id: string;
  /** As it was named; without secrets. */
  address: string;
  /** What all addresses of the same repository have in common. */
  place: string;
  /** Branch, tag or commit; null: the default branch. */
  ref: string | null;
  every_seconds: number;
  /** Named by whoever runs the service; else it may lead nowhere but to the public internet. */
  trusted: boolean;
  created_at: string;
  /** When it is looked at next. */
  due_at: string;
  /** When it was looked at last; null before. */
  tried_at: string | null;
  /** When that last went well. */
  checked_at: string | null;
  /** What its organization calls what was loaded from it. */
  repository: string | null;
  /** That was there when that last went well. */
  commit: string | null;
  /** What went wrong the last time, one sentence. */
  error: string | null;
}

/** One organization's sources. */
export interface Sources {
  /** Null where the organization has this repository, at this ref, already. */
  add(source: Pick<Source, 'address' | 'place' | 'ref' | 'every_seconds' | 'trusted'>): Promise<Source | null>;
  /** By address; all, where no page is given. */
  list(page?: { offset: number; limit: number }): Promise<{ items: Source[]; total: number }>;
  get(id: string): Promise<Source | null>;
  /** False when there was none. */
  remove(id: string): Promise<boolean>;
}

/** A source that is to be looked at now. */
export interface DueSource extends Source {
  organization_slug: string;
}

/** The sources of all organizations, for any number of services. */
export interface SourceSchedule {
  /** Those whose time has come, the one that waits longest first. */
  due(limit: number): Promise<DueSource[]>;
  /** It was seen to, and is due again after its time, give or take a tenth; not, where it has become due anew meanwhile. */
  planned(source: Pick<Source, 'id' | 'due_at'>): Promise<void>;
  /** Those of these places, of all organizations. */
  at(places: readonly string[]): Promise<Source[]>;
  /** Has it be due now, by a delivery of a forge; false where that delivery has counted before. */
  pushed(source: Pick<Source, 'id' | 'organization_id'>, deliveryId: string): Promise<boolean>;
  /** Writes down what became of a look at what an organization's source has. */
  tried(
    of: { organizationId: string; address: string; ref: string | null },
    outcome: { repository: string; commit: string | null } | { error: string },
  ): Promise<void>;
  /** Forgets those that a repository comes from; gives how many those were. */
  forget(organizationId: string, repository: string): Promise<number>;
}

/** One organization's sources over any engine. */
export function sources(database: Database, organizationId: string): Sources {
  const own = database.selectFrom('source').where('organization_id', '=', organizationId);
  return {
    async add({ ref, ...source }) {
      const row = await database
        .insertInto('source')
        .values({ ...source, ref: ref ?? '', id: `src_${ulid()}`, organization_id: organizationId })
        .onConflict((conflict) => conflict.doNothing())
        .returning(columns)
        .executeTakeFirst();
      return row ? sourceOf(row) : null;
    },

    async list(page) {
      const rows = await own
        .select(columns)
        .orderBy('address')
        .orderBy('id')
        .$if(page !== undefined, (query) => query.offset(page?.offset ?? 0).limit(page?.limit ?? 0))
        .execute();
      const { total } = await own
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(sourceOf), total };
    },

    async get(id) {
      const row = await own.select(columns).where('id', '=', id).executeTakeFirst();
      return row ? sourceOf(row) : null;
    },

    async remove(id) {
      const { numDeletedRows } = await database
        .deleteFrom('source')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

/** The sources of all organizations, over any engine; the database's clock decides when one is due. */
export const sourceSchedule: Aggregate<SourceSchedule> = {
  calls: { due: 'read', planned: 'write', at: 'read', pushed: 'write', tried: 'write', forget: 'write' },
  open: openSourceSchedule,
};

function openSourceSchedule(database: Database): SourceSchedule {
  return {
    async due(limit) {
      const rows = await database
        .selectFrom('source')
        .innerJoin('organization', 'organization.id', 'source.organization_id')
        .select([...columns, 'organization.slug as organization_slug'])
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ ...sourceOf(row), organization_slug: row.organization_slug }));
    },

    async planned({ id, due_at }) {
      await database
        .updateTable('source')
        .set({ due_at: sql<string>`now() + every_seconds * (0.9 + 0.2 * random()) * interval '1 second'` })
        .where('id', '=', id)
        // To the millisecond, as times are read.
        .where(sql`date_trunc('milliseconds', due_at)`, '=', due_at)
        .execute();
    },

    async at(places) {
      if (places.length === 0) return [];
      const rows = await database.selectFrom('source').select(columns).where('place', 'in', places).execute();
      return rows.map(sourceOf);
    },

    pushed: ({ id, organization_id }, deliveryId) =>
      database.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows = 0n } = await transaction
          .insertInto('source_delivery')
          .values({ source_id: id, organization_id, delivery_id: deliveryId })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 0n) return false;
        await transaction.updateTable('source').set({ due_at: now }).where('id', '=', id).execute();
        return true;
      }),

    async tried({ organizationId, address, ref }, outcome) {
      await database
        .updateTable('source')
        .set(
          'error' in outcome
            ? { tried_at: now, error: outcome.error }
            : {
                tried_at: now,
                checked_at: now,
                error: null,
                repository_name: outcome.repository,
                commit: outcome.commit,
              },
        )
        .where('organization_id', '=', organizationId)
        .where('address', '=', address)
        .where('ref', '=', ref ?? '')
        .execute();
    },

    async forget(organizationId, repository) {
      const { numDeletedRows } = await database
        .deleteFrom('source')
        .where('organization_id', '=', organizationId)
        .where('repository_name', '=', repository)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

const now = sql<string>`now()`;

const columns = [
  'source.id',
  'organization_id',
  'address',
  'place',
  'ref',
  'every_seconds',
  'trusted',
  'source.created_at',
  'due_at',
  'tried_at',
  'checked_at',
  'repository_name as repository',
  'commit',
  'error',
] as const;

const sourceOf = ({ ref, ...row }: Omit<Source, 'ref'> & { ref: string }): Source => ({
  ...row,
  ref: ref === '' ? null : ref,
});
