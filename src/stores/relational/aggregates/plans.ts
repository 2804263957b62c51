import { sql } from 'kysely';
import { currentPlan, planOf } from '../../../model/plans.ts';
import type { Plan } from '../../../model/plans.ts';
import type { Database } from '../database.ts';
import { tell } from './events.ts';

/** The plan of one organization, over any engine. */
export const organizationPlan =
  (database: Database, organizationId: string): (() => Promise<Plan>) =>
  async () =>
    (await plansOf(database, [organizationId])).get(organizationId) ?? currentPlan;

/**
 * Of these organizations those that are on a plan that they checked out: the last one that was completed and whose subscription has not
 * ended.
 */
export async function plansOf(database: Database, organizationIds: readonly string[]): Promise<Map<string, Plan>> {
  const rows = await database
    .selectFrom('checkout_session as session')
    .distinctOn('session.organization_id')
    .select(['session.organization_id', 'session.plan_id'])
    .where('session.organization_id', 'in', [...organizationIds])
    .where('session.status', '=', 'complete')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('billing_record as record')
            .select('record.id')
            .whereRef('record.organization_id', '=', 'session.organization_id')
            .whereRef('record.checkout_session_id', '=', 'session.id')
            .where('record.kind', '=', 'subscription')
            .where('record.status', 'in', ['canceled', 'unpaid', 'incomplete_expired']),
        ),
      ),
    )
    .orderBy('session.organization_id')
    .orderBy('session.completed_at', 'desc')
    .orderBy('session.id', 'desc')
    .execute();
  return new Map(rows.map(({ organization_id: id, plan_id: plan }) => [id, planOf(plan)]));
}

/** Does what may change the plan of an organization, in this transaction, which tells it where it has. */
export async function tellingPlan(
  transaction: Database,
  organizationId: string,
  change: () => Promise<void>,
): Promise<void> {
  // One after the other, so that each says from what to what.
  await transaction.selectFrom('organization').select('id').where('id', '=', organizationId).forUpdate().execute();
  const plan = organizationPlan(transaction, organizationId);
  const { id: from } = await plan();
  await change();
  const { id: to } = await plan();
  if (from !== to) await tell(transaction, { organizationId, type: 'plan.changed', subject: to, data: { from, to } });
}

/** These shares of the included credits are told. */
const toldPercents = [80, 100];

/** Tells these organizations of the credits that they have used of their plan in these months, where that is much and not told yet. */
export async function tellQuotas(
  transaction: Database,
  organizationIds: readonly string[],
  periods: readonly string[],
): Promise<void> {
  const plans = await plansOf(transaction, organizationIds);
  const limited = [...plans].filter(([, plan]) => plan.included_credits !== null).map(([id]) => id);
  if (limited.length === 0) return;
  const used = await transaction
    .selectFrom('usage_rollup')
    .select((select) => ['organization_id', 'period', sql<number>`sum(${select.ref('credits')})::bigint`.as('credits')])
    .where('organization_id', 'in', limited)
    .where('period', 'in', [...periods])
    .groupBy(['organization_id', 'period'])
    .orderBy('organization_id')
    .orderBy('period')
    .execute();
  for (const { organization_id: organizationId, period, credits } of used) {
    const plan = plans.get(organizationId);
    const included = plan?.included_credits ?? null;
    if (plan === undefined || included === null) continue;
    for (const percent of toldPercents.filter((each) => credits * 100 >= each * included)) {
      const { numInsertedOrUpdatedRows: isNew = 0n } = await transaction
        .insertInto('quota_notice')
        .values({ organization_id: organizationId, period, plan_id: plan.id, percent })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (isNew === 0n) continue;
      const month = period.slice(0, 7);
      const data = { period: month, plan_id: plan.id, percent, credits_used: credits, included_credits: included };
      await tell(transaction, { organizationId, type: 'quota.near', subject: month, data });
    }
  }
}
