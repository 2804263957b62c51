import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { apiKeys } from './api-keys.ts';
import { auditLog } from './audit-log.ts';
import { checkoutSessions } from './checkout-sessions.ts';
import { cliSessions } from './cli-sessions.ts';
import type { Database } from './database.ts';
import { members } from './members.ts';
import { pairings } from './pairings.ts';
import type { Tenant } from './port.ts';
import { reports } from './reports.ts';
import { usageEvents } from './usage-events.ts';
import { tenantUsage } from './usage.ts';
import { billingRecords } from './webhook-inbox.ts';

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
  return {
    organizationId,
    members: members(transaction, organizationId),
    apiKeys: apiKeys(transaction, organizationId),
    audit: auditLog(transaction, organizationId),
    usage: tenantUsage(transaction, organizationId),
    usageEvents: usageEvents(transaction, organizationId),
    pairings: pairings(transaction, organizationId),
    cliSessions: cliSessions(transaction, organizationId),
    checkoutSessions: checkoutSessions(transaction, organizationId),
    billingRecords: billingRecords(transaction, organizationId),
    reports: reports(transaction, organizationId),
    afterCommit: (work) => void afterCommit.push(work),
  };
}
