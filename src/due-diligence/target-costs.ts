import type { MetricId } from '../model/due-diligence.ts';
import { scoreOf } from './factor-scores.ts';
import type { Factor } from './factor-scores.ts';
import { Matrix } from './factors/factor.ts';
import type { FactorId } from './factors/index.ts';
import { costRange, sumOf, times } from './range.ts';
import type { Range } from './range.ts';
import { powerMean, tenth } from './score.ts';
import { cappedScore, dimensions, grades, riskWeights } from './scoring-model.ts';
import type { DimensionId, Grade } from './scoring-model.ts';

/** What it takes until no dimension is graded worse, or, where no work that is costed leads there, to come as near as it leads. */
export interface TargetCost {
  grade: Grade;
  hours: Range;
  cost: Range;
  by_dimension: { id: DimensionId; hours: Range; reached: boolean }[];
}

/** Shares of the work on a factor that are looked at. */
const steps = 100;

/** For each grade but the worst: the worst factors of a dimension first, all up to one level, and no further than it must be. */
export function targetCosts(
  factors: readonly Factor[],
  matrix: Matrix,
  {
    hourlyRate,
    confidence,
    capping,
  }: { hourlyRate: number; confidence: number; capping: readonly Factor['definition'][] },
): TargetCost[] {
  const scored = dimensionsOf(factors, matrix, capping);
  return grades.slice(0, -1).map(({ grade, least }) => {
    const by_dimension = scored.map((dimension) => {
      const { shares, reached } = sharesTo(least, dimension, matrix);
      const ranges = shares.flatMap((share, index) => {
        const cost = dimension.curves[index]?.factor.cost;
        return cost && share > 0 ? [costRange(cost.minutes * share, cost.isProxy, confidence)] : [];
      });
      return { id: dimension.id, hours: sumOf(ranges), reached };
    });
    const hours = sumOf(by_dimension.map((each) => each.hours));
    return { grade, hours, cost: times(hours, hourlyRate), by_dimension };
  });
}

/** The dimensions that have a score, with what work does to their factors. */
const dimensionsOf = (factors: readonly Factor[], matrix: Matrix, capping: readonly Factor['definition'][]) =>
  dimensions.flatMap(({ id, weight }) => {
    const own = factors.filter(({ definition, score }) => definition.dimension === id && score !== null);
    const curves = own.map((factor) => curveOf(factor, matrix));
    return own.length === 0 ? [] : [{ id, weight, curves, capping }];
  });

/** Work that leads the whole to a score: of each factor which share is done, and whether it gets there. */
export interface WorkTo {
  reached: boolean;
  /** What it leads to. */
  score: number;
  shares: ReadonlyMap<FactorId, number>;
}

/** How to lead the whole to a score: the worst dimensions first, all up to one level, and no further than it must be. */
export function workTo(
  factors: readonly Factor[],
  matrix: Matrix,
  capping: readonly Factor['definition'][],
): (target: number) => WorkTo {
  const scored = dimensionsOf(factors, matrix, capping);
  const at = (level: number, isDecided: boolean) => {
    const done = scored.map((dimension) => {
      const { shares } = sharesTo(level, dimension, matrix, isDecided);
      const score = scoreAfter(dimension.curves, shares, matrix) ?? 0;
      const isCapped = dimension.curves.some(
        ({ factor: { definition } }, index) => capping.includes(definition) && (shares[index] ?? 0) < 1,
      );
      return { ...dimension, shares, score: isCapped ? Math.min(score, cappedScore) : score };
    });
    const shares = done.flatMap(({ curves, shares }) =>
      curves.map(({ factor: { definition } }, index) => [definition.id, shares[index] ?? 0] as const),
    );
    return { score: tenth(powerMean(done) ?? 0), shares: new Map(shares) };
  };
  return (target) => {
    // What holds down the whole must be gone altogether, too.
    const isAbove = target > cappedScore;
    const most = at(100, isAbove);
    if (most.score < target) return { reached: false, ...most };
    let [low, high] = [-1, 100];
    while (high - low > 0.5) {
      const level = (low + high) / 2;
      if (at(level, isAbove).score >= target) high = level;
      else low = level;
    }
    return { reached: true, ...at(high, isAbove) };
  };
}

/** A factor's score after each hundredth of the work on it; one that no work moves stays where it is. */
interface Curve {
  factor: Factor;
  scores: readonly number[];
}

function curveOf(factor: Factor, matrix: Matrix): Curve {
  const { definition, cost, score } = factor;
  const { aims } = definition;
  // Of what is not known the work is assumed, and with it that it leads to the end.
  if (factor.status === 'not_measured' && cost && cost.minutes > 0)
    return { factor, scores: Array.from({ length: steps + 1 }, (_, step) => (100 * step) / steps) };
  if (!aims || !cost || cost.minutes === 0) return { factor, scores: [score ?? 0] };
  // One copy for all steps: each of them sets the same metrics.
  const after = new Matrix(matrix, matrix.standing);
  const scores = Array.from({ length: steps + 1 }, (_, step) => {
    mend(after, matrix, aims, step / steps);
    return scoreOf(definition, after) ?? 0;
  });
  return { factor, scores };
}

/** Sets the metrics as they are when so much of the work is done: values so much nearer to where it leads, and fewer findings. */
function mend(after: Matrix, matrix: Matrix, aims: Partial<Record<MetricId, number>>, share: number): void {
  for (const [id, target] of Object.entries(aims) as [MetricId, number][]) {
    const metric = matrix.get(id);
    if (!metric) continue;
    const from = metric.value ?? 0;
    const isBetter = metric.direction === 'lower_better' ? target < from : target > from;
    const quantities = Object.fromEntries(
      Object.entries(metric.quantities).map(([name, count]) => [name, count * (1 - share)]),
    );
    after.set(id, { ...metric, value: isBetter ? from + (target - from) * share : from, quantities });
  }
}

type Dimension = { curves: readonly Curve[]; capping: readonly Factor['definition'][] };

/** How much of the work on each factor it takes to reach a score. */
function sharesTo(
  target: number,
  { curves, capping }: Dimension,
  matrix: Matrix,
  isDecided = false,
): { shares: number[]; reached: boolean } {
  const sharesAt = (level: number) =>
    curves.map(({ factor, scores }) => {
      // What keeps the dimension down must be gone altogether.
      if (target > cappedScore && capping.includes(factor.definition)) return 1;
      if (isDecided && factor.decision !== null && factor.definition.aims) return 1;
      const step = scores.findIndex((score) => score >= level);
      return step === -1 ? scoresEnd(scores) / steps : step / steps;
    });
  const reaches = (shares: readonly number[]) => (scoreAfter(curves, shares, matrix) ?? 0) >= target;
  if (!reaches(sharesAt(100))) return { shares: sharesAt(100), reached: false };
  let [low, high] = [-1, 100];
  while (high - low > 0.5) {
    const level = (low + high) / 2;
    if (reaches(sharesAt(level))) high = level;
    else low = level;
  }
  return { shares: sharesAt(high), reached: true };
}

/** The first step at which the factor is as good as it gets. */
const scoresEnd = (scores: readonly number[]) => scores.indexOf(Math.max(...scores));

function scoreAfter(curves: readonly Curve[], shares: readonly number[], matrix: Matrix): number | null {
  const paid = new Map(curves.map(({ factor }, index) => [factor.definition.id, shares[index] ?? 0]));
  const score = powerMean(
    curves.map(({ factor: { definition }, scores }, index) => ({
      score: definition.followsDebt
        ? debtScore(definition, curves, paid, matrix)
        : (scores[Math.min(scores.length - 1, Math.round((shares[index] ?? 0) * steps))] ?? 0),
      weight: riskWeights[definition.risk],
    })),
  );
  return score === null ? null : tenth(score);
}

/** The debt ratio falls with the work on what it is made of. */
function debtScore(
  definition: Factor['definition'],
  curves: readonly Curve[],
  paid: ReadonlyMap<FactorId, number>,
  matrix: Matrix,
): number {
  const debt = matrix.get('technical_debt_ratio_pct');
  const done = curves
    .filter(({ factor }) => factor.definition.isDebt)
    .reduce((sum, { factor }) => sum + (factor.cost?.minutes ?? 0) * (paid.get(factor.definition.id) ?? 0), 0);
  if (debt?.numerator == null || !debt.denominator) return 0;
  const left = { ...debt, value: (100 * Math.max(0, debt.numerator - done)) / debt.denominator };
  return scoreOf(definition, new Matrix([...matrix, [debt.id, left]], matrix.standing)) ?? 0;
}

/** Of several repositories together; what one of them can't reach is not reached. */
export function sumOfTargets(all: readonly (readonly TargetCost[])[]): TargetCost[] {
  return grades.slice(0, -1).map(({ grade }) => {
    const own = all.flatMap((targets) => targets.filter((each) => each.grade === grade));
    return {
      grade,
      hours: sumOf(own.map(({ hours }) => hours)),
      cost: sumOf(own.map(({ cost }) => cost)),
      by_dimension: dimensions.flatMap(({ id }) => {
        const parts = own.flatMap(({ by_dimension }) => by_dimension.filter((each) => each.id === id));
        const reached = parts.every((part) => part.reached);
        return parts.length === 0 ? [] : [{ id, hours: sumOf(parts.map(({ hours }) => hours)), reached }];
      }),
    };
  });
}
