import { metricCatalog } from '../model/due-diligence.ts';
import type { Measurements, Metric, MetricId } from '../model/due-diligence.ts';
import { cappingOf, factorsOf } from './factor-scores.ts';
import type { Factor } from './factor-scores.ts';
import type { Matrix } from './factors/factor.ts';
import { remediation } from './remediation.ts';
import type { Rate, Remediation } from './remediation.ts';
import { gradeOf, powerMean, tenth } from './score.ts';
import { dimensions, minConfidence, minutes, modelVersion, riskWeights, cappedScore } from './scoring-model.ts';
import type { DimensionId, Grade } from './scoring-model.ts';

/** A score with what it is worth: the share of the weight that could be measured. */
export interface Score {
  score: number | null;
  /** Null below a confidence of 0.6: too little is known. */
  grade: Grade | null;
  confidence: number;
  model_version: string;
}

export interface Assessment extends Score {
  /** All of them, in the catalogue's order. */
  matrix: Metric[];
  dimensions: (Score & { id: DimensionId; weight: number; capped_by: string | null })[];
  factors: Factor[];
  remediation: Remediation;
}

/** What the measurements of a repository, or of a portfolio, come to. Pure. */
export function assess(metrics: Measurements['metrics'], rate: Rate): Assessment {
  const { overall, dimensions: scored, factors, matrix } = scoresOf(metrics);
  const costs = remediation(factors, matrix, { rate, confidence: overall.confidence, capping: cappingOf(matrix) });
  const all = new Map(matrix).set('remediation_hours_likely', remediationHours(costs, factors));
  return {
    ...overall,
    matrix: metricCatalog.map(({ id }) => all.get(id) ?? unmeasured(id)),
    dimensions: scored,
    factors,
    remediation: costs,
  };
}

/** The scores alone, for which no evidence is needed: a small part of the work. */
export function scoresOf(metrics: Measurements['metrics']) {
  const measured = new Map<MetricId, Metric>(metrics.map((metric) => [metric.id, metric]));
  // The debt ratio is made from other factors' costs, and is itself what one factor is scored by.
  const debt = technicalDebtRatio(measured, factorsOf(measured));
  const withDebt = new Map(measured).set('technical_debt_ratio_pct', debt);
  const factors = factorsOf(withDebt);
  const scored = dimensions.map(({ id, weight }) => ({ id, weight, ...dimensionScore(id, factors, withDebt) }));
  const overall = scoreOf(
    scored.map(({ score, weight }) => ({ score, weight })),
    confidenceOf(scored, factors),
  );
  return { overall, dimensions: scored, factors, matrix: withDebt };
}

function dimensionScore(id: DimensionId, factors: readonly Factor[], matrix: Matrix) {
  const own = factors.filter(({ definition }) => definition.dimension === id);
  const parts = own.map(({ score, definition }) => ({ score, weight: riskWeights[definition.risk] }));
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const known = parts.filter(({ score }) => score !== null).reduce((sum, { weight }) => sum + weight, 0);
  // What does not apply is no gap in what is known.
  const moot = own
    .filter(({ status }) => status === 'not_applicable')
    .reduce((sum, { definition }) => sum + riskWeights[definition.risk], 0);
  const result = scoreOf(parts, total === moot ? 0 : known / (total - moot));
  const cause = cappingOf(matrix).find(({ dimension }) => dimension === id);
  if (cause === undefined || result.score === null || result.score <= cappedScore)
    return { ...result, capped_by: null };
  return { ...result, score: cappedScore, grade: result.grade && gradeOf(cappedScore), capped_by: cause.id };
}

/** What was measured within the dimensions counts, not that they have some score; one that does not apply is no gap. */
function confidenceOf(
  scored: readonly { id: DimensionId; confidence: number; weight: number }[],
  factors: readonly Factor[],
): number {
  const applying = scored.filter(({ id }) =>
    factors.some(({ definition, status }) => definition.dimension === id && status !== 'not_applicable'),
  );
  const whole = applying.reduce((sum, { weight }) => sum + weight, 0);
  return whole === 0 ? 0 : applying.reduce((sum, { confidence, weight }) => sum + confidence * weight, 0) / whole;
}

function scoreOf(parts: readonly { score: number | null; weight: number }[], confidence: number): Score {
  const known = parts.flatMap(({ score, weight }) => (score === null ? [] : [{ score, weight }]));
  const score = powerMean(known);
  return {
    score: score === null ? null : tenth(score),
    grade: score === null || confidence < minConfidence ? null : gradeOf(score),
    confidence: Math.round(confidence * 1000) / 1000,
    model_version: modelVersion,
  };
}

function technicalDebtRatio(matrix: Matrix, factors: readonly Factor[]): Metric {
  const lines = matrix.get('loc_code')?.value ?? 0;
  const costs = factors.filter(({ definition }) => definition.isDebt).map(({ cost }) => cost);
  const skipped = (matrix.get('skipped_test_count')?.quantities['tests'] ?? 0) * minutes.skipped_test.value;
  if (lines === 0 || costs.every((cost) => cost === null))
    return { ...unmeasured('technical_debt_ratio_pct'), reason: 'no_source_code' };
  const spent = costs.reduce((sum, cost) => sum + (cost?.minutes ?? 0), skipped);
  const whole = lines * minutes.developed_line.value;
  return {
    ...unmeasured('technical_debt_ratio_pct'),
    value: Math.round((1_000_000 * spent) / whole) / 10_000,
    status: 'measured',
    reason: null,
    numerator: spent,
    denominator: whole,
  };
}

/** Nothing to put right is 0; nothing measured is not. */
export function remediationHours({ hours, by_factor: costed }: Remediation, factors: readonly Factor[]): Metric {
  if (factors.every(({ cost }) => cost === null)) return unmeasured('remediation_hours_likely');
  return {
    ...unmeasured('remediation_hours_likely'),
    value: hours.likely,
    status: 'measured',
    reason: null,
    evidence: costed.map((factor) => ({
      path: null,
      line: null,
      commit: null,
      note: `${factor.factor_id}: ${factor.hours.likely} h`,
    })),
    evidence_count: costed.length,
  };
}

/** A metric that nothing is known of. */
function unmeasured(id: MetricId): Metric {
  const definition = metricCatalog.find((each) => each.id === id) ?? metricCatalog[0];
  return {
    id,
    value: null,
    unit: definition.unit,
    direction: definition.direction,
    status: 'not_measured',
    reason: 'no_source_code',
    numerator: null,
    denominator: null,
    evidence: [],
    evidence_count: 0,
    quantities: {},
    method_version: `${id}/1`,
  };
}
