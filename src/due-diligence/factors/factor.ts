import type { Metric, MetricId } from '../../model/due-diligence.ts';
import type { DimensionId, Horizon, Points, Risk } from '../scoring-model.ts';
import type { Standing } from '../standing.ts';

/** What to put right, counted in `findings`, takes so many minutes at a likely guess. */
export interface FactorCost {
  minutes: number;
  findings: number;
  /** A figure that stands for one that was not measured. */
  isProxy: boolean;
  /** Where the minutes of what was found are from. */
  sources?: readonly string[];
}

/** Minutes for one thing, and where they are from. */
interface Minutes {
  value: number;
  source: string;
}

/** One factor: what the catalogue says of it, and how it is scored and costed. */
export interface FactorDefinition<Id extends string = string> {
  id: Id;
  dimension: DimensionId;
  title: string;
  risk: Risk;
  inputs: readonly MetricId[];
  points: Points | null;
  /** Where the points come from. */
  sources: string;
  recommendation: string;
  horizon: Horizon;
  /** It is about code: what is good where most of the code isn't seen is not known. */
  ofCode?: true;
  /** Inputs that it can do without: it is scored by the others. */
  optional?: readonly MetricId[];
  /** How many of the needed inputs must be known; all, where it does not say. */
  enough?: 'any';
  /** What its metrics come to, where it is more than its first input on the scale of its points; beyond 0 and 100, too. */
  score?(measures: Measures, points: Points): number | null;
  /**
   * What its quantities come to; null where they were not measured. A function counts under complexity or size, never twice.
   * Absent for what is made of other factors' costs, or is put right by time and not by work.
   */
  cost?(measures: Measures): FactorCost | null;
  /** Where the work on it leads its metrics; without them it scores no better by the work that is costed. */
  aims?: Partial<Record<MetricId, number>>;
  /** Its cost is technical debt. */
  isDebt?: true;
  /** It is scored by the technical debt, which falls with the work on the factors that are debt. */
  followsDebt?: true;
  /** There is a finding so bad that the dimension can't be good, whatever the others say. */
  caps?(measures: Measures): boolean;
  /** What makes all else beside the point, as a sentence without its full stop: the factor is 0 then, and holds down the whole. */
  decides?(measures: Measures): string | null;
}

/** Keeps the id as a literal, so that the ids of all make up a type. */
export function defineFactor<const Id extends string>(definition: FactorDefinition<Id>): FactorDefinition<Id> {
  return definition;
}

/** The metrics of one repository, or of a portfolio, by id, and how it stands on the day of the assessment. */
export class Matrix extends Map<MetricId, Metric> {
  readonly standing: Standing;

  constructor(metrics: Iterable<readonly [MetricId, Metric]>, standing: Standing) {
    super(metrics);
    this.standing = standing;
  }
}

/** What the metrics say, as scores and costs ask for it; what is not measured counts 0 in quantities. */
export function measuresOf(matrix: Matrix) {
  const value = (id: MetricId) => matrix.get(id)?.value ?? null;
  return {
    value,
    known: (id: MetricId) => value(id) !== null,
    quantity: (id: MetricId, name: string) => matrix.get(id)?.quantities[name] ?? 0,
    denominator: (id: MetricId) => matrix.get(id)?.denominator ?? 0,
    /** Lines of production code, what is one thing written many times once; of an older measurement all code. */
    production: productionLines(matrix),
    standing: matrix.standing,
  };
}

export function productionLines(matrix: ReadonlyMap<MetricId, Metric>): number {
  const lines = matrix.get('loc_code');
  const { production, repeated = 0 } = lines?.quantities ?? {};
  return production === undefined ? (lines?.value ?? 0) : production - repeated;
}

export type Measures = ReturnType<typeof measuresOf>;

type CostOf = (measures: Measures) => FactorCost | null;

/** So many things, so many minutes each. */
export const sum = (parts: readonly (readonly [count: number, one: Minutes])[]): FactorCost => ({
  minutes: parts.reduce((total, [count, { value }]) => total + count * value, 0),
  findings: parts.reduce((total, [count]) => total + count, 0),
  isProxy: false,
  sources: sourcesOf(parts),
});

const sourcesOf = (parts: readonly (readonly [count: number, one: Minutes])[]): string[] => [
  ...new Set(parts.flatMap(([count, { source }]) => (count > 0 ? [source] : []))),
];

/** So many things of a metric, each so long; null when the metric is. */
export const each =
  (id: MetricId, ...parts: readonly (readonly [part: string, one: Minutes])[]): CostOf =>
  ({ known, quantity }) =>
    known(id) ? sum(parts.map(([part, one]) => [quantity(id, part), one])) : null;

/** Things of a metric, each so long, and what comes with them, which is not counted for itself. */
export const eachWith =
  (id: MetricId, [part, one]: readonly [string, Minutes], [more, other]: readonly [string, Minutes]): CostOf =>
  ({ known, quantity }) =>
    known(id)
      ? {
          ...sum([
            [quantity(id, part), one],
            [quantity(id, more), other],
          ]),
          findings: quantity(id, part),
        }
      : null;
