import { z } from 'zod';
import type { Assessment } from './assess.ts';
import { metricName, valueWords } from './report-words.ts';
import { gradeOf, tenth } from './score.ts';
import { riskWeights } from './scoring-model.ts';
import { dimensionSchema, gradeSchema, remediationSchema, scoreFields, scoreOf } from './wire.ts';

const highlightSchema = z.object({
  factor_id: z.string(),
  title: z.string(),
  score: z.number(),
  grade: gradeSchema,
  sentence: z.string(),
});
const recommendationSchema = z.object({
  factor_id: z.string(),
  title: z.string(),
  recommendation: z.string(),
  hours: remediationSchema.shape.hours.nullable(),
});
export const summaryFields = {
  ...scoreFields,
  dimensions: z.array(dimensionSchema),
  key_risks: z.array(highlightSchema).max(3),
  strengths: z.array(highlightSchema).max(3),
  recommendations: z.object({
    deal_critical: z.array(recommendationSchema),
    post_deal: z.array(recommendationSchema),
    long_term: z.array(recommendationSchema),
  }),
  remediation: remediationSchema,
};
/** What somebody who decides must know of an assessment. */
export function summaryOf(assessment: Assessment) {
  const scored = assessment.factors.flatMap(({ definition, score }) =>
    score === null ? [] : [{ definition, score: tenth(score), lost: (100 - score) * riskWeights[definition.risk] }],
  );
  type Scored = (typeof scored)[number];
  const highlight = (says: (each: Scored) => string) => (each: Scored) => ({
    factor_id: each.definition.id,
    title: each.definition.title,
    score: each.score,
    grade: gradeOf(each.score),
    sentence: says(each),
  });
  const figures = (each: Scored) =>
    each.definition.inputs
      .map((id) => assessment.matrix.find((metric) => metric.id === id))
      .flatMap((metric) => (metric?.value == null ? [] : [`${metricName(metric.id)}: ${valueWords(metric)}`]))
      .join(', ');
  const toMend = scored.filter(({ score }) => score < 75).toSorted((a, b) => b.lost - a.lost);
  const inClass = (horizon: string) =>
    toMend
      .filter(({ definition }) => definition.horizon === horizon)
      .map(({ definition }) => ({
        factor_id: definition.id,
        title: definition.title,
        recommendation: definition.recommendation,
        hours: assessment.remediation.by_factor.find((each) => each.factor_id === definition.id)?.hours ?? null,
      }));
  return {
    ...scoreOf(assessment),
    dimensions: assessment.dimensions,
    key_risks: toMend
      .filter(({ score }) => score < 60)
      .slice(0, 3)
      .map(highlight(figures)),
    strengths: scored
      .filter(({ score }) => score >= 75)
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
