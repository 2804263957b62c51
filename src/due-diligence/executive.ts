import { z } from 'zod';
import { integer } from '../http/query.ts';
import { Reply, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { metricCatalog } from '../model/due-diligence.ts';
import type { MetricId } from '../model/due-diligence.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import { maxPoints } from './assessments.ts';
import type { AssessedPortfolio, AssessedRepository, Assessments, AssessmentsOf, PastScore } from './assessments.ts';
import { badge } from './badge.ts';
import { median } from '../model/median.ts';
import { insightFields } from './portfolio-insights.ts';
import { noData } from './no-data.ts';
import { tenth } from './score.ts';
import { grades } from './scoring-model.ts';
import { summaryFields, summaryOf } from './summary.ts';
import {
  asOfQuery,
  dimensionSchema,
  gradeSchema,
  pageOfRepositories,
  repositoriesPageQuery,
  repositoriesPageShape,
  repositoryFields,
  repositoryOf,
  runFields,
  runOf,
  scoreFields,
} from './wire.ts';

const trendSchema = z
  .array(z.object({ ...runFields, score: scoreFields.score, grade: gradeSchema }))
  .meta({ description: 'The last runs, the newest first.' });
const repositorySchema = z
  .object({ ...repositoryFields, ...runFields, ...summaryFields, trend: trendSchema })
  .meta({ id: 'RepositorySummary' });
const gradesOrNone = [...grades.map(({ grade }) => grade), 'none'] as const;
const metricValuesSchema = z
  .object(
    Object.fromEntries(
      metricCatalog.map(({ id, name, unit }) => [
        id,
        z
          .number()
          .nullable()
          .meta({ description: `${name}: ${unit}.` }),
      ]),
    ) as Record<MetricId, z.ZodNullable<z.ZodNumber>>,
  )
  .meta({ id: 'MetricValues' });
const portfolioSchema = z
  .object({
    ...summaryFields,
    ...insightFields,
    repositories: z.array(
      z.object({
        ...repositoryFields,
        ...runFields,
        score: scoreFields.score,
        grade: gradeSchema,
        confidence: scoreFields.confidence,
        loc_code: z.number().nullable(),
        dimensions: z.array(dimensionSchema.pick({ id: true, score: true, grade: true })),
        metrics: metricValuesSchema.meta({
          description: `Values of the ${metricCatalog.length} metrics; /api/dd/deep/{repo} says of a null why.`,
        }),
        trend: trendSchema,
        points: z
          .array(z.object({ committed_at: z.string(), score: scoreFields.score, grade: gradeSchema }))
          .max(maxPoints)
          .meta({
            description:
              'The last points of its history (`load --trend`), the oldest first; none where none were measured.',
          }),
      }),
    ),
    ...repositoriesPageShape,
    kpis: z.object({
      average: scoreFields.score.meta({ description: 'Weighted by lines of code.' }),
      hotspot: scoreFields.score.meta({
        description: 'Weighted by lines of code, over the quarter of the repositories that change most.',
      }),
      worst: z.object({ repo: z.string(), score: z.number() }).nullable(),
      median: scoreFields.score,
      p10: scoreFields.score,
      p90: scoreFields.score,
      // Generators of clients make names of their own of members such as `D`.
      grade_histogram: z.partialRecord(z.enum(gradesOrNone), z.int().min(0)),
    }),
  })
  .meta({ id: 'PortfolioSummary' });

/** What `GET /api/dd/executive` answers. */
export type PortfolioSummary = z.infer<typeof portfolioSchema>;
/** What `GET /api/dd/executive/{repo}` answers. */
export type RepositorySummary = z.infer<typeof repositorySchema>;

const shared = {
  method: 'GET',
  access: 'tenant',
  product: 'dd-executive',
  credits: 1,
  query: asOfQuery,
} as const;

/** `GET /api/dd/executive` and `GET /api/dd/executive/{repo}`: what somebody who decides must know. */
export function executiveRoutes(assessmentsOf: AssessmentsOf): Route[] {
  return [
    route({
      ...shared,
      path: '/api/dd/executive',
      operation_id: 'get_portfolio_summary',
      summary: 'Executive summary of the portfolio',
      description:
        'Score and grade of all repositories together, at most three key risks and strengths, and what it costs to put right.',
      query: {
        ...asOfQuery,
        ...repositoriesPageQuery(100),
        trend: integer(0, maxPoints)
          .default(0)
          .meta({ description: 'So many of the last runs of each repository, and of the last points of its history.' }),
      },
      response: portfolioSchema,
      handle: async ({ caller, query }) => {
        return answerPortfolioSummary(await assessmentsOf(caller), query);
      },
    }),
    route({
      ...shared,
      path: '/api/dd/executive/{repo}',
      operation_id: 'get_repository_summary',
      summary: 'Executive summary of one repository',
      params: { repo: z.string().meta({ description: 'Name of a repository.' }) },
      errors: [repositoryNotFound],
      response: repositorySchema,
      handle: async ({ caller, params, query }) => {
        const answer = await answerRepositorySummary(await assessmentsOf(caller), params.repo, query);
        if (!answer) throw noData(params.repo);
        return answer;
      },
    }),
    route({
      ...shared,
      path: '/api/dd/executive/{repo}/badge.svg',
      operation_id: 'get_repository_badge',
      summary: 'Grade of one repository as a picture',
      description: 'An SVG image of one line, for a page that shows the grade.',
      credits: 0,
      params: { repo: z.string().meta({ description: 'Name of a repository.' }) },
      errors: [repositoryNotFound],
      produces: 'image/svg+xml',
      response: z.string(),
      handle: async ({ caller, params, query }) => {
        const assessments = await assessmentsOf(caller);
        const found = await assessments.repository(params.repo, query.as_of);
        if (!found) throw noData(params.repo);
        return new Reply(Buffer.from(badge(found.assessment)), { type: 'image/svg+xml; charset=utf-8' });
      },
    }),
  ];
}

/** What `GET /api/dd/executive` answers. */
export async function answerPortfolioSummary(
  assessments: Assessments,
  query: { page: number; page_size: number; trend: number; as_of?: string | undefined },
): Promise<PortfolioSummary> {
  const trends = query.trend === 0 ? null : await assessments.trends({ last: query.trend, ...until(query) });
  return portfolioSummary(await assessments.portfolio(query.as_of), trends ?? new Map(), query);
}

/** What `GET /api/dd/executive/{repo}` answers; null of a repository without a run. */
export async function answerRepositorySummary(
  assessments: Assessments,
  repo: string,
  query: { as_of?: string | undefined },
): Promise<RepositorySummary | null> {
  const found = await assessments.repository(repo, query.as_of);
  if (!found) return null;
  const trends = await assessments.trends({ last: 10, repository: repo, ...until(query) });
  return {
    ...repositoryOf(found.run),
    ...runOf(found.run),
    ...summaryOf(found.assessment, (await assessments.details(found.run)).trend),
    trend: trendOf(trends.get(found.run.repository)),
  };
}

const until = ({ as_of: asOf }: { as_of?: string | undefined }) => (asOf === undefined ? {} : { asOf });

const trendOf = (past: readonly PastScore[] = []) =>
  past.map(({ run, score: { score, grade } }) => ({ ...runOf(run), score, grade }));

function portfolioSummary(
  { repositories, insights, summary }: AssessedPortfolio,
  trends: ReadonlyMap<string, PastScore[]>,
  query: { page: number; page_size: number; trend: number },
): z.input<typeof portfolioSchema> {
  const scores = repositories
    .flatMap(({ run, assessment: own }) => (own.score === null ? [] : [{ repo: run.repository, score: own.score }]))
    .toSorted((a, b) => a.score - b.score || (a.repo < b.repo ? -1 : 1));
  const sorted = scores.map(({ score }) => score);
  const changes = (each: AssessedRepository) =>
    each.measurements.people.reduce((sum, { commits_12m: n }) => sum + n, 0);
  const graded = (grade: string | null) => repositories.filter((each) => each.assessment.grade === grade).length;
  const busiest = repositories
    .toSorted((a, b) => changes(b) - changes(a) || (a.run.repository < b.run.repository ? -1 : 1))
    .slice(0, Math.ceil(repositories.length / 4));
  const { repositories: shown, ...page } = pageOfRepositories(repositories, query);
  const isShown = new Set(shown.map(({ run }) => run.repository));
  return {
    ...summary,
    ...insights,
    heat_map: { ...insights.heat_map, rows: insights.heat_map.rows.filter(({ repo }) => isShown.has(repo)) },
    ...page,
    repositories: shown.map((each) => ({
      ...repositoryOf(each.run),
      ...runOf(each.run),
      score: each.assessment.score,
      grade: each.assessment.grade,
      confidence: each.assessment.confidence,
      loc_code: linesOf(each),
      dimensions: each.assessment.dimensions.map(({ id, score, grade }) => ({ id, score, grade })),
      metrics: valuesOf(each),
      trend: trendOf(trends.get(each.run.repository)),
      points: each.points
        .slice(Math.max(0, each.points.length - query.trend))
        .map(({ committed_at, score: { score, grade } }) => ({ committed_at, score, grade })),
    })),
    kpis: {
      average: weighted(repositories),
      hotspot: weighted(busiest),
      worst: scores[0] ?? null,
      median: sorted.length === 0 ? null : tenth(median(sorted)),
      p10: sorted[Math.floor((sorted.length - 1) * 0.1)] ?? null,
      p90: sorted[Math.ceil((sorted.length - 1) * 0.9)] ?? null,
      grade_histogram: {
        A: graded('A'),
        B: graded('B'),
        C: graded('C'),
        D: graded('D'),
        E: graded('E'),
        none: graded(null),
      },
    },
  };
}

const linesOf = ({ assessment }: AssessedRepository) =>
  assessment.matrix.find(({ id }) => id === 'loc_code')?.value ?? null;

const valuesOf = ({ assessment: { matrix } }: AssessedRepository) =>
  Object.fromEntries(matrix.map(({ id, value }) => [id, value])) as Record<MetricId, number | null>;

function weighted(repositories: readonly AssessedRepository[]): number | null {
  const known = repositories.filter(({ assessment }) => assessment.score !== null);
  const lines = known.reduce((sum, each) => sum + (linesOf(each) ?? 0), 0);
  if (lines === 0) return null;
  return tenth(known.reduce((sum, each) => sum + (each.assessment.score ?? 0) * (linesOf(each) ?? 0), 0) / lines);
}
