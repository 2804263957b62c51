import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { tenantAggregates } from './aggregates/index.ts';
import type { TenantAggregates } from './aggregates/index.ts';
import type { Database } from './database.ts';
import type { Tenant } from './port.ts';

interface Running {
  tenant: Tenant;
  transaction: Database;
}

/** What waits for a commit. */
type AfterCommit = (() => void)[];

/** The transactions that see one organization's rows and no other's: by their queries, and by row-level security. */
export function tenants(database: Database) {
  const running = new AsyncLocalStorage<Running>();

  /** Does the work in one transaction; work inside work of the same organization is part of its transaction. */
  async function inTransaction<T>(organizationId: string, work: (running: Running) => Promise<T>): Promise<T> {
    const outer = running.getStore();
    if (outer?.tenant.organizationId === organizationId) return work(outer);
    // On an engine with one connection it would wait for itself.
    if (outer) throw new Error('A transaction of one organization can’t hold one of another.');
    const afterCommit: AfterCommit = [];
    const result = await database.transaction().execute(async (transaction) => {
      await sql`SELECT set_config('role', 'ris_app', true), set_config('app.organization_id', ${organizationId}, true)`.execute(
        transaction,
      );
      const entered = { tenant: tenantOf(transaction, organizationId, afterCommit), transaction };
      return running.run(entered, () => work(entered));
    });
    for (const work of afterCommit) work();
    return result;
  }

  return {
    inTransaction,
    tenant: <T>(organizationId: string, work: (tenant: Tenant) => Promise<T>): Promise<T> =>
      inTransaction(organizationId, ({ tenant }) => work(tenant)),
  };
}

function tenantOf(transaction: Database, organizationId: string, afterCommit: AfterCommit): Tenant {
  const opened = Object.entries(tenantAggregates).map(([name, open]) => [name, open(transaction, organizationId)]);
  return {
    ...(Object.fromEntries(opened) as TenantAggregates),
    organizationId,
    afterCommit: (work) => void afterCommit.push(work),
  };
}
