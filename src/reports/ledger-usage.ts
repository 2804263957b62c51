import { setTimeout as sleep } from 'node:timers/promises';
import type { EphemeralStore } from '../stores/ephemeral/port.ts';
import type { RelationalStore } from '../stores/relational/port.ts';
import type { ReportSources } from './report-type.ts';

/** The ledger takes what the meters have counted within a second or so; it is waited for no longer than this. */
const patienceMs = 5_000;

/** Reads the ledger once every call is in it that was answered before. */
export function ledgerUsage(
  ephemeral: Pick<EphemeralStore, 'usage'>,
  tenant: RelationalStore['tenant'],
): ReportSources['usage'] {
  return async (organizationId, period) => {
    const sum = (rows: readonly { calls: number }[]) => rows.reduce((total, { calls }) => total + calls, 0);
    const counted = sum((await ephemeral.usage(organizationId, period)).rows);
    for (const end = performance.now() + patienceMs; ; await sleep(200)) {
      const rows = await tenant(organizationId, ({ dailyUsage }) => dailyUsage(period));
      if (sum(rows) >= counted || performance.now() > end) return rows;
    }
  };
}
