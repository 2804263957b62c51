import { z } from 'zod';
import { HttpError } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { metricCatalog, metricIdSchema, metricReasonSchema, metricSchema } from '../model/due-diligence.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import type { AssessmentsOf } from './assessments.ts';
import { noData } from './no-data.ts';
import { reasonWords, titleOf } from './report-words.ts';
import { percentileRank } from './population/ranks.ts';
import { gradeOf } from './score.ts';
import type { FactorDefinition } from './factors/factor.ts';
import { factorCatalog } from './factors/index.ts';
import { dimensions, modelVersion, riskWeights } from './scoring-model.ts';
import {
  asOfQuery,
  factorOf,
  factorSchema,
  gradeSchema,
  pageOfRepositories,
  repositoriesPageQuery,
  repositoriesPageShape,
  repositoryFields,
  repositoryOf,
  runFields,
  runOf,
} from './wire.ts';

const factorNotFound: Problem = {
  status: 404,
  code: 'factor_not_found',
  title: 'There is no such factor',
  meaning: 'No factor has this id. GET /api/dd/factors lists them all.',
};

const definitionSchema = z
  .object({
    ...factorSchema.pick({
      factor_id: true,
      dimension: true,
      title: true,
      risk: true,
      weight: true,
      recommendation: true,
    }).shape,
    inputs: z.array(z.string()).meta({ description: 'Ids of metrics.' }),
    points: z
      .array(z.object({ value: z.number(), score: z.number() }))
      .nullable()
      .meta({ description: 'Linear in between, level beyond; null for a factor with a formula of its own.' }),
    sources: z.string(),
  })
  .meta({ id: 'FactorDefinition' });

const catalogSchema = z
  .object({
    dimensions: z.array(z.object({ id: z.string(), title: z.string(), weight: z.number() })),
    factors: z.array(definitionSchema),
    metrics: z
      .array(
        z.object({
          id: metricIdSchema,
          name: z.string(),
          group: z.string(),
          ...metricSchema.pick({ unit: true, direction: true }).shape,
        }),
      )
      .meta({ description: `The ${metricCatalog.length} metrics, in the order of every matrix.` }),
    reasons: z
      .array(z.object({ reason: metricReasonSchema, meaning: z.string() }))
      .meta({ description: 'Why a metric has no value, in words.' }),
    model_version: z.string(),
  })
  .meta({ id: 'FactorCatalog' });

/** What `GET /api/dd/factors` answers. */
export type FactorCatalog = z.infer<typeof catalogSchema>;

const shared = { method: 'GET', access: 'tenant', product: 'dd-factors', credits: 1 } as const;

/** `GET /api/dd/factors`, `/api/dd/factors/{factor_id}` and `/api/dd/repos/{repo}/factors`. */
export function factorRoutes(assessmentsOf: AssessmentsOf): Route[] {
  return [
    route({
      ...shared,
      path: '/api/dd/factors',
      operation_id: 'list_factors',
      summary: 'Catalog of the score dimensions, factors and metrics',
      response: catalogSchema,
      handle: () => ({
        dimensions: dimensions.map(({ id, weight }) => ({ id, title: titleOf(id), weight })),
        factors: factorCatalog.map(definitionOf),
        metrics: metricCatalog.map((metric) => ({ ...metric, group: titleOf(metric.group) })),
        reasons: metricReasonSchema.options.map((reason) => ({ reason, meaning: reasonWords[reason] })),
        model_version: modelVersion,
      }),
    }),
    route({
      ...shared,
      path: '/api/dd/factors/{factor_id}',
      operation_id: 'get_factor',
      summary: 'One factor over the portfolio',
      params: { factor_id: z.string().meta({ description: 'Id of a factor.', examples: ['maint.duplication'] }) },
      query: { ...asOfQuery, ...repositoriesPageQuery(1_000) },
      errors: [factorNotFound],
      response: z.object({
        ...definitionSchema.shape,
        repositories: z.array(
          z.object({
            ...repositoryFields,
            ...factorSchema.pick({ score: true, grade: true, status: true, reason: true, inputs: true, hours: true })
              .shape,
            percentile: z.number().nullable().meta({
              description:
                'Share of the portfolio that scores worse, and half of those that are equal; null below five repositories.',
            }),
            evidence_count: z.int(),
          }),
        ),
        ...repositoriesPageShape,
        distribution: z.array(z.object({ grade: gradeSchema, repositories: z.int() })),
      }),
      handle: async ({ caller, params, query }) => {
        const assessments = await assessmentsOf(caller);
        const definition = factorCatalog.find(({ id }) => id === params.factor_id);
        if (!definition)
          throw new HttpError(factorNotFound, { detail: `There is no factor ${JSON.stringify(params.factor_id)}.` });
        const { repositories } = await assessments.portfolio(query.as_of);
        const own = repositories.flatMap(({ run, assessment }) =>
          assessment.factors
            .filter((factor) => factor.definition.id === definition.id)
            .map((factor) => ({ run, assessment, shown: factorOf(factor, assessment) })),
        );
        const scores = own
          .flatMap(({ shown }) => (shown.score === null ? [] : [shown.score]))
          .toSorted((a, b) => a - b);
        const percentile = (score: number | null) =>
          score === null || scores.length < 5 ? null : percentileRank(score, scores);
        const { repositories: shownOnes, ...page } = pageOfRepositories(own, query);
        return {
          ...definitionOf(definition),
          ...page,
          repositories: shownOnes.map(({ run, assessment, shown }) => ({
            ...repositoryOf(run),
            score: shown.score,
            grade: shown.grade,
            status: shown.status,
            reason: shown.reason,
            inputs: shown.inputs,
            hours: shown.hours,
            percentile: percentile(shown.score),
            evidence_count: assessment.matrix
              .filter(({ id }) => definition.inputs.some((input) => input === id))
              .reduce((sum, metric) => sum + metric.evidence_count, 0),
          })),
          distribution: [...Map.groupBy(own, ({ shown }) => (shown.score === null ? null : gradeOf(shown.score)))]
            .map(([grade, all]) => ({ grade, repositories: all.length }))
            .toSorted((a, b) => (String(a.grade) < String(b.grade) ? -1 : 1)),
        };
      },
    }),
    route({
      ...shared,
      path: '/api/dd/repos/{repo}/factors',
      operation_id: 'list_repository_factors',
      summary: 'All factors of one repository, from its latest pipeline run',
      params: { repo: z.string().meta({ description: 'Name of a repository.' }) },
      query: asOfQuery,
      errors: [repositoryNotFound],
      response: z.object({
        ...repositoryFields,
        ...runFields,
        factors: z.array(factorSchema),
        model_version: z.string(),
      }),
      handle: async ({ caller, params, query }) => {
        const assessments = await assessmentsOf(caller);
        const found = await assessments.repository(params.repo, query.as_of);
        if (!found) throw noData(params.repo);
        return {
          ...repositoryOf(found.run),
          ...runOf(found.run),
          factors: found.assessment.factors.map((factor) => factorOf(factor, found.assessment)),
          model_version: modelVersion,
        };
      },
    }),
  ];
}

function definitionOf(definition: FactorDefinition): z.input<typeof definitionSchema> {
  return {
    factor_id: definition.id,
    dimension: definition.dimension,
    title: definition.title,
    risk: definition.risk,
    weight: riskWeights[definition.risk],
    inputs: [...definition.inputs],
    points: definition.points?.map(([value, score]) => ({ value, score })) ?? null,
    sources: definition.sources,
    recommendation: definition.recommendation,
  };
}
