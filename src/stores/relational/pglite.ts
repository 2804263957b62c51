import { Pool } from 'pg';
import { oneAtATimeByName } from '../batches.ts';
import { StoreUnavailable } from '../errors.ts';
import { accounts } from './accounts.ts';
import { backlog } from './backlog.ts';
import { openCheckouts } from './checkout-sessions.ts';
import { clock } from './clock.ts';
import { columnTypes, openDatabase } from './database.ts';
import { evaluationRuns } from './evaluation-runs.ts';
import { idempotency } from './idempotency.ts';
import { migrate } from './migrate.ts';
import { mintRuns } from './mint-runs.ts';
import { openPairings } from './pairings.ts';
import { PgliteConnection } from './pglite-connection.ts';
import { pipelineRuns } from './pipeline-runs.ts';
import type { RelationalStore } from './port.ts';
import { purge } from './purge.ts';
import { reportQueue } from './reports.ts';
import { removeUnfinishedSnapshots, snapshots } from './snapshots.ts';
import { taskInstances } from './task-instances.ts';
import { tenants } from './tenants.ts';
import { usage } from './usage.ts';
import { webhookInbox } from './webhook-inbox.ts';

/** PostgreSQL in this process, on a folder that nobody else has open (see lockDataFolder). */
export async function openPglite({ folder }: { folder: string }): Promise<RelationalStore> {
  let exited: Promise<void> = Promise.resolve();
  const pool = new Pool({
    // One connection, kept for good: PGlite has no more, and transactions take turns by it. One that broke is opened again.
    max: 1,
    idleTimeoutMillis: 0,
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
    types: columnTypes,
    stream: () => {
      const connection = new PgliteConnection(folder, exited);
      exited = connection.exited;
      return connection;
    },
  });
  const database = openDatabase(pool);
  const close = async () => {
    await database.destroy();
    await exited;
  };
  try {
    await migrate(database);
    await removeUnfinishedSnapshots(database);
  } catch (error) {
    await close();
    // There is no server that could be away: what is wrong is the folder, and the person who starts us can mend that.
    const cause = error instanceof StoreUnavailable ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The database in ${folder} can't be opened: ${reason}`, { cause: error });
  }
  const ofTenants = tenants(database);
  return {
    engine: 'pglite',
    accounts: accounts(database),
    checkouts: openCheckouts(database),
    webhooks: webhookInbox(database),
    snapshots: snapshots(database),
    runs: pipelineRuns(database),
    taskInstances: taskInstances(database),
    mintRuns: mintRuns(database),
    evaluationRuns: evaluationRuns(database),
    usage: usage(database),
    idempotency: { once: idempotency(ofTenants) },
    pairings: openPairings(database),
    reports: reportQueue(database),
    tenant: ofTenants.tenant,
    purge: () => purge(database),
    backlog: () => backlog(database),
    // There is no other process.
    exclusively: oneAtATimeByName(),
    ping: () => clock(database),
    close,
  };
}
