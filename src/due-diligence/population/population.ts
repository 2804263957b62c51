import type { Metric } from '../../model/due-diligence.ts';
import type { Assessment } from '../assess.ts';
import { scenariosOf } from '../scenarios.ts';
import { readPopulationFile } from './population-file.ts';
import { percentileRank } from './ranks.ts';
import type { AboutPopulation, Rank, Ranks } from './ranks.ts';
import { reference } from './reference.ts';
import { figuresOf, groupsOf, scored, type ScoredPopulation } from './scored.ts';

/** Repositories to compare one with. */
export interface Population extends AboutPopulation {
  /** With where everything of one repository stands, and what it takes to get on; several assessed as one have no rank among single ones. */
  ranked(assessment: Assessment): Assessment;
}

/** Below it a group says little, and the next larger one is taken. */
const minGroup = 20;
/** Below it there is no percentile at all. */
const minRepositories = 5;

/** The population of a file, or the one that comes with the program; throws one sentence for a file that is none. */
export function openPopulation(file?: string): Population {
  const population = file === undefined ? reference() : scored(readPopulationFile(file));
  const { about, methods } = population;
  const valuesOf = ascending(population);
  return {
    ...about,
    ranked(assessment) {
      const own = figuresOf(assessment);
      const groups = groupsOf(assessment.matrix);
      const rankOf = (key: string, direction?: Metric['direction']): Rank | null => {
        const value = own.get(key);
        if (value === undefined) return null;
        for (const among of groups) {
          const others = valuesOf(among, key);
          if (others.length >= (among === 'all' ? minRepositories : minGroup))
            return { percentile: percentileRank(value, others, direction), among, repositories: others.length };
        }
        return null;
      };
      const ranks: Ranks = {
        population: about,
        overall: rankOf('overall'),
        dimensions: new Map(assessment.dimensions.map(({ id }) => [id, rankOf(id)])),
        factors: new Map(assessment.factors.map(({ definition: { id } }) => [id, rankOf(id)])),
        metrics: new Map(
          assessment.matrix.map(({ id, direction, method_version }) => [
            id,
            // What was measured otherwise can't be compared.
            (methods[id] ?? method_version) === method_version ? rankOf(id, direction) : null,
          ]),
        ),
      };
      const { remediation } = assessment;
      const others = {
        median: percentile(valuesOf('all', 'at_worst'), 0.5),
        minutesPerLine: new Map(
          assessment.factors.flatMap(({ definition: { id } }) => {
            const rate = percentile(valuesOf('all', `minutes ${id}`), 1);
            return rate === null ? [] : [[id, rate] as const];
          }),
        ),
      };
      const scenarios = scenariosOf(assessment, remediation, others);
      return { ...assessment, ranks, remediation: { ...remediation, scenarios } };
    },
  };
}

/** The values of a figure in a group, which ascend. Few of all are asked for, and portfolios ask for the same again. */
function ascending({ groups, figures }: ScoredPopulation) {
  const known = new Map<string, readonly number[]>();
  return (group: string, key: string): readonly number[] => {
    const name = `${group} ${key}`;
    const before = known.get(name);
    if (before) return before;
    const inGroup = (figures[key] ?? []).filter((_, at) => groups[at]?.includes(group));
    const values = inGroup.filter((value) => value !== null).sort((a, b) => a - b);
    known.set(name, values);
    return values;
  };
}

/** Of values that ascend; null of too few. */
const percentile = (values: readonly number[], share: number) =>
  values.length < minRepositories ? null : (values[Math.ceil(share * values.length) - 1] ?? null);
