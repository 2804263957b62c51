import type { Metric, MetricReason } from '../model/due-diligence.ts';
import { measuresOf, type FactorCost, type FactorDefinition, type Matrix } from './factors/factor.ts';
import { factorCatalog, type FactorId } from './factors/index.ts';
import { isUnseen } from './factors/maint-left-out.ts';
import { interpolate } from './score.ts';
import { cappedScore } from './scoring-model.ts';

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
  const unseen = isUnseen(measuresOf(matrix));
  return factorCatalog.map((definition: Factor['definition']) => {
    const decision = definition.decides?.(measuresOf(matrix)) ?? null;
    const gap =
      decision === null ? (gapOf(definition, matrix) ?? (unseen ? unseenGap(definition, matrix) : null)) : null;
    const score = decision !== null ? 0 : gap ? null : scoreOf(definition, matrix);
    return {
      definition,
      decision,
      score,
      ...standingOf(score, gap ?? (score === null ? unknownOf(definition, matrix) : null)),
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

type Gap = Pick<Metric, 'status' | 'reason'>;

function standingOf(score: number | null, gap: Gap | null): Gap {
  if (gap) return gap;
  // A figure per line of code, where there is none, does not arise.
  return score === null
    ? { status: 'not_applicable', reason: 'nothing_to_measure' }
    : { status: 'measured', reason: null };
}

/** Which input is not known, where nothing came of them: that is no reason to leave the question out. */
function unknownOf({ inputs }: FactorDefinition, matrix: Matrix): Gap | null {
  const unknown = inputs.map((input) => matrix.get(input)).find((metric) => metric?.status === 'not_measured');
  return unknown ? { status: unknown.status, reason: unknown.reason } : null;
}

function gapOf({ inputs, optional, enough }: FactorDefinition, matrix: Matrix): Gap | null {
  const needed = inputs.filter((input) => !optional?.includes(input));
  const gaps = needed.map((input) => matrix.get(input)).filter((metric) => metric?.value == null);
  if (gaps.length === 0) return null;
  if (enough === 'any' && gaps.length < needed.length) return null;
  const [gap] = gaps;
  return { status: gap?.status ?? 'not_measured', reason: gap?.reason ?? 'parse_error' };
}

/** What is bad in the code that is there stays bad, whatever there is elsewhere. */
function unseenGap(definition: FactorDefinition, matrix: Matrix): Gap | null {
  const isBad = (scoreOf(definition, matrix) ?? 0) <= cappedScore;
  return definition.ofCode && !isBad ? { status: 'not_measured', reason: 'code_elsewhere' } : null;
}

function rawScore({ inputs, points, score }: FactorDefinition, matrix: Matrix): number | null {
  const measures = measuresOf(matrix);
  if (score) return score(measures, points ?? []);
  const [input] = inputs;
  const only = input === undefined ? null : measures.value(input);
  return only === null ? null : interpolate(points ?? [], only);
}
