import { z } from 'zod';
import { instant, integer } from '../http/query.ts';
import { metricReasonSchema, metricSchema } from '../model/due-diligence.ts';
import type { Metric } from '../model/due-diligence.ts';
import type { PipelineRun } from '../stores/relational/port.ts';
import type { NamedRun } from '../tenancy/named-runs.ts';
import type { Assessment } from './assess.ts';
import type { Details } from './assessments.ts';
import type { Factor } from './factor-scores.ts';
import { licencesOf } from './licences.ts';
import { gradeOf, tenth } from './score.ts';
import { dimensions, grades, modelVersion, riskWeights } from './scoring-model.ts';

/** The query of every due-diligence route. */
export const asOfQuery = {
  as_of: instant.optional().meta({
    description:
      'As of this time (RFC 3339): the last run completed until then, and how long ago everything was on that UTC day. Default: now.',
  }),
};

const gradeLetterSchema = z.enum(grades.map(({ grade }) => grade)).meta({ id: 'Grade' });
export const gradeSchema = gradeLetterSchema.nullable();
const dimensionIdSchema = z.enum(dimensions.map(({ id }) => id)).meta({ id: 'DimensionId' });
const horizonSchema = z.enum(['deal_critical', 'post_deal', 'long_term']).meta({ id: 'Horizon' });

export const scoreFields = {
  score: z.number().min(0).max(100).nullable().meta({ description: '0 to 100; null where nothing could be measured.' }),
  grade: gradeSchema.meta({
    description:
      'A to E; null where less than 0.6 of the weight could be measured. Of the whole by scores fitted to the reference population, of all else A from 80, B 60, C 40, D 20.',
  }),
  confidence: z.number().min(0).max(1).meta({ description: 'Share of the weight that could be measured.' }),
  model_version: z.string(),
  capped_by: z
    .string()
    .nullable()
    .meta({ description: 'The factor that keeps the score down, whatever the others say.' }),
};

/** The UTC day of what is answered. */
export const asOfField = z
  .string()
  .nullable()
  .meta({ description: 'The UTC day to which ages are counted: `as_of`, or today. Null where none is counted.' });

const rankSchema = z
  .object({
    percentile: z.number().min(0).max(100).meta({
      description:
        '100 is best: the share that is worse, and half of those that are equal. Of what is not scored: that is smaller.',
    }),
    among: z
      .string()
      .meta({ description: '`all` of the population, a group of its languages, or those of it of a size.' }),
    repositories: z.int().meta({ description: 'How many of these have the figure.' }),
  })
  .meta({ id: 'Rank' });

/** Where it stands in the population. */
const rankField = rankSchema.nullable().meta({
  description: 'Among `population`; null without a value, of a portfolio, and where fewer than five have it.',
});

export const populationSchema = z
  .object({
    name: z.string().meta({ description: 'As its file is called.' }),
    measured_on: z.string().meta({ description: 'The UTC day on which the last of it was measured.' }),
    digest: z.string().meta({ description: 'SHA-256 of its figures.' }),
    repositories: z.int().meta({ description: 'How many it has.' }),
  })
  .meta({ id: 'Population' });

/** Of one repository as a whole. */
export const rankFields = {
  population: populationSchema.nullable().meta({ description: 'What it was compared with; null of a portfolio.' }),
  rank: rankField,
};

export const rankOf = ({ ranks }: Assessment) => ({
  population: ranks?.population ?? null,
  rank: ranks?.overall ?? null,
});

export const rankedMetricSchema = metricSchema.extend({ rank: rankField }).meta({ id: 'RankedMetric' });

export const matrixOf = ({ matrix, ranks }: Assessment) =>
  matrix.map((metric) => ({ ...metric, rank: ranks?.metrics.get(metric.id) ?? null }));

export const dimensionsOf = ({ dimensions, ranks }: Assessment) =>
  dimensions.map((dimension) => ({ ...dimension, rank: ranks?.dimensions.get(dimension.id) ?? null }));

export const dimensionSchema = z
  .object({
    id: dimensionIdSchema,
    weight: z.number(),
    ...scoreFields,
    rank: rankField,
  })
  .meta({ id: 'DimensionScore' });

export const rangeSchema = z.object({ low: z.number(), likely: z.number(), high: z.number() }).meta({ id: 'Range' });

const scenarioPartSchema = z
  .object({
    id: z.string().meta({ description: 'A factor; of a year `changes` or `updates`.' }),
    hours: rangeSchema,
    sources: z.array(z.string()).readonly().meta({ description: 'Where the hours are from.' }),
    assumed: z.boolean().meta({ description: 'It could not be measured: it counts as the worst.' }),
  })
  .meta({ id: 'ScenarioPart' });
const scenarioSchema = z
  .object({
    id: z.enum(['next_grade', 'median', 'year']).meta({ id: 'ScenarioId' }),
    title: z.string().meta({ description: 'What it is called, `To the next grade, B`.' }),
    grade: gradeSchema.meta({ description: 'The grade of the whole that is aimed at, where it is one.' }),
    target: z.number().nullable().meta({ description: 'The score that is aimed at.' }),
    reached: z.boolean().meta({ description: 'False where all work that is costed does not lead there.' }),
    hours: rangeSchema,
    cost: rangeSchema,
    parts: z
      .array(scenarioPartSchema)
      .readonly()
      .meta({ description: 'The work, by factor, or by what is done in a year.' }),
    first: z
      .array(z.object({ factor_id: z.string(), hours: rangeSchema.nullable() }))
      .readonly()
      .meta({ description: 'What caps the score, to be removed first; hours are null where no work does.' }),
    rule: z.string().meta({ description: 'How the work is chosen, in words.' }),
  })
  .meta({ id: 'Scenario' });

export const remediationSchema = z
  .object({
    currency: z.string(),
    hourly_rate: z.number(),
    hours: rangeSchema,
    cost: rangeSchema.meta({ description: 'Whole units of the currency.' }),
    by_dimension: z.array(z.object({ id: dimensionIdSchema, hours: rangeSchema })),
    by_factor: z.array(
      z.object({ factor_id: z.string(), findings: z.number(), hours: rangeSchema, class: horizonSchema }),
    ),
    by_horizon: z
      .object(
        Object.fromEntries(horizonSchema.options.map((horizon) => [horizon, z.number()])) as Record<
          z.infer<typeof horizonSchema>,
          z.ZodNumber
        >,
      )
      .meta({ description: 'Likely hours.' }),
    replacement_value: z
      .object({ method: z.string(), person_months: z.number(), informational: z.literal(true) })
      .nullable(),
    assumptions: z.array(z.object({ id: z.string(), value: z.number(), source: z.string() })),
    model_version: z.string(),
    not_costed: z.array(z.string()).meta({ description: 'What could not be measured, and so is not in the sum.' }),
    to_grade: z
      .array(
        z.object({
          grade: gradeLetterSchema,
          hours: rangeSchema,
          cost: rangeSchema,
          by_dimension: z.array(
            z.object({
              id: dimensionIdSchema,
              hours: rangeSchema,
              reached: z.boolean().meta({ description: 'False where all work that is costed does not lead there.' }),
            }),
          ),
        }),
      )
      .meta({
        description:
          'What it takes until no dimension is graded worse: its worst factors first, no further than needed.',
      }),
    scenarios: z.array(scenarioSchema).meta({
      description:
        'To the next grade of the whole, to the middle of the population, and to be kept alive for a year; of a portfolio the sums of its repositories.',
    }),
  })
  .meta({ id: 'Remediation' });

const inputSchema = metricSchema
  .pick({ id: true, value: true, unit: true, status: true, reason: true })
  .meta({ id: 'FactorInput' });

export const factorSchema = z
  .object({
    factor_id: z.string(),
    dimension: dimensionIdSchema,
    title: z.string(),
    risk: z.enum(['critical', 'high', 'medium', 'low']).meta({ id: 'Risk' }),
    weight: z.number(),
    score: scoreFields.score,
    grade: gradeSchema,
    rank: rankField,
    status: metricSchema.shape.status,
    reason: metricReasonSchema.nullable(),
    inputs: z.array(inputSchema),
    evidence: metricSchema.shape.evidence,
    recommendation: z.string(),
    hours: rangeSchema
      .nullable()
      .meta({ description: 'To put right what was found; null where it costs no work, or is not known.' }),
  })
  .meta({ id: 'Factor' });

/** Evidence of one factor that is shown; the metrics have the rest. */
const shownEvidence = 20;

export function factorOf(
  { definition, score, status, reason, decision }: Factor,
  assessment: Assessment,
): z.input<typeof factorSchema> {
  const inputs = definition.inputs.flatMap((id) => assessment.matrix.filter((metric) => metric.id === id));
  return {
    factor_id: definition.id,
    dimension: definition.dimension,
    title: definition.title,
    risk: definition.risk,
    weight: riskWeights[definition.risk],
    score: score === null ? null : tenth(score),
    grade: score === null ? null : gradeOf(score),
    rank: assessment.ranks?.factors.get(definition.id) ?? null,
    status,
    reason,
    inputs: inputs.map(({ id, value, unit, status, reason }) => ({ id, value, unit, status, reason })),
    evidence: [
      ...(decision === null ? [] : [{ path: null, line: null, commit: null, note: decision }]),
      ...inputs.flatMap(({ evidence }) => evidence),
    ].slice(0, shownEvidence),
    recommendation: definition.recommendation,
    hours: assessment.remediation.by_factor.find((each) => each.factor_id === definition.id)?.hours ?? null,
  };
}

export const coverageSchema = z
  .object({ measured: z.int(), not_applicable: z.int(), not_measured: z.int() })
  .meta({ id: 'MetricCoverage' });

export function coverageOf(matrix: readonly Metric[]): z.input<typeof coverageSchema> {
  const count = (status: Metric['status']) => matrix.filter((metric) => metric.status === status).length;
  return {
    measured: count('measured'),
    not_applicable: count('not_applicable'),
    not_measured: count('not_measured'),
  };
}

/** Which repository it is. */
export const repositoryFields = {
  repo: z.string(),
  full_name: z.string().nullable().meta({ description: 'owner/name, where it is known.' }),
};

export const repositoryOf = ({ repository, full_name }: NamedRun) => ({ repo: repository, full_name });

export const runFields = {
  pipeline_run_id: z.string(),
  as_of_commit: z.string().nullable().meta({ description: 'Null for a folder without git.' }),
  committed_at: z.string().nullable(),
  completed_at: z.string(),
};

export const runOf = ({ id, commit, committed_at, completed_at }: PipelineRun) => ({
  pipeline_run_id: id,
  as_of_commit: commit,
  committed_at,
  completed_at: completed_at ?? '',
});

export const scoreOf = ({ score, grade, confidence, capped_by }: Assessment) => ({
  score,
  grade,
  confidence,
  model_version: modelVersion,
  capped_by,
});

/** All that is known: the matrix with its evidence, and what is made from it. */
export function packageOf(assessment: Assessment) {
  return {
    ...scoreOf(assessment),
    ...rankOf(assessment),
    as_of: assessment.as_of,
    matrix: matrixOf(assessment),
    dimensions: dimensionsOf(assessment),
    factors: assessment.factors.map((factor) => factorOf(factor, assessment)),
    remediation: assessment.remediation,
    coverage: coverageOf(assessment.matrix),
  };
}

/** What is measured of a repository alone, beside its metrics. */
export const detailsOf = ({ hotspots, activity, left_out, supply, architecture }: Details) => ({
  hotspots: hotspots ?? null,
  activity: activity ?? null,
  left_out: left_out ?? null,
  licences: supply ? licencesOf(supply) : null,
  architecture: architecture ?? null,
});

/** Of an answer that tells of every repository: those on one page. */
export const repositoriesPageQuery = (usual: number) => ({
  page: integer(1, 1_000_000).default(1).meta({ description: 'Of the repositories; from 1.' }),
  page_size: integer(1, 1_000).default(usual).meta({ description: 'Repositories on a page.' }),
});

export const repositoriesPageShape = {
  total_repositories: z.int().min(0).meta({ description: 'Repositories on all pages.' }),
  page: z.int().min(1),
  page_size: z.int().min(1),
  total_pages: z.int().min(0),
};

/** These of all repositories, and what is said of the pages. */
export function pageOfRepositories<T>(all: readonly T[], { page, page_size }: { page: number; page_size: number }) {
  return {
    repositories: all.slice((page - 1) * page_size, page * page_size),
    total_repositories: all.length,
    page,
    page_size,
    total_pages: Math.ceil(all.length / page_size),
  };
}
