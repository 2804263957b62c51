import { metricCatalog } from '../model/due-diligence.ts';
import type { Measurements, Metric, MetricId } from '../model/due-diligence.ts';
import { cappingOf, factorsOf } from './factor-scores.ts';
import type { Factor } from './factor-scores.ts';
import { Matrix, productionLines } from './factors/factor.ts';
import type { Ranks } from './population/ranks.ts';
import { remediation } from './remediation.ts';
import type { Rate, Remediation } from './remediation.ts';
import { gradeOf, powerMean, tenth } from './score.ts';
import {
  dimensions,
  grades,
  minConfidence,
  minutes,
  modelVersion,
  overallGrades,
  riskWeights,
  cappedScore,
} from './scoring-model.ts';
import type { DimensionId, Grade } from './scoring-model.ts';
import { standingOn } from './standing.ts';
import type { Standing } from './standing.ts';

/** A score with what it is worth: the share of the weight that could be measured. */
export interface Score {
  score: number | null;
  /** Null below a confidence of 0.6: too little is known. */
  grade: Grade | null;
  confidence: number;
  model_version: string;
}

export interface Assessment extends Score {
  /** The factor that holds down the whole, whatever else there is. */
  capped_by: string | null;
  /** The UTC day that it is of; null where no age was counted. */
  as_of: string | null;
  /** All of them, in the catalogue's order. */
  matrix: Metric[];
  dimensions: (Score & { id: DimensionId; weight: number; capped_by: string | null })[];
  factors: Factor[];
  remediation: Remediation;
  /** Among a population; null where it was not compared. */
  ranks: Ranks | null;
  /** How old everything is on its day. */
  standing: Standing;
}

/** What an assessment is made of. */
export type Measured = Pick<Measurements, 'metrics' | 'liveness'>;

/** What a score is not below and not above. */
export interface Bounds {
  worst: number;
  best: number;
}
/** Of the whole and its parts; an id that is not there has no bounds. */
export interface ScoreBounds {
  factors: ReadonlyMap<string, Bounds>;
  dimensions: ReadonlyMap<string, Bounds>;
  overall: Bounds;
}
const unbounded: Bounds = { worst: 0, best: 100 };
const noBounds: ScoreBounds = { factors: new Map(), dimensions: new Map(), overall: unbounded };

/** What the measurements of a repository, or of a portfolio, come to on a UTC day; with no day, no age is counted. Pure. */
export function assess(measured: Measured, rate: Rate, day: string | null, bounds?: ScoreBounds): Assessment {
  const { overall, dimensions: scored, factors, matrix } = scoresOf(measured, day, bounds);
  const costs = remediation(factors, matrix, { rate, confidence: overall.confidence, capping: cappingOf(matrix) });
  const all = new Matrix(matrix, matrix.standing).set('remediation_hours_likely', remediationHours(costs, factors));
  return {
    ...overall,
    as_of: day,
    matrix: metricCatalog.map(({ id }) => all.get(id) ?? unmeasured(id)),
    dimensions: scored,
    factors,
    remediation: costs,
    ranks: null,
    standing: matrix.standing,
  };
}

/** The scores alone, for which no evidence is needed: a small part of the work. */
export function scoresOf({ metrics, liveness }: Measured, day: string | null, bounds: ScoreBounds = noBounds) {
  const standing = standingOn(liveness, day);
  const measured = new Matrix(
    metrics.map((metric) => [metric.id, metric]),
    standing,
  );
  // The debt ratio is made from other factors' costs, and is itself what one factor is scored by.
  const debt = technicalDebtRatio(measured, factorsOf(measured));
  const withDebt = new Matrix([...measured, ['technical_debt_ratio_pct', debt]], standing);
  const factors = factorsOf(withDebt).map((factor) => ({
    ...factor,
    score: within(bounds.factors.get(factor.definition.id), factor.score),
  }));
  const scored = dimensions.map(({ id, weight }) => ({
    id,
    weight,
    ...uncapped(bounded(bounds.dimensions.get(id), dimensionScore(id, factors, withDebt))),
  }));
  const confidence = confidenceOf(scored, factors);
  const all = scoreOf(scored, confidence, overallGrades);
  const graded = scoreOf(
    scored.filter(({ grade }) => grade !== null),
    confidence,
    overallGrades,
  );
  // A dimension without a grade may be as bad as it looks; that it is good would be a guess.
  const whole = graded.score !== null && all.score !== null && graded.score < all.score ? graded : all;
  return {
    overall: cappedBy(factors, withoutGuess(measured, bounded(bounds.overall, whole, overallGrades)), bounds.overall),
    dimensions: scored,
    factors,
    matrix: withDebt,
  };
}

const within = ({ worst, best }: Bounds = unbounded, score: number | null) =>
  score === null ? null : Math.min(Math.max(score, worst), best);

function bounded<S extends Pick<Score, 'score' | 'grade'>>(
  bounds: Bounds | undefined,
  whole: S,
  scale: typeof overallGrades | typeof grades = grades,
): S {
  const score = within(bounds, whole.score);
  return { ...whole, score, grade: whole.grade && score !== null ? gradeOf(score, scale) : null };
}

/** What no part of the whole is held down by, together they are not held down by either. */
const uncapped = <S extends { score: number | null; capped_by: string | null }>(whole: S): S =>
  whole.score !== null && whole.score > cappedScore ? { ...whole, capped_by: null } : whole;

/** Where most of the code is in languages that are not parsed, that the whole is good would be a guess. */
function withoutGuess(matrix: Matrix, whole: Score): Score {
  const isUnparsed = matrix.get('complex_function_loc_pct')?.reason === 'unsupported_language';
  return isUnparsed && whole.score !== null && whole.score > cappedScore ? { ...whole, grade: null } : whole;
}

/** What decides is known, however little else is: it has a grade. What decides of no part by itself does not of their sum. */
function cappedBy(factors: readonly Factor[], whole: Score, { worst }: Bounds): Score & Pick<Assessment, 'capped_by'> {
  const deciding = factors.filter(({ decision }) => decision !== null);
  // What no work puts right comes before what some does.
  const cause = deciding.find(({ definition }) => !definition.aims) ?? deciding[0];
  if (!cause || whole.score === null || worst > cappedScore) return { ...whole, capped_by: null };
  const score = Math.min(whole.score, cappedScore);
  return { ...whole, score, grade: gradeOf(score, overallGrades), capped_by: cause.definition.id };
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

function scoreOf(
  parts: readonly { score: number | null; weight: number }[],
  confidence: number,
  scale: typeof overallGrades | typeof grades = grades,
): Score {
  const known = parts.flatMap(({ score, weight }) => (score === null ? [] : [{ score, weight }]));
  const score = powerMean(known);
  return {
    score: score === null ? null : tenth(score),
    grade: score === null || confidence < minConfidence ? null : gradeOf(score, scale),
    confidence: Math.round(confidence * 1000) / 1000,
    model_version: modelVersion,
  };
}

/** Of production code alone: what there is to do on tests stands with the tests. */
function technicalDebtRatio(matrix: Matrix, factors: readonly Factor[]): Metric {
  const lines = productionLines(matrix);
  const costs = factors.filter(({ definition }) => definition.isDebt).map(({ cost }) => cost);
  if (lines === 0 || costs.every((cost) => cost === null))
    return { ...unmeasured('technical_debt_ratio_pct'), reason: 'no_source_code' };
  // A sum without one of its parts would be the better for it.
  const gap = factors.find(
    ({ definition, cost, status }) => definition.isDebt && cost === null && status === 'not_measured',
  );
  if (gap) return { ...unmeasured('technical_debt_ratio_pct'), reason: gap.reason };
  const spent = costs.reduce((sum, cost) => sum + (cost?.minutes ?? 0), 0);
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
    method_version: `${id}/${id === 'technical_debt_ratio_pct' ? 2 : 1}`,
  };
}
