import type { Factor, Matrix } from './factors.ts';
import { cocomo, costModelVersion, dimensions, minutes, ranges } from './scoring-model.ts';
import type { DimensionId, Horizon } from './scoring-model.ts';

/** What an hour of an engineer costs, in whole units of the currency. */
export interface Rate {
  currency: string;
  hourly_rate: number;
}

interface Range {
  low: number;
  likely: number;
  high: number;
}

/** What it takes to put right what was found: always a range, with what it rests on and what is not in it. */
export interface Remediation extends Rate {
  hours: Range;
  cost: Range;
  by_dimension: { id: DimensionId; hours: Range }[];
  by_factor: { factor_id: string; findings: number; hours: Range; class: Horizon }[];
  /** Likely hours. */
  by_horizon: Record<Horizon, number>;
  replacement_value: { method: string; person_months: number; informational: true } | null;
  assumptions: { id: string; value: number; source: string }[];
  model_version: string;
  not_costed: string[];
}

/** The cost of every factor that has one. */
export function remediation(
  factors: readonly Factor[],
  matrix: Matrix,
  { rate, confidence }: { rate: Rate; confidence: number },
): Remediation {
  const costed = factors.flatMap(({ definition, cost }) =>
    cost && cost.minutes > 0
      ? [{ definition, findings: cost.findings, hours: rangeOf(cost.minutes, cost.isProxy, confidence) }]
      : [],
  );
  const hours = sum(costed.map((each) => each.hours));
  const horizon = (id: Horizon) =>
    tenth(
      costed.filter(({ definition }) => definition.horizon === id).reduce((all, each) => all + each.hours.likely, 0),
    );
  const lines = matrix.get('loc_code')?.value ?? 0;
  return {
    ...rate,
    hours,
    cost: times(hours, rate.hourly_rate),
    by_dimension: dimensions.flatMap(({ id }) => {
      const own = costed.filter(({ definition }) => definition.dimension === id);
      return own.length === 0 ? [] : [{ id, hours: sum(own.map((each) => each.hours)) }];
    }),
    by_factor: costed.map(({ definition, findings, hours }) => ({
      factor_id: definition.id,
      findings,
      hours,
      class: definition.horizon,
    })),
    by_horizon: {
      deal_critical: horizon('deal_critical'),
      post_deal: horizon('post_deal'),
      long_term: horizon('long_term'),
    },
    replacement_value:
      lines === 0
        ? null
        : {
            method: 'cocomo_basic_organic',
            person_months: tenth(cocomo.factor * (lines / 1000) ** cocomo.exponent),
            informational: true,
          },
    assumptions: Object.entries(minutes).map(([id, { value, source }]) => ({ id: `${id}_minutes`, value, source })),
    model_version: costModelVersion,
    not_costed: factors.flatMap(({ cost, reason, definition }) =>
      cost === null && reason !== null ? [`${definition.id}: ${reason}`] : [],
    ),
  };
}

function rangeOf(likelyMinutes: number, isProxy: boolean, confidence: number): Range {
  const { low, high } = isProxy || confidence < ranges.wideBelowConfidence ? ranges.wide : ranges.usual;
  const likely = likelyMinutes / 60;
  return { low: tenth(likely * low), likely: tenth(likely), high: tenth(likely * high) };
}

function sum(all: readonly Range[]): Range {
  const total = (key: keyof Range) => tenth(all.reduce((value, range) => value + range[key], 0));
  return { low: total('low'), likely: total('likely'), high: total('high') };
}

function times({ low, likely, high }: Range, rate: number): Range {
  return { low: Math.round(low * rate), likely: Math.round(likely * rate), high: Math.round(high * rate) };
}

const tenth = (value: number) => Math.round(value * 10) / 10;
