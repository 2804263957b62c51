import type { ExpressionBuilder } from 'kysely';
import { keyOf } from '../../../model/repository-key.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';

/** A repository, and who owns it. */
export interface OwnedRepository {
  /** What everything that is kept of it names it by. */
  key: string;
  organization_id: string;
  organization_slug: string;
  name: string;
  /** `owner/name`, by where it was cloned from, or `local/NAME`; null where that is not known. */
  full_name: string | null;
  /** Every organization may read it. */
  shared: boolean;
  /** RFC 3339, UTC. */
  created_at: string;
}

/** The repositories of all organizations, for whoever loads them and runs the service. */
export interface Repositories {
  /**
   * The key of an organization's repository, made when it is new: the bare name for the organization `default`, `SLUG~NAME` for any
   * other, or where another has the bare name already. What is there keeps its key.
   */
  claim(organizationId: string, name: string, fullName?: string): Promise<string>;
  get(key: string): Promise<OwnedRepository | null>;
  /** By key. */
  list(): Promise<OwnedRepository[]>;
  /** With what its owner has minted from it, where it is known to be the same: by the forge that both came from. False when there is none. */
  share(key: string, shared: boolean): Promise<boolean>;
  /** Only where nothing is kept under it any more; false when it stays, or there is none. */
  remove(key: string): Promise<boolean>;
  /** Calls `hear` after each change that this process makes. */
  onChange(hear: () => void): void;
}

/** A repository that an organization may read. */
export interface VisibleRepository {
  key: string;
  name: string;
  full_name: string | null;
  own: boolean;
  shared: boolean;
}

/** The repositories that one organization may read: its own, and those that are shared. */
export interface TenantRepositories {
  /** By key. */
  visible(): Promise<VisibleRepository[]>;
}

/** The repositories of all organizations, over any engine. */
export const repositories: Aggregate<Repositories> = {
  calls: { claim: 'write', get: 'read', list: 'read', share: 'write', remove: 'write', onChange: 'unguarded' },
  open: openRepositories,
};

function openRepositories(database: Database): Repositories {
  const owned = database
    .selectFrom('repository')
    .innerJoin('organization', 'organization.id', 'repository.organization_id')
    .select([
      'repository.key',
      'repository.organization_id',
      'organization.slug as organization_slug',
      'repository.name',
      'repository.full_name',
      'repository.shared',
      'repository.created_at',
    ]);
  const listeners: (() => void)[] = [];
  const changed = () => {
    for (const hear of listeners) hear();
  };
  return {
    onChange: (hear) => void listeners.push(hear),

    async claim(organizationId, name, fullName) {
      const known = database
        .selectFrom('repository')
        .select(['key', 'full_name'])
        .where('organization_id', '=', organizationId)
        .where('name', '=', name);
      const held = await known.executeTakeFirst();
      if (held) {
        if (fullName !== undefined && held.full_name !== fullName) {
          await database.updateTable('repository').set({ full_name: fullName }).where('key', '=', held.key).execute();
          changed();
        }
        return held.key;
      }
      const { slug } = await database
        .selectFrom('organization')
        .select('slug')
        .where('id', '=', organizationId)
        .executeTakeFirstOrThrow();
      const full = keyOf(slug, name);
      for (const key of slug === 'default' ? [name, full] : [full]) {
        await database
          .insertInto('repository')
          .values({ key, organization_id: organizationId, name, full_name: fullName ?? null })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const made = await known.executeTakeFirst();
        if (made) {
          changed();
          return made.key;
        }
      }
      throw new Error(`Another organization has ${full} already: name this repository otherwise.`);
    },

    get: async (key) => (await owned.where('repository.key', '=', key).executeTakeFirst()) ?? null,

    list: () => owned.orderBy('repository.key').execute(),

    async share(key, shared) {
      const { numUpdatedRows } = await database
        .updateTable('repository')
        .set({ shared })
        .where(({ or, and, eb, selectFrom }) => {
          const of = selectFrom('repository as shared_one').where('shared_one.key', '=', key);
          return or([
            eb('key', '=', key),
            and([
              eb('organization_id', '=', of.select('organization_id')),
              eb('name', '=', of.select('full_name')),
              eb('name', 'not like', 'local/%'),
            ]),
          ]);
        })
        .executeTakeFirst();
      changed();
      return numUpdatedRows > 0n;
    },

    async remove(key) {
      const { numDeletedRows } = await database
        .deleteFrom('repository')
        .where('key', '=', key)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('snapshot').select('repository').where('repository', '=', key))),
        )
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('pipeline_run').select('id').where('repository', '=', key))),
        )
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('task_instance').select('repo').where('repo', '=', key))),
        )
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('mint_run').select('repo').where('repo', '=', key))),
        )
        .executeTakeFirst();
      changed();
      return numDeletedRows > 0n;
    },
  };
}

/** Those that one organization may read, over any engine. */
export function tenantRepositories(database: Database, organizationId: string): TenantRepositories {
  return {
    visible: () =>
      database
        .selectFrom('repository')
        .select(['key', 'name', 'full_name', 'shared'])
        .select((select) => select('organization_id', '=', organizationId).$castTo<boolean>().as('own'))
        .where(isVisible(organizationId))
        .orderBy('key')
        .execute(),
  };
}

/** The keys of those that one organization may read. */
export const visibleKeys = (database: Database, organizationId: string) =>
  database.selectFrom('repository').select('key').where(isVisible(organizationId));

const isVisible =
  (organizationId: string) =>
  ({ or, eb }: ExpressionBuilder<Schema, 'repository'>) =>
    or([eb('organization_id', '=', organizationId), eb('shared', '=', true)]);
