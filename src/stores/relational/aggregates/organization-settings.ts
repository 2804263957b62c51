import type { OrganizationSettings, SettingsChange } from '../../../model/account.ts';
import type { Database } from '../database.ts';

/** What one organization has decided for itself. */
export interface Settings {
  get(): Promise<OrganizationSettings>;
  set(change: SettingsChange): Promise<void>;
}

/** One organization's settings over any engine. */
export function organizationSettings(database: Database, organizationId: string): Settings {
  return {
    get: () =>
      database
        .selectFrom('organization')
        .select(['id', 'slug', 'name', 'created_at', 'checkout_hosts', 'default_role', 'default_key_days'])
        .where('id', '=', organizationId)
        .executeTakeFirstOrThrow(),

    async set(change) {
      if (Object.keys(change).length === 0) return;
      await database.updateTable('organization').set(change).where('id', '=', organizationId).execute();
    },
  };
}
