import { daysOf } from '../model/usage.ts';
import type { EphemeralStore } from '../stores/ephemeral/port.ts';
import type { RelationalStore } from '../stores/relational/port.ts';
import type { ReportSources } from './report-type.ts';

/** Reads the ledger once every call is in it that was answered before, and the organization's own events. */
export function ledgerUsage(
  ephemeral: Pick<EphemeralStore, 'settle'>,
  tenant: RelationalStore['tenant'],
): ReportSources['usage'] {
  return async (organizationId, period) => {
    await ephemeral.settle();
    return tenant(organizationId, async ({ usage }) => ({
      calls: await usage.calls(daysOf(period), ['day', 'product', 'operation']),
      events: await usage.events(daysOf(period), ['day']),
    }));
  };
}
