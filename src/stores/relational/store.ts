import type { JobQueue } from '../jobs/port.ts';
import { aggregates } from './aggregates/index.ts';
import type { Aggregates } from './aggregates/index.ts';
import { backlog } from './backlog.ts';
import { clock } from './clock.ts';
import type { Database } from './database.ts';
import { idempotency } from './idempotency.ts';
import type { RelationalStore } from './port.ts';
import { purge } from './purge.ts';
import { tenants } from './tenants.ts';

/** The relational store over an open database: all that its engines have in common. */
export function createRelationalStore(
  database: Database,
  {
    close,
    openJobs,
    ...engine
  }: Pick<RelationalStore, 'engine' | 'exclusively' | 'close'> & { openJobs: () => Promise<JobQueue> },
): RelationalStore {
  const { tenant, inTransaction } = tenants(database);
  const opened = Object.entries(aggregates).map(([name, { open }]) => [name, open(database)] as const);
  let jobs: Promise<JobQueue> | undefined;
  return {
    ...(Object.fromEntries(opened) as unknown as Aggregates),
    idempotency: { once: idempotency(inTransaction) },
    tenant,
    purge: () => purge(database),
    backlog: () => backlog(database),
    ping: () => clock(database),
    jobs: () =>
      (jobs ??= openJobs().catch((error: unknown) => {
        jobs = undefined;
        throw error;
      })),
    async close() {
      const opened = await jobs?.catch(() => undefined);
      await opened?.stop({ drainMs: 0 });
      await close();
    },
    ...engine,
  };
}
