import { z } from 'zod';
import { instant } from '../http/query.ts';
import { metricReasonSchema, metricSchema } from '../model/due-diligence.ts';
import type { Metric } from '../model/due-diligence.ts';
import type { PipelineRun } from '../stores/relational/port.ts';
import type { NamedRun } from '../tenancy/named-runs.ts';
import type { Assessment } from './assess.ts';
import type { Details } from './assessments.ts';
import type { Factor } from './factor-scores.ts';
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
    description: 'A (80 and more) to E; null where less than 0.6 of the weight could be measured.',
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

export const dimensionSchema = z
  .object({
    id: dimensionIdSchema,
    weight: z.number(),
    ...scoreFields,
  })
  .meta({ id: 'DimensionScore' });

const rangeSchema = z.object({ low: z.number(), likely: z.number(), high: z.number() }).meta({ id: 'Range' });

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
    as_of: assessment.as_of,
    matrix: assessment.matrix,
    dimensions: assessment.dimensions,
    factors: assessment.factors.map((factor) => factorOf(factor, assessment)),
    remediation: assessment.remediation,
    coverage: coverageOf(assessment.matrix),
  };
}

/** What is measured of a repository alone, beside its metrics. */
export const detailsOf = ({ hotspots, activity, left_out }: Details) => ({
  hotspots: hotspots ?? null,
  activity: activity ?? null,
  left_out: left_out ?? null,
});
