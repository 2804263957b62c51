import { z } from 'zod';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { list, text } from '../http/query.ts';
import { architectureSchema } from '../model/architecture.ts';
import { activitySchema, hotspotSchema, leftOutSchema, metricCatalog } from '../model/due-diligence.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import type { AssessedRepository, Assessments, AssessmentsOf } from './assessments.ts';
import { licencesSchema } from './licences.ts';
import { noData } from './no-data.ts';
import { peopleByComponent, peopleByComponentSchema, peopleNamed } from './people-by-component.ts';
import { trendPointSchema } from './trend.ts';
import {
  asOfField,
  asOfQuery,
  coverageOf,
  coverageSchema,
  detailsOf,
  dimensionSchema,
  dimensionsOf,
  factorSchema,
  matrixOf,
  packageOf,
  pageOfRepositories,
  rankedMetricSchema,
  rankFields,
  rankOf,
  remediationSchema,
  repositoriesPageQuery,
  repositoriesPageShape,
  repositoryFields,
  repositoryOf,
  runFields,
  runOf,
  scoreFields,
  scoreOf,
} from './wire.ts';

const matrixSchema = z.array(rankedMetricSchema).length(metricCatalog.length);
const packageFields = {
  ...scoreFields,
  ...rankFields,
  as_of: asOfField,
  matrix: matrixSchema,
  dimensions: z.array(dimensionSchema),
  factors: z.array(factorSchema),
  remediation: remediationSchema,
  coverage: coverageSchema.meta({ description: `Of the ${metricCatalog.length} metrics.` }),
};
const repositorySchema = z
  .object({
    ...repositoryFields,
    ...runFields,
    ...packageFields,
    hotspots: z.array(hotspotSchema).nullable().meta({
      description:
        'Source files, production before tests, of each those with the most changes times complexity first: 200 at most. Null of a repository that was loaded before they were kept.',
    }),
    activity: activitySchema.nullable().meta({
      description:
        'Commits of people by the month, five years back from the commit; months in order and without gaps, and the commits of each of the busiest twenty in the same order. Null without a history, or as the hotspots are.',
    }),
    left_out: z.array(leftOutSchema).nullable().meta({
      description:
        'Source that no figure about code counts, by the rule that left it out, the most lines first. Secrets and insecure code are looked for in it all the same. Null of a repository that was loaded before it was kept.',
    }),
    licences: licencesSchema
      .nullable()
      .meta({ description: 'Null of a repository that was loaded before they were kept.' }),
    architecture: architectureSchema.nullable().meta({
      description:
        'What it is made of and how the parts depend on each other, beside the metrics. Null of a repository that was loaded before it was kept.',
    }),
    people_by_component: peopleByComponentSchema.nullable().meta({
      description:
        'Who knows each component, and what is orphaned without those whom `without` names. Null without a whole history, or as the architecture is.',
    }),
    trend: z.array(trendPointSchema).meta({
      description:
        'The first commit of each of its last quarters and the one that is loaded, the oldest first, each graded as of its own day. Empty of a repository that was loaded without `--trend`.',
    }),
  })
  .meta({ id: 'RepositoryPackage' });
/** What `GET /api/dd/deep/{repo}` answers. */
export type RepositoryPackage = z.infer<typeof repositorySchema>;

const portfolioSchema = z
  .object({
    repositories: z.array(
      z.object({
        ...repositoryFields,
        ...runFields,
        ...scoreFields,
        ...rankFields,
        matrix: matrixSchema.meta({ description: 'Without evidence: /api/dd/deep/{repo} has it.' }),
        dimensions: z.array(dimensionSchema),
        coverage: coverageSchema,
      }),
    ),
    ...repositoriesPageShape,
    portfolio: z.object(packageFields).omit({ factors: true }),
    pipeline_factors: z.array(factorSchema).meta({ description: 'Of the portfolio as a whole.' }),
  })
  .meta({ id: 'PortfolioPackage' });

const shared = { method: 'GET', access: 'tenant', product: 'dd-deep', query: asOfQuery } as const;

/** `GET /api/dd/deep` and `GET /api/dd/deep/{repo}`: the whole matrix with its evidence, and the factors made from it. */
export function deepRoutes(assessmentsOf: AssessmentsOf): Route[] {
  return [
    route({
      ...shared,
      path: '/api/dd/deep',
      operation_id: 'get_portfolio_package',
      summary: 'Deep-diligence package of the portfolio',
      description: `The ${metricCatalog.length} metrics of every repository and of all together: sums, ratios of sums, people counted once.`,
      credits: 5,
      query: { ...asOfQuery, ...repositoriesPageQuery(30) },
      response: portfolioSchema,
      handle: async ({ caller, query }) => {
        return answerPortfolioPackage(await assessmentsOf(caller), query);
      },
    }),
    route({
      ...shared,
      path: '/api/dd/deep/{repo}',
      operation_id: 'get_repository_package',
      summary: 'Deep-diligence package of one repository',
      credits: 2,
      query: {
        ...asOfQuery,
        without: list(text(1, 200))
          .optional()
          .meta({ description: 'Names or ids of people who are thought to leave: what becomes orphaned then.' }),
      },
      params: { repo: z.string().meta({ description: 'Name of a repository.' }) },
      errors: [repositoryNotFound],
      response: repositorySchema,
      handle: async ({ caller, params, query }) => {
        const answer = await answerRepositoryPackage(await assessmentsOf(caller), params.repo, query);
        if (!answer) throw noData(params.repo);
        return answer;
      },
    }),
  ];
}

/** What `GET /api/dd/deep` answers. */
export async function answerPortfolioPackage(
  assessments: Assessments,
  query: { page: number; page_size: number; as_of?: string | undefined },
): Promise<z.infer<typeof portfolioSchema>> {
  const { repositories, assessment } = await assessments.portfolio(query.as_of);
  const { factors, ...portfolio } = packageOf(assessment);
  const { repositories: shown, ...page } = pageOfRepositories(repositories, query);
  return { repositories: shown.map(withoutEvidence), ...page, portfolio, pipeline_factors: factors };
}

/** What `GET /api/dd/deep/{repo}` answers; null of a repository without a run. */
export async function answerRepositoryPackage(
  assessments: Assessments,
  repo: string,
  query: { as_of?: string | undefined; without?: string[] | undefined },
): Promise<RepositoryPackage | null> {
  const found = await assessments.repository(repo, query.as_of);
  if (!found) return null;
  const details = await assessments.details(found.run);
  const { people } = found.measurements;
  return {
    ...repositoryOf(found.run),
    ...runOf(found.run),
    ...packageOf(found.assessment),
    ...detailsOf(details),
    people_by_component: peopleByComponent(
      { ...details, people },
      query.without ? peopleNamed({ people }, query.without) : null,
    ),
    trend: details.trend,
  };
}

function withoutEvidence({ run, assessment }: AssessedRepository) {
  return {
    ...repositoryOf(run),
    ...runOf(run),
    ...scoreOf(assessment),
    ...rankOf(assessment),
    matrix: matrixOf(assessment).map((metric) => ({ ...metric, evidence: [] })),
    dimensions: dimensionsOf(assessment),
    coverage: coverageOf(assessment.matrix),
  };
}
