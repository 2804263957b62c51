import { z } from 'zod';
import type { DailyUsage } from '../../model/report.ts';
import type { Section } from '../document.ts';
import { reportType } from '../report-type.ts';

const columns = {
  calls: 'Calls',
  successful_calls: 'Successful',
  not_modified_calls: 'Not modified',
  client_error_calls: 'Client errors',
  server_error_calls: 'Server errors',
  credits: 'Credits',
};

/** Every metered call and every event of one organization in one month, from the ledger. */
export const usageStatement = reportType({
  id: 'usage_statement',
  name: 'Usage statement',
  summary: 'Calls and credits of your organization in one month, by product, operation and day.',
  parameters: z.strictObject({
    period: z
      .string()
      .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
      .meta({ description: 'YYYY-MM, UTC.', examples: ['2026-11'] }),
  }),
  sources: ['usage'],
  async build({ parameters: { period }, organizationId, sources }) {
    const { calls, events } = await sources.usage(organizationId, period);
    const statement = {
      organization_id: organizationId,
      period,
      ...sums(calls),
      usage_events: events.reduce((sum, { events }) => sum + events, 0),
      charged_cents: 0,
      currency: 'USD',
    };
    return {
      title: `Usage statement, ${period}`,
      sections: {
        statement: {
          title: 'Statement',
          notes: ['Billing is in shadow mode: credits are counted and nothing is charged.'],
          facts: true,
          columns: {
            organization_id: 'Organization',
            period: 'Month (UTC)',
            ...columns,
            usage_events: 'Usage events',
            charged_cents: 'Charged, in cents',
            currency: 'Currency',
          },
          rows: [statement],
        },
        products: grouped('By product', { product: 'Product' }, calls),
        operations: grouped('By operation', { product: 'Product', operation: 'Operation' }, calls),
        days: grouped('By day (UTC)', { day: 'Day' }, calls),
        usage_events: {
          title: 'Usage events by day (UTC)',
          notes: ['Events that your organization sent about its own work, by the day they were received.'],
          columns: { day: 'Day', usage_events: 'Usage events' },
          rows: events.map(({ day, events }) => ({ day, usage_events: events })),
        },
      },
    };
  },
});

/** The sums of the rows that are equal in these columns, in the order of those. */
function grouped(
  title: string,
  by: Partial<Record<'day' | 'product' | 'operation', string>>,
  rows: readonly DailyUsage[],
): Section {
  const keys = (['day', 'product', 'operation'] as const).filter((key) => key in by);
  const groups = Map.groupBy(rows, (row) => keys.map((key) => row[key]).join('\n'));
  return {
    title,
    columns: { ...by, ...columns },
    rows: [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, members]) => ({
        ...Object.fromEntries(keys.map((key) => [key, members[0]?.[key] ?? null])),
        ...sums(members),
      })),
  };
}

function sums(rows: readonly DailyUsage[]): Record<keyof typeof columns, number> {
  const calls = (counted?: DailyUsage['class']) =>
    rows.reduce((sum, row) => (counted === undefined || row.class === counted ? sum + row.calls : sum), 0);
  return {
    calls: calls(),
    successful_calls: calls('successful'),
    not_modified_calls: calls('not_modified'),
    client_error_calls: calls('client_error'),
    server_error_calls: calls('server_error'),
    credits: rows.reduce((sum, row) => sum + row.credits, 0),
  };
}
