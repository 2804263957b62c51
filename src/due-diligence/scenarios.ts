import type { Assessment } from './assess.ts';
import { cappingOf } from './factor-scores.ts';
import type { Factor } from './factor-scores.ts';
import { Matrix, productionLines } from './factors/factor.ts';
import { costRange, sumOf, times } from './range.ts';
import type { Range } from './range.ts';
import type { Rate } from './remediation.ts';
import { powerMean, tenth } from './score.ts';
import { cappedScore, cocomo, dimensions, minutes, overallGrades, riskWeights, upkeep } from './scoring-model.ts';
import type { Grade } from './scoring-model.ts';
import { workTo } from './target-costs.ts';

/** A part of a scenario's work. */
export interface ScenarioPart {
  /** A factor, or what is done in a year. */
  id: string;
  hours: Range;
  /** Where the hours are from. */
  sources: readonly string[];
  /** Nothing is known of it: it counts as the worst, and costs as much as anywhere in the population. */
  assumed: boolean;
}

/** What it takes to come to something, always a range, with where it is from. */
export interface Scenario {
  id: 'next_grade' | 'median' | 'year';
  /** What it is called, `To the next grade, B`. */
  title: string;
  /** The grade that is aimed at. */
  grade: Grade | null;
  /** The score that is aimed at. */
  target: number | null;
  /** Whether the work that is costed leads there. */
  reached: boolean;
  hours: Range;
  cost: Range;
  parts: readonly ScenarioPart[];
  /** What holds the score down whatever else is done: it comes first. Hours are null where no work removes it. */
  first: readonly { factor_id: string; hours: Range | null }[];
  rule: string;
}

/** What is known of others: the score in the middle, at worst, and what a factor takes at most, in minutes for each line. */
export interface Others {
  median: number | null;
  minutesPerLine: ReadonlyMap<string, number>;
}

/** So that a handful of lines does not make a rate of anything. */
export const minLines = 1_000;

/** To the next grade, to the middle of the population, and to be kept alive for a year. Pure. */
export function scenariosOf(assessment: Assessment, rate: Rate, { median, minutesPerLine }: Others): Scenario[] {
  const { standing, score, confidence } = assessment;

  const matrix = new Matrix(
    assessment.matrix.map((metric) => [metric.id, metric]),
    standing,
  );
  const capping = cappingOf(matrix);
  const lines = Math.max(minLines, productionLines(matrix));
  const factors = assessment.factors.map((factor) =>
    assumedOf(factor, lines * (minutesPerLine.get(factor.definition.id) ?? 0)),
  );
  const work = workTo(factors, matrix, capping);
  const atWorst = scoreAtWorst(assessment.factors, capping);
  const over = factors.filter(({ decision }) => decision !== null);
  const first = [...over, ...factors.filter((each) => capping.includes(each.definition) && !over.includes(each))].map(
    ({ definition, cost }) => ({
      factor_id: definition.id,
      hours: cost && cost.minutes > 0 ? costRange(cost.minutes, cost.isProxy, confidence) : null,
    }),
  );
  const leading = (id: Scenario['id'], target: number, grade: Grade | null, rule: string): Scenario => {
    const { reached, score: after, shares } = atWorst >= target ? there : work(target);
    const parts = factors.flatMap(({ definition, cost, status }): ScenarioPart[] => {
      const share = shares.get(definition.id) ?? 0;
      if (!cost || share === 0 || cost.minutes === 0) return [];
      const hours = costRange(cost.minutes * share, cost.isProxy, confidence);
      const assumed = status === 'not_measured';
      return [{ id: definition.id, hours, sources: cost.sources ?? [], assumed }];
    });
    // What decides and leads nowhere is not put right by work that is costed.
    const held = over.some(({ definition }) => !definition.aims) && target > cappedScore;
    return {
      ...aimOf(id, grade, tenth(target)),
      reached: reached && !held && after >= target,
      ...sums(parts, rate),
      parts,
      first,
      rule,
    };
  };
  const next = overallGrades.findLast(({ least }) => least > (score ?? 0));
  return [
    ...(next ? [leading('next_grade', next.least, next.grade, rules.next_grade)] : []),
    ...(median === null ? [] : [leading('median', median, null, rules.median)]),
    yearOf(matrix, rate),
  ];
}

function aimOf(
  id: Scenario['id'],
  grade: Grade | null = null,
  target: number | null = null,
): Pick<Scenario, 'id' | 'title' | 'grade' | 'target'> {
  const titles = {
    next_grade: grade === null ? 'To the next grade' : `To the next grade, ${grade}`,
    median: `To the middle of the population${target === null ? '' : `, ${target} of 100`}`,
    year: 'To keep it alive for a year',
  };
  return { id, title: titles[id], grade, target };
}

const there = { reached: true, score: 100, shares: new Map<string, number>() };

const rules = {
  next_grade:
    'The worst dimensions first, all up to one level, until the whole has the next grade; what could not be measured counts as the worst.',
  median:
    'Likewise, until the whole has the score in the middle of the reference population, where what could not be measured counts as the worst, too.',
  year: 'Basic COCOMO of the lines of code times the part of them that is changed in a year, and the updates of its direct dependencies: nothing new, only what keeps it alive.',
};

const sums = (parts: readonly ScenarioPart[], { hourly_rate: hourly }: Rate) => {
  const hours = sumOf(parts.map((part) => part.hours));
  return { hours, cost: times(hours, hourly) };
};

/** The whole where what is not known, and would cost work, is 0. */
export function scoreAtWorst(factors: readonly Factor[], capping: readonly Factor['definition'][]): number {
  const parts = dimensions.flatMap(({ id, weight }) => {
    const own = factors.flatMap((factor) => {
      const score = isHidden(factor) ? 0 : factor.score;
      return factor.definition.dimension !== id || score === null
        ? []
        : [{ score, weight: riskWeights[factor.definition.risk] }];
    });
    const score = powerMean(own);
    const isCapped = capping.some(({ dimension }) => dimension === id);
    return score === null ? [] : [{ score: isCapped ? Math.min(score, cappedScore) : score, weight }];
  });
  return tenth(powerMean(parts) ?? 0);
}

const isHidden = ({ definition, status, decision }: Factor) =>
  status === 'not_measured' && decision === null && definition.cost !== undefined;

/** What is not known counts as the worst, with work that is assumed: else hiding something would make it cheaper. */
function assumedOf(factor: Factor, others: number): Factor {
  const { cost } = factor;
  if (!isHidden(factor)) return factor;
  const assumed = Math.max(cost?.minutes ?? 0, others, minutes.effort_medium.value);
  const sources = [...(cost?.sources ?? []), upkeep.assumed.source];
  return { ...factor, score: 0, cost: { minutes: assumed, findings: 0, isProxy: true, sources } };
}

function yearOf(matrix: Matrix, rate: Rate): Scenario {
  const lines = matrix.get('loc_code')?.value ?? 0;
  const dependencies = matrix.get('direct_dependency_count')?.value ?? 0;
  const developed = cocomo.factor * (lines / 1000) ** cocomo.exponent * upkeep.month_hours.value;
  const { low, likely, high } = upkeep.changed_share.value;
  const updates = costRange(dependencies * upkeep.updates.value * minutes.stale_dependency.value, true, 1);
  const all: ScenarioPart[] = [
    {
      id: 'changes',
      hours: { low: tenth(developed * low), likely: tenth(developed * likely), high: tenth(developed * high) },
      sources: [upkeep.changed_share.source, upkeep.month_hours.source],
      assumed: false,
    },
    {
      id: 'updates',
      hours: updates,
      sources: [upkeep.updates.source, minutes.stale_dependency.source],
      assumed: false,
    },
  ];
  const parts = all.filter(({ hours }) => hours.high > 0);
  return {
    ...aimOf('year'),
    reached: true,
    ...sums(parts, rate),
    parts,
    first: [],
    rule: rules.year,
  };
}

/** Of several repositories each by itself: work in one leads no other anywhere. */
export function sumOfScenarios(all: readonly (readonly Scenario[])[]): Scenario[] {
  return (['next_grade', 'median', 'year'] as const).flatMap((id): Scenario[] => {
    const own = all.flatMap((scenarios) => scenarios.filter((each) => each.id === id));
    const [one] = own;
    if (!one) return [];
    const parts = Map.groupBy(
      own.flatMap((each) => each.parts),
      (part) => part.id,
    );
    const first = Map.groupBy(
      own.flatMap((each) => each.first),
      (cause) => cause.factor_id,
    );
    return [
      {
        ...one,
        ...aimOf(id, null, id === 'median' ? one.target : null),
        reached: own.every(({ reached }) => reached),
        hours: sumOf(own.map(({ hours }) => hours)),
        cost: sumOf(own.map(({ cost }) => cost)),
        parts: Array.from(parts, ([id, list]) => ({
          id,
          hours: sumOf(list.map(({ hours }) => hours)),
          sources: [...new Set(list.flatMap(({ sources }) => sources))],
          assumed: list.some(({ assumed }) => assumed),
        })),
        first: Array.from(first, ([factor_id, list]) => ({
          factor_id,
          hours: list.some(({ hours }) => hours === null) ? null : sumOf(list.flatMap(({ hours }) => hours ?? [])),
        })),
        rule: `Of each repository by itself, added up. ${one.rule}`,
      },
    ];
  });
}
