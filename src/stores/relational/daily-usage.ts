import type { DailyUsage } from '../../model/report.ts';
import type { Database } from './database.ts';

/** One organization's calls in one month (`YYYY-MM`, UTC), by day, product, operation and class. */
export function dailyUsage(database: Database, organizationId: string, period: string): Promise<DailyUsage[]> {
  return database
    .selectFrom('usage_rollup')
    .select(['day', 'product', 'operation', 'class', 'calls', 'credits'])
    .where('organization_id', '=', organizationId)
    .where('period', '=', `${period}-01`)
    .orderBy('day')
    .orderBy('product')
    .orderBy('operation')
    .orderBy('class')
    .execute();
}
