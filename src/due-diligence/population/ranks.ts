import type { Metric, MetricId } from '../../model/due-diligence.ts';
import { tenth } from '../score.ts';

/** Where a figure stands among the same figure of other repositories. */
export interface Rank {
  /** 0 to 100, 100 is best: the share that is worse, and half of those that are equal. Of what is not scored: that is smaller. */
  percentile: number;
  /** Of which repositories: `all`, a group of languages, or those of it of a size. */
  among: string;
  /** How many of these have the figure. */
  repositories: number;
}

/** Which repositories were compared with. */
export interface AboutPopulation {
  name: string;
  /** The UTC day on which the last of them was measured. */
  measured_on: string;
  /** SHA-256 of their figures. */
  digest: string;
  repositories: number;
}

/** All ranks of one assessment; null where the figure has no value, or too few have one. */
export interface Ranks {
  population: AboutPopulation;
  overall: Rank | null;
  dimensions: ReadonlyMap<string, Rank | null>;
  factors: ReadonlyMap<string, Rank | null>;
  metrics: ReadonlyMap<MetricId, Rank | null>;
}

/** Where a value stands among others: per cent, as `Rank` says. `values` ascend. */
export function percentileRank(
  value: number,
  values: readonly number[],
  direction: Metric['direction'] = 'higher_better',
): number {
  const below = firstAt(values, (other) => other >= value);
  const equal = firstAt(values, (other) => other > value) - below;
  const worse = direction === 'lower_better' ? values.length - below - equal : below;
  return tenth((100 * (worse + equal / 2)) / values.length);
}

/** Where something holds for the first time in what ascends. */
function firstAt(values: readonly number[], holds: (value: number) => boolean): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(values[middle] ?? Infinity)) to = middle;
    else from = middle + 1;
  }
  return from;
}
