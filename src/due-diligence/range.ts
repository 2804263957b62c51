import { tenth } from './score.ts';
import { ranges } from './scoring-model.ts';

/** Never one number: what it takes at least, likely and at most. */
export interface Range {
  low: number;
  likely: number;
  high: number;
}

/** Hours for so many minutes at a likely guess; wider where an input is a proxy, or little was measured. */
export function costRange(likelyMinutes: number, isProxy: boolean, confidence: number): Range {
  const { low, high } = isProxy || confidence < ranges.wideBelowConfidence ? ranges.wide : ranges.usual;
  const likely = likelyMinutes / 60;
  return { low: tenth(likely * low), likely: tenth(likely), high: tenth(likely * high) };
}

export function sumOf(all: readonly Range[]): Range {
  const total = (key: keyof Range) => tenth(all.reduce((value, range) => value + range[key], 0));
  return { low: total('low'), likely: total('likely'), high: total('high') };
}

/** In whole units of the currency. */
export function times({ low, likely, high }: Range, rate: number): Range {
  return { low: Math.round(low * rate), likely: Math.round(likely * rate), high: Math.round(high * rate) };
}
