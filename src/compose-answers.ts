import { benchmarkRoutes } from './benchmark/routes.ts';
import { measureByJobs } from './changes/measure.ts';
import { changeRoutes } from './changes/routes.ts';
import type { Config } from './config.ts';
import { createAssessments } from './due-diligence/assessments.ts';
import { openPopulation } from './due-diligence/population/population.ts';
import { dueDiligenceRoutes } from './due-diligence/routes.ts';
import { graphRoutes } from './graph/routes.ts';
import { askRoutes } from './http/ask-routes.ts';
import { HttpError } from './http/errors.ts';
import { problems } from './http/problems.ts';
import { noLimits } from './model/account.ts';
import type { Organization } from './model/account.ts';
import { currentPlan } from './model/plans.ts';
import { repositoryRoutes } from './repositories/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { textSearchRoute } from './search/text-routes.ts';
import { sourceRoutes } from './source/routes.ts';
import { isDiskFull, ProjectionIncomplete, StoreBusy, StoreUnavailable } from './stores/errors.ts';
import type { Stores } from './stores/open.ts';
import { createViews } from './tenancy/view.ts';
import { createVisible, seenInPlace } from './tenancy/visible.ts';
import type { InPlace } from './tenancy/visible.ts';

export type DiligenceSettings = Pick<Config, 'remediationRate'> & Partial<Pick<Config, 'referencePopulation'>>;

/** What the products answer, each as the organization of its caller sees it. */
export function productsOf(
  stores: Stores,
  { remediationRate: rate, referencePopulation }: DiligenceSettings,
  analyzer: string,
  jobs: Parameters<typeof measureByJobs>[0]['jobs'] = stores.relational.jobs,
  inPlace: InPlace | null = null,
) {
  const visible = createVisible(stores.relational);
  const viewOf =
    inPlace === null
      ? createViews(stores, visible)
      : createViews(stores, seenInPlace(visible, inPlace), stores.relational);
  const assessmentsOf = createAssessments(viewOf, { rate, population: openPopulation(referencePopulation) });
  const productRoutes = [
    ...dueDiligenceRoutes(assessmentsOf),
    ...graphRoutes(viewOf),
    ...searchRoutes(viewOf),
    textSearchRoute(viewOf),
    ...sourceRoutes(viewOf),
    ...benchmarkRoutes(viewOf),
    ...repositoryRoutes(viewOf),
    ...changeRoutes(viewOf, measureByJobs({ analyzer, jobs, tenant: stores.relational.tenant })),
  ];
  return { viewOf, assessmentsOf, productRoutes };
}

/** The products' own answers, for whoever runs the service: in the process that has the stores, without a key. */
export function composeAnswers(
  stores: Stores,
  config: DiligenceSettings,
  {
    analyzer,
    jobs,
    inPlace = null,
  }: Omit<Parameters<typeof measureByJobs>[0], 'tenant'> & { inPlace?: InPlace | null },
) {
  const ask = askRoutes(productsOf(stores, config, analyzer, jobs, inPlace).productRoutes, {
    explain: storesUnavailable,
    docsBase: '/docs',
  });
  return (path: string, organization: Organization, body?: unknown) =>
    ask(path, { ...noLimits, organization, ...nobody }, body);
}

/** Of what needs no key. */
const nobody = {
  plan: currentPlan.id,
  member: { id: '', name: 'operator', role: 'owner' },
  api_key: { id: '', prefix: '', expires_at: null, environment: 'test' },
} as const;

/**
 * A full disk is a 507. A store that can't be reached is a 503 of the routes that need it; the others go on. One that is busy is soon
 * free again.
 */
export function storesUnavailable(error: unknown): HttpError | null {
  if (isDiskFull(error))
    return new HttpError(problems.insufficient_storage, { headers: { 'Retry-After': '60' }, cause: error });
  if (error instanceof StoreBusy)
    return new HttpError(problems.overloaded, { headers: { 'Retry-After': '1' }, cause: error });
  if (error instanceof ProjectionIncomplete)
    return new HttpError(problems.dependency_unavailable, {
      detail: error.message,
      headers: { 'Retry-After': '5' },
      members: { dependency: error.store },
    });
  if (!(error instanceof StoreUnavailable)) return null;
  return new HttpError(problems.dependency_unavailable, {
    headers: { 'Retry-After': error.store === 'relational' ? '5' : '10' },
    members: { dependency: error.store },
    cause: error,
  });
}
