import { z } from 'zod';
import { metricCatalog } from '../model/due-diligence.ts';
import type { Move, PastMeasurement } from '../model/due-diligence.ts';
import { assess } from './assess.ts';
import type { Assessment } from './assess.ts';
import type { Rate } from './remediation.ts';
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
    metric: z.string().meta({ description: 'Id of the metric whose evidence it is.' }),
    path: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'TrendCause' });

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
    commit: z.string(),
    committed_at: z.string(),
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

/** What a chart shows of a point. */
export type ChartPoint = Pick<TrendPoint, 'as_of' | 'score' | 'grade' | 'dimensions'>;

/**
 * What a report itself comes to, behind the last point: that one is graded as of its commit's own day, and without what was given to the
 * report alone, as coverage is. Null where both are of one day, or show the same.
 */
export function standingNow(
  { as_of, score, grade, dimensions }: Pick<Assessment, 'as_of' | 'score' | 'grade' | 'dimensions'>,
  trend: readonly TrendPoint[],
): ChartPoint | null {
  const last = trend.at(-1);
  if (!last || as_of === null || as_of <= last.as_of) return null;
  const now = { as_of, score, grade, dimensions: dimensions.map(({ id, score, grade }) => ({ id, score, grade })) };
  return isShownAlike(now, last) && now.dimensions.every((each, at) => isShownAlike(each, last.dimensions[at]))
    ? null
    : now;
}

/** Scores are shown without their fractions. */
export const isShownAlike = (one: Shown, other: Shown | undefined): boolean =>
  one.grade === other?.grade && floored(one.score) === floored(other.score);

type Shown = Pick<ChartPoint, 'score' | 'grade'>;

const floored = (score: number | null) => (score === null ? null : Math.floor(score));

/** What a repository came to at points of its history, the oldest first, and what moved it from one to the next. Pure. */
export function trendOf(past: readonly PastMeasurement[] = [], rate: Rate): TrendPoint[] {
  const assessed = past.map((point) => ({ point, assessment: assess(point, rate, point.day) }));
  return assessed.map(({ point: { commit, committed_at, day, moves }, assessment }, index) => ({
    commit,
    committed_at,
    as_of: day,
    score: assessment.score,
    grade: assessment.grade,
    confidence: assessment.confidence,
    dimensions: assessment.dimensions.map(({ id, score, grade }) => ({ id, score, grade })),
    values: Object.fromEntries(assessment.matrix.map(({ id, value }) => [id, value])),
    changes: changesBetween(assessed[index - 1]?.assessment, assessment, moves),
  }));
}

function changesBetween(before: Assessment | undefined, after: Assessment, moves: readonly Move[]): TrendChange[] {
  if (!before) return [];
  const moved = after.factors.flatMap(({ definition, score }) => {
    const old = before.factors.find((factor) => factor.definition.id === definition.id)?.score ?? null;
    if (old === null || score === null || Math.abs(score - old) < minDifference) return [];
    const weight = after.dimensions.find(({ id }) => id === definition.dimension)?.weight ?? 0;
    return [{ definition, old, score, moves: Math.abs(score - old) * riskWeights[definition.risk] * weight }];
  });
  return moved
    .toSorted((a, b) => b.moves - a.moves)
    .slice(0, maxChanges)
    .map(({ definition: { id, title, inputs }, old, score }) => {
      const own = inputs.flatMap((input) => moves.filter(({ metric }) => metric === input));
      const causes = (side: 'came' | 'went') =>
        own.flatMap((move) => move[side].map((cause) => ({ metric: move.metric, ...cause }))).slice(0, maxCauses);
      return {
        factor_id: id,
        title,
        before: tenth(old),
        after: tenth(score),
        came: causes('came'),
        went: causes('went'),
      };
    });
}
