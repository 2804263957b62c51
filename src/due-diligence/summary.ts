import { z } from 'zod';
import type { MetricId } from '../model/due-diligence.ts';
import type { Assessment } from './assess.ts';
import { metricName, numberWords, valueWords } from './report-words.ts';
import { gradeOf, tenth } from './score.ts';
import type { TrendPoint } from './trend.ts';
import { verdictOf } from './verdict.ts';
import { riskWeights } from './scoring-model.ts';
import {
  asOfField,
  dimensionSchema,
  dimensionsOf,
  gradeSchema,
  rankFields,
  rankOf,
  remediationSchema,
  scoreFields,
  scoreOf,
} from './wire.ts';

const highlightSchema = z
  .object({
    factor_id: z.string(),
    title: z.string(),
    score: z.number(),
    grade: gradeSchema,
    sentence: z.string(),
    hours: remediationSchema.shape.hours
      .nullable()
      .meta({ description: 'What it takes to put right; null where it takes no work, or nobody knows.' }),
  })
  .meta({ id: 'Highlight' });
const recommendationSchema = z
  .object({
    factor_id: z.string(),
    title: z.string(),
    recommendation: z.string(),
    hours: remediationSchema.shape.hours.nullable(),
  })
  .meta({ id: 'Recommendation' });
export const summaryFields = {
  ...scoreFields,
  ...rankFields,
  as_of: asOfField,
  dimensions: z.array(dimensionSchema),
  verdict: z
    .array(z.string())
    .length(3)
    .meta({ description: 'Three sentences, made by rules from the figures: how good, where, and what it takes.' }),
  key_risks: z.array(highlightSchema).max(3),
  strengths: z.array(highlightSchema).max(3),
  recommendations: z.object({
    deal_critical: z.array(recommendationSchema),
    post_deal: z.array(recommendationSchema),
    long_term: z.array(recommendationSchema),
  }),
  remediation: remediationSchema,
};
/** What a published target comes to (docs/due-diligence.md): below it there is something to recommend. */
const minGood = 75;

/** What is looked for in all source: that nothing is found says as much as there is to look through. */
const lookedFor: readonly MetricId[] = ['secret_finding_count', 'security_pattern_finding_count'];

/** What a count of findings rests on, and what is not part of it though it counts a little. */
function basis({ id, quantities }: Assessment['matrix'][number], { matrix }: Assessment): string {
  if (!lookedFor.includes(id)) return '';
  const files = matrix.find((metric) => metric.id === 'source_file_count')?.value ?? 0;
  const aside = (quantities['aside'] ?? 0) + (quantities['code_aside'] ?? 0);
  const less = aside === 0 ? '' : `; ${numberWords(aside)} more in tests, examples or others’ code count less`;
  return `, looked for in ${numberWords(files)} source ${files === 1 ? 'file' : 'files'}${less}`;
}

/** What decides comes first, and of that what no work puts right. */
function lostBy(score: number, decision: string | null, { aims, risk }: Assessment['factors'][number]['definition']) {
  if (decision !== null) return aims ? Number.MAX_VALUE : Infinity;
  return (100 - score) * riskWeights[risk];
}

/** What somebody who decides must know of an assessment. */
export function summaryOf(assessment: Assessment, trend: readonly TrendPoint[] = []) {
  const scored = assessment.factors.flatMap(({ definition, decision, score }) =>
    score === null
      ? []
      : [
          {
            definition,
            decision,
            score: tenth(score),
            lost: lostBy(score, decision, definition),
          },
        ],
  );
  type Scored = (typeof scored)[number];
  const hoursOf = ({ definition }: Scored) =>
    assessment.remediation.by_factor.find((each) => each.factor_id === definition.id)?.hours ?? null;
  // Few findings for the size may score well; what was found is no strength all the same.
  const isFound = ({ definition }: Scored) =>
    assessment.matrix.some(
      ({ id, value }) => lookedFor.includes(id) && definition.inputs.includes(id) && (value ?? 0) > 0,
    );
  const highlight = (says: (each: Scored) => string) => (each: Scored) => ({
    factor_id: each.definition.id,
    title: each.definition.title,
    score: each.score,
    grade: gradeOf(each.score),
    sentence: says(each),
    hours: hoursOf(each),
  });
  const figures = (each: Scored) =>
    each.decision ??
    each.definition.inputs
      .map((id) => assessment.matrix.find((metric) => metric.id === id))
      .flatMap((metric) =>
        metric?.value == null ? [] : [`${metricName(metric.id)}: ${valueWords(metric)}${basis(metric, assessment)}`],
      )
      .join(', ');
  const worst = scored.toSorted((a, b) => (a.lost === b.lost ? 0 : b.lost - a.lost));
  // All that costs something is named, so that the hours below a horizon add up to those of the horizon.
  const recommended = worst.filter((each) => each.score < minGood || hoursOf(each) !== null);
  const inClass = (horizon: string) =>
    recommended
      .filter(({ definition }) => definition.horizon === horizon)
      .map((each) => ({
        factor_id: each.definition.id,
        title: each.definition.title,
        recommendation: each.definition.recommendation,
        hours: hoursOf(each),
      }));
  const keyRisks = worst
    .filter(({ score }) => score < 60)
    .slice(0, 3)
    .map(highlight(figures));
  return {
    ...scoreOf(assessment),
    ...rankOf(assessment),
    as_of: assessment.as_of,
    dimensions: dimensionsOf(assessment),
    verdict: verdictOf(assessment, keyRisks, trend),
    key_risks: keyRisks,
    strengths: scored
      .filter((each) => each.score >= minGood && !isFound(each))
      .toSorted((a, b) => b.score * riskWeights[b.definition.risk] - a.score * riskWeights[a.definition.risk])
      .slice(0, 3)
      .map(highlight(figures)),
    recommendations: {
      deal_critical: inClass('deal_critical'),
      post_deal: inClass('post_deal'),
      long_term: inClass('long_term'),
    },
    remediation: assessment.remediation,
  };
}
