import type { Metric, MetricReason } from '../model/due-diligence.ts';
import { measuresOf, type FactorCost, type FactorDefinition, type Matrix } from './factors/factor.ts';
import { factorCatalog, type FactorId } from './factors/index.ts';
import { interpolate } from './score.ts';

/** What one factor comes to; null scores have a reason. */
export interface Factor {
  definition: FactorDefinition<FactorId>;
  score: number | null;
  /** Why the whole can't be good, whatever else there is; null where it can. */
  decision: string | null;
  status: Metric['status'];
  reason: MetricReason | null;
  /** Null where it could not be measured, or costs nothing. */
  cost: FactorCost | null;
}

/** Every factor of the catalogue, in its order. */
export function factorsOf(matrix: Matrix): Factor[] {
  return factorCatalog.map((definition: Factor['definition']) => {
    const decision = definition.decides?.(measuresOf(matrix)) ?? null;
    const gap = decision === null ? gapOf(definition, matrix) : null;
    const score = decision !== null ? 0 : gap ? null : scoreOf(definition, matrix);
    return {
      definition,
      decision,
      score,
      // A figure per line of code, where there is none, does not arise.
      status: gap?.status ?? (score === null ? 'not_applicable' : 'measured'),
      reason: gap?.reason ?? (score === null ? 'nothing_to_measure' : null),
      cost: definition.cost?.(measuresOf(matrix)) ?? null,
    };
  });
}

/** The score of a factor whose inputs are there. */
export function scoreOf(definition: FactorDefinition, matrix: Matrix): number | null {
  const score = rawScore(definition, matrix);
  return score === null ? null : Math.min(100, Math.max(0, score));
}

/** The factors that cap their dimension. */
export function cappingOf(matrix: Matrix): Factor['definition'][] {
  const measures = measuresOf(matrix);
  return factorCatalog.filter((definition: Factor['definition']) => definition.caps?.(measures));
}

function gapOf(
  { inputs, optional, enough }: FactorDefinition,
  matrix: Matrix,
): Pick<Metric, 'status' | 'reason'> | null {
  const needed = inputs.filter((input) => !optional?.includes(input));
  const gaps = needed.map((input) => matrix.get(input)).filter((metric) => metric?.value == null);
  if (gaps.length === 0) return null;
  if (enough === 'any' && gaps.length < needed.length) return null;
  const [gap] = gaps;
  return { status: gap?.status ?? 'not_measured', reason: gap?.reason ?? 'parse_error' };
}

function rawScore({ inputs, points, score }: FactorDefinition, matrix: Matrix): number | null {
  const measures = measuresOf(matrix);
  if (score) return score(measures, points ?? []);
  const [input] = inputs;
  const only = input === undefined ? null : measures.value(input);
  return only === null ? null : interpolate(points ?? [], only);
}
