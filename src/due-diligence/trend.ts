import { z } from 'zod';
import { metricCatalog } from '../model/due-diligence.ts';
import type { Evidence, MetricId } from '../model/due-diligence.ts';
import type { MeasuredRepository } from '../model/snapshot.ts';
import { roughly } from './compare-reports.ts';
import { reportOf, type RepositoryReport } from './report.ts';
import type { Yardstick } from './assessments.ts';
import { tenth } from './score.ts';
import { riskWeights } from './scoring-model.ts';
import { dimensionSchema, gradeSchema, scoreFields } from './wire.ts';

/** Scores that differ by less are the same. */
const minDifference = 5;
/** What changed most between two points. */
const maxChanges = 3;
/** Of what came and of what went, by change. */
const maxCauses = 3;

const causeSchema = z
  .object({
    metric: z.string(),
    path: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'TrendCause' });
type Cause = z.infer<typeof causeSchema>;

const changeSchema = z
  .object({
    factor_id: z.string(),
    title: z.string(),
    before: z.number().meta({ description: 'Score of the point before, 0 to 100.' }),
    after: z.number().meta({ description: 'Score of this point.' }),
    came: z
      .array(causeSchema)
      .meta({ description: 'Evidence that the point before does not have: files, people, packages.' }),
    went: z.array(causeSchema).meta({ description: 'Evidence that this point does not have any more.' }),
  })
  .meta({ id: 'TrendChange' });

export const trendPointSchema = z
  .object({
    commit: z.string().nullable(),
    committed_at: z.string().nullable(),
    as_of: z.string().meta({ description: 'The UTC day of the commit, to which ages are counted.' }),
    score: scoreFields.score,
    grade: gradeSchema,
    confidence: scoreFields.confidence,
    dimensions: z.array(dimensionSchema.pick({ id: true, score: true, grade: true })),
    values: z
      .record(z.string(), z.number().nullable())
      .meta({ description: `Of the ${metricCatalog.length} metrics, by id.` }),
    changes: z.array(changeSchema).meta({ description: 'The factors that moved most since the point before.' }),
  })
  .meta({ id: 'TrendPoint' });
export type TrendPoint = z.infer<typeof trendPointSchema>;
type TrendChange = TrendPoint['changes'][number];

/** What a repository came to at points of its history, the oldest first, and what moved it from one to the next. Pure. */
export function trendOf(
  past: readonly (MeasuredRepository & { day: string })[],
  yardstick: Yardstick,
  { names }: { names: boolean } = { names: true },
): TrendPoint[] {
  const reports = past.map((each) => reportOf(each, yardstick, each.day));
  return reports.map((report, index) => {
    const { assessment } = report;
    return {
      commit: report.as_of_commit,
      committed_at: report.committed_at,
      as_of: past[index]?.day ?? '',
      score: assessment.score,
      grade: assessment.grade,
      confidence: assessment.confidence,
      dimensions: assessment.dimensions.map(({ id, score, grade }) => ({ id, score, grade })),
      values: Object.fromEntries(assessment.matrix.map(({ id, value }) => [id, value])),
      changes: changesBetween(reports[index - 1], report).map((change) =>
        names ? change : { ...change, came: [], went: [] },
      ),
    };
  });
}

function changesBetween(before: RepositoryReport | undefined, after: RepositoryReport): TrendChange[] {
  if (!before) return [];
  const moved = after.assessment.factors.flatMap(({ definition, score }) => {
    const old = before.assessment.factors.find((factor) => factor.definition.id === definition.id)?.score ?? null;
    if (old === null || score === null || Math.abs(score - old) < minDifference) return [];
    const weight = after.assessment.dimensions.find(({ id }) => id === definition.dimension)?.weight ?? 0;
    return [{ definition, old, score, moves: Math.abs(score - old) * riskWeights[definition.risk] * weight }];
  });
  return moved
    .toSorted((a, b) => b.moves - a.moves)
    .slice(0, maxChanges)
    .map(({ definition: { id, title, inputs }, old, score }) => ({
      factor_id: id,
      title,
      before: tenth(old),
      after: tenth(score),
      came: inputs.flatMap((input) => onlyIn(after, before, input)).slice(0, maxCauses),
      went: inputs.flatMap((input) => onlyIn(before, after, input)).slice(0, maxCauses),
    }));
}

/** Evidence of a metric that the other point does not have, whatever its numbers are. */
function onlyIn(one: RepositoryReport, other: RepositoryReport, metric: MetricId): Cause[] {
  const known = new Set(evidenceOf(other, metric).map(roughly));
  return evidenceOf(one, metric)
    .filter((each) => !known.has(roughly(each)))
    .map(({ path, note }) => ({ metric, path, note }));
}

const evidenceOf = ({ assessment: { matrix } }: RepositoryReport, metric: MetricId): readonly Evidence[] =>
  matrix.find(({ id }) => id === metric)?.evidence ?? [];
