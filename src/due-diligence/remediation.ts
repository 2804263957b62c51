import type { Factor } from './factor-scores.ts';
import type { Matrix } from './factors/factor.ts';
import { costRange, sumOf, times } from './range.ts';
import type { Range } from './range.ts';
import { tenth } from './score.ts';
import { factorCatalog } from './factors/index.ts';
import { cocomo, costModelVersion, dimensions, minutes, ranges } from './scoring-model.ts';
import type { DimensionId, Horizon } from './scoring-model.ts';
import { sumOfScenarios } from './scenarios.ts';
import type { Scenario } from './scenarios.ts';
import { sumOfTargets, targetCosts } from './target-costs.ts';
import type { TargetCost } from './target-costs.ts';

/** What an hour of an engineer costs, in whole units of the currency. */
export interface Rate {
  currency: string;
  hourly_rate: number;
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
  to_grade: TargetCost[];
  /** Empty where it was compared with no population. */
  scenarios: Scenario[];
}

/** The factors whose cost is work, each with its hours. */
function costedOf(factors: readonly Factor[], confidence: number) {
  return factors.flatMap(({ definition, cost }) =>
    cost && cost.minutes > 0
      ? [{ definition, findings: cost.findings, hours: costRange(cost.minutes, cost.isProxy, confidence) }]
      : [],
  );
}

/** The likely hours alone, which is a small part of the work of a remediation. */
export const likelyHours = (factors: readonly Factor[], confidence: number): number =>
  sumOf(costedOf(factors, confidence).map(({ hours }) => hours)).likely;

/** The cost of every factor that has one. */
export function remediation(
  factors: readonly Factor[],
  matrix: Matrix,
  { rate, confidence, capping }: { rate: Rate; confidence: number; capping: readonly Factor['definition'][] },
): Remediation {
  const costed = costedOf(factors, confidence);
  const hours = sumOf(costed.map((each) => each.hours));
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
      return own.length === 0 ? [] : [{ id, hours: sumOf(own.map((each) => each.hours)) }];
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
    replacement_value: lines === 0 ? null : replacement(cocomo.factor * (lines / 1000) ** cocomo.exponent),
    assumptions: assumptions(),
    model_version: costModelVersion,
    not_costed: gapsOf(factors),
    to_grade: targetCosts(factors, matrix, { hourlyRate: rate.hourly_rate, confidence, capping }),
    scenarios: [],
  };
}

/** What is not known is not in the costs; what does not apply, or takes time and no work, is missed by nobody. */
const gapsOf = (factors: readonly Factor[]): string[] =>
  factors.flatMap(({ cost, status, reason, definition }) =>
    cost === null && status === 'not_measured' && definition.cost !== undefined ? [`${definition.id}: ${reason}`] : [],
  );

/** Of several repositories together. */
export function sumOfRemediations(all: readonly Remediation[], rate: Rate): Remediation {
  const hours = sumOf(all.map((each) => each.hours));
  const factorIds = factorCatalog.map(({ id, horizon }) => ({ id, horizon }));
  const horizon = (id: Horizon) => tenth(all.reduce((sum, each) => sum + each.by_horizon[id], 0));
  const personMonths = all.flatMap(({ replacement_value: value }) => value?.person_months ?? []);
  return {
    ...rate,
    hours,
    cost: times(hours, rate.hourly_rate),
    by_dimension: dimensions.flatMap(({ id }) => {
      const own = all.flatMap(({ by_dimension }) => by_dimension.filter((each) => each.id === id));
      return own.length === 0 ? [] : [{ id, hours: sumOf(own.map((each) => each.hours)) }];
    }),
    by_factor: factorIds.flatMap(({ id, horizon }) => {
      const own = all.flatMap(({ by_factor }) => by_factor.filter((each) => each.factor_id === id));
      if (own.length === 0) return [];
      const findings = own.reduce((sum, each) => sum + each.findings, 0);
      return [{ factor_id: id, findings, hours: sumOf(own.map((each) => each.hours)), class: horizon }];
    }),
    by_horizon: {
      deal_critical: horizon('deal_critical'),
      post_deal: horizon('post_deal'),
      long_term: horizon('long_term'),
    },
    replacement_value:
      personMonths.length === 0 ? null : replacement(personMonths.reduce((sum, each) => sum + each, 0)),
    assumptions: assumptions(),
    model_version: costModelVersion,
    not_costed: [...new Set(all.flatMap(({ not_costed: gaps }) => gaps))].sort(),
    to_grade: sumOfTargets(all.map(({ to_grade: targets }) => targets)),
    scenarios: sumOfScenarios(all.map(({ scenarios }) => scenarios)),
  };
}

const replacement = (personMonths: number) => ({
  method: 'cocomo_basic_organic',
  person_months: tenth(personMonths),
  informational: true as const,
});

const assumptions = (): Remediation['assumptions'] => [
  ...Object.entries(minutes).map(([id, { value, source }]) => ({ id: `${id}_minutes`, value, source })),
  ...(['usual', 'wide'] as const).flatMap((width) =>
    (['low', 'high'] as const).map((end) => ({
      id: `${width}_range_${end}`,
      value: ranges[width][end],
      source: 'own choice: times the likely hours',
    })),
  ),
];
