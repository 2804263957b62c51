import type { TenantAggregate } from '../aggregate.ts';
import { accounts } from './accounts.ts';
import { apiKeys } from './api-keys.ts';
import { auditLog } from './audit-log.ts';
import { badges, openBadges } from './badges.ts';
import { checkoutSessions, openCheckouts } from './checkout-sessions.ts';
import { cliSessions } from './cli-sessions.ts';
import { tenantEvaluationAttempts } from './evaluation-attempts.ts';
import { tenantEvaluationOutcomes } from './evaluation-outcomes.ts';
import { evaluationRuns, tenantEvaluationRuns } from './evaluation-runs.ts';
import { events } from './events.ts';
import { keyPlaces } from './key-places.ts';
import { changeResults, measuredChanges } from './measured-changes.ts';
import { members } from './members.ts';
import { mintRuns, tenantMintRuns } from './mint-runs.ts';
import { organizationSettings } from './organization-settings.ts';
import { openPairings, pairings } from './pairings.ts';
import { pipelineRuns, tenantPipelineRuns } from './pipeline-runs.ts';
import { organizationPlan } from './plans.ts';
import { reportQueue, reports } from './reports.ts';
import { repositories, tenantRepositories } from './repositories.ts';
import { savedViews } from './saved-views.ts';
import { snapshots, tenantSnapshots } from './snapshots.ts';
import { sources, sourceSchedule } from './sources.ts';
import { taskInstances, tenantTaskInstances } from './task-instances.ts';
import { tenantUsage, usage } from './usage.ts';
import { usageEvents } from './usage-events.ts';
import { visits } from './visits.ts';
import { waitlists } from './waitlists.ts';
import { webhookDeliveries, webhookOutbox } from './webhook-deliveries.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';
import { billingEvents, billingRecords, webhookInbox } from './webhook-inbox.ts';

/** What the store keeps of all organizations, by its name in `RelationalStore`. */
export const aggregates = {
  accounts,
  badges: openBadges,
  changes: changeResults,
  checkouts: openCheckouts,
  evaluationRuns,
  keyPlaces,
  mintRuns,
  pairings: openPairings,
  reports: reportQueue,
  repositories,
  runs: pipelineRuns,
  snapshots,
  sourceSchedule,
  taskInstances,
  usage,
  waitlists,
  webhookOutbox,
  webhooks: webhookInbox,
};

/** What it keeps of one organization, by its name in `Tenant`. */
export const tenantAggregates = {
  apiKeys,
  audit: auditLog,
  badges,
  billingEvents,
  billingRecords,
  changes: measuredChanges,
  checkoutSessions,
  cliSessions,
  evaluationAttempts: tenantEvaluationAttempts,
  evaluationOutcomes: tenantEvaluationOutcomes,
  evaluationRuns: tenantEvaluationRuns,
  events,
  members,
  mintRuns: tenantMintRuns,
  pairings,
  plan: organizationPlan,
  reports,
  repositories: tenantRepositories,
  runs: tenantPipelineRuns,
  savedViews,
  settings: organizationSettings,
  snapshots: tenantSnapshots,
  sources,
  taskInstances: tenantTaskInstances,
  usage: tenantUsage,
  usageEvents,
  visits,
  webhookDeliveries,
  webhookEndpoints,
} satisfies Record<string, TenantAggregate<unknown>>;

export type Aggregates = {
  readonly [Name in keyof typeof aggregates]: ReturnType<(typeof aggregates)[Name]['open']>;
};

export type TenantAggregates = {
  readonly [Name in keyof typeof tenantAggregates]: ReturnType<(typeof tenantAggregates)[Name]>;
};

export type * from './accounts.ts';
export type * from './api-keys.ts';
export type * from './audit-log.ts';
export type * from './badges.ts';
export type * from './checkout-sessions.ts';
export type * from './cli-sessions.ts';
export type * from './evaluation-attempts.ts';
export type * from './evaluation-outcomes.ts';
export type * from './evaluation-runs.ts';
export type * from './events.ts';
export type * from './key-places.ts';
export type * from './measured-changes.ts';
export type * from './members.ts';
export type * from './mint-runs.ts';
export type * from './organization-settings.ts';
export type * from './pairings.ts';
export type * from './pipeline-runs.ts';
export type * from './reports.ts';
export type * from './repositories.ts';
export type * from './saved-views.ts';
export type * from './snapshots.ts';
export type * from './sources.ts';
export type * from './task-instances.ts';
export type * from './usage.ts';
export type * from './usage-events.ts';
export type * from './visits.ts';
export type * from './waitlists.ts';
export type * from './webhook-deliveries.ts';
export type * from './webhook-endpoints.ts';
export type * from './webhook-inbox.ts';
