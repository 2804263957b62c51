import type { Value } from '../../model/property-graph.ts';
import type { Effort } from './effort.ts';
import { QueryFailure } from './failure.ts';
import { wrongValue } from './functions.ts';
import { compare, isNumber } from './values.ts';

/** Adds up the values of one group; null is never among them. */
export interface Aggregate {
  add(value: Value, parameter: Value): void;
  result(): Value;
}

const numberIn = (name: string, value: Value): bigint | number => {
  if (!isNumber(value)) throw wrongValue(name, value);
  return value;
};

/** Two numbers: an integer only where both are. */
export function sum(a: bigint | number, b: bigint | number): bigint | number {
  return typeof a === 'bigint' && typeof b === 'bigint' ? a + b : Number(a) + Number(b);
}

function extreme(isBetter: (order: number) => boolean): () => Aggregate {
  return () => {
    let best: Value = null;
    return {
      add(value) {
        if (best === null || isBetter(compare(value, best))) best = value;
      },
      result: () => best,
    };
  };
}

/** Of all values, sorted, the one at a share of them. */
function percentile(
  name: string,
  at: (sorted: readonly (bigint | number)[], share: number) => Value,
): (effort: Effort) => Aggregate {
  return (effort) => {
    const values: (bigint | number)[] = [];
    let share: number | null = null;
    return {
      add(value, parameter) {
        effort.keep(1);
        values.push(numberIn(name, value));
        share = Number(numberIn(name, parameter));
        if (!(share >= 0 && share <= 1))
          throw new QueryFailure('ArgumentError', 'NumberOutOfRange', `${name} takes a share from 0 to 1.`);
      },
      result() {
        if (share === null) return null;
        return at(
          values.toSorted((a, b) => compare(a, b)),
          share,
        );
      },
    };
  };
}

/** One of the values. */
const discrete = (sorted: readonly (bigint | number)[], share: number): Value =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;

/** What stands between two of them. */
function continuous(sorted: readonly (bigint | number)[], share: number): Value {
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]].map(Number) as [number, number];
  return low + (high - low) * (place - Math.floor(place));
}

/** Welford's way: no sum of squares that swallows small differences. */
function deviation(name: string, lessOne: 0 | 1): () => Aggregate {
  return () => {
    let [count, mean, squares] = [0, 0, 0];
    return {
      add(value) {
        const number = Number(numberIn(name, value));
        count += 1;
        const before = number - mean;
        mean += before / count;
        squares += before * (number - mean);
      },
      result: () => (count <= lessOne ? 0 : Math.sqrt(squares / (count - lessOne))),
    };
  };
}

/** What aggregates, by names in small letters; count(*) is a count of rows. */
export const aggregates: ReadonlyMap<string, (effort: Effort) => Aggregate> = new Map<
  string,
  (effort: Effort) => Aggregate
>([
  [
    'count',
    () => {
      let count = 0n;
      return { add: () => void (count += 1n), result: () => count };
    },
  ],
  [
    'sum',
    () => {
      let total: bigint | number = 0n;
      return { add: (value) => void (total = sum(total, numberIn('sum', value))), result: () => total };
    },
  ],
  [
    'avg',
    () => {
      let [count, mean] = [0, 0];
      return {
        add(value) {
          count += 1;
          mean += (Number(numberIn('avg', value)) - mean) / count;
        },
        result: () => (count === 0 ? null : mean),
      };
    },
  ],
  ['min', extreme((order) => order < 0)],
  ['max', extreme((order) => order > 0)],
  [
    'collect',
    (effort) => {
      const values: Value[] = [];
      return {
        add(value) {
          effort.keep(effort.sizeOf(value));
          values.push(value);
        },
        result: () => effort.made(values),
      };
    },
  ],
  ['percentiledisc', percentile('percentileDisc', discrete)],
  ['percentilecont', percentile('percentileCont', continuous)],
  ['stdev', deviation('stDev', 1)],
  ['stdevp', deviation('stDevP', 0)],
]);
