import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metric } from '../../model/due-diligence.ts';
import { scoresOf } from '../assess.ts';
import type { Assessment } from '../assess.ts';
import { cappingOf } from '../factor-scores.ts';
import { productionLines } from '../factors/factor.ts';
import { likelyHours } from '../remediation.ts';
import { minLines, scenariosOf, scoreAtWorst } from '../scenarios.ts';
import { measuredOf, readPopulationFile } from './population-file.ts';
import type { PopulationFile } from './population-file.ts';
import { percentileRank } from './ranks.ts';
import type { AboutPopulation, Rank, Ranks } from './ranks.ts';

/** Repositories to compare one with. */
export interface Population extends AboutPopulation {
  /** With where everything of one repository stands, and what it takes to get on; several assessed as one have no rank among single ones. */
  ranked(assessment: Assessment): Assessment;
}

/** Below it a group says little, and the next larger one is taken. */
const minGroup = 20;
/** Below it there is no percentile at all. */
const minRepositories = 5;

/** Languages that are written alike, by linguist's names; a repository belongs to that of most of its lines. */
const languageGroups: Readonly<Record<string, readonly string[]>> = {
  'JavaScript and TypeScript': ['JavaScript', 'TypeScript', 'TSX', 'CoffeeScript', 'Vue', 'Svelte'],
  'Java, Kotlin and Scala': ['Java', 'Kotlin', 'Scala', 'Groovy'],
  'C, C++ and Rust': ['C', 'C++', 'Rust', 'Objective-C'],
  'Python, Ruby, PHP and shell': ['Python', 'Ruby', 'PHP', 'Shell'],
  'Go and C#': ['Go', 'C#'],
};

/** By lines of production code. */
const sizes = [
  { words: 'below 1,000 lines', below: 1_000 },
  { words: 'of 1,000 to 10,000 lines', below: 10_000 },
  { words: 'from 10,000 lines', below: Infinity },
] as const;

/** The population of a file, or the one that comes with the program; throws one sentence for a file that is none. */
export function openPopulation(file?: string): Population {
  if (file !== undefined) return populationOf(readPopulationFile(file));
  // It is our own, and need not be looked through.
  return populationOf(JSON.parse(readFileSync(join(import.meta.dirname, 'reference.json'), 'utf8')) as PopulationFile);
}

/** Scores are worked out from the figures when first asked for: they are always of today's model. */
function populationOf(file: PopulationFile): Population {
  let known: ReturnType<typeof valuesOf> | null = null;
  const about = {
    name: file.name,
    measured_on: file.measured_on,
    digest: file.digest,
    repositories: file.repositories.length,
  };
  return {
    ...about,
    ranked(assessment) {
      known ??= valuesOf(file);
      const values = known;
      const own = figuresOf(assessment);
      const groups = groupsOf(assessment.matrix);
      const rankOf = (key: string, direction?: Metric['direction']): Rank | null => {
        const value = own.get(key);
        if (value === undefined) return null;
        for (const among of groups) {
          const others = values.get(`${among} ${key}`) ?? [];
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
            (file.methods[id] ?? method_version) === method_version ? rankOf(id, direction) : null,
          ]),
        ),
      };
      const { remediation } = assessment;
      const others = {
        median: percentile(values.get('all at_worst') ?? [], 0.5),
        minutesPerLine: new Map(
          assessment.factors.flatMap(({ definition: { id } }) => {
            const rate = percentile(values.get(`all minutes ${id}`) ?? [], 1);
            return rate === null ? [] : [[id, rate] as const];
          }),
        ),
      };
      const scenarios = scenariosOf(assessment, remediation, others);
      return { ...assessment, ranks, remediation: { ...remediation, scenarios } };
    },
  };
}

/** The values of every figure in every group, by `group figure`; they ascend. */
function valuesOf({ repositories, methods }: PopulationFile): ReadonlyMap<string, readonly number[]> {
  const values = new Map<string, number[]>();
  for (const member of repositories) {
    const scored = scoresOf(measuredOf(member, methods), member.as_of);
    const { overall, dimensions, factors } = scored;
    const matrix = [...scored.matrix.values()];
    const figures = figuresOf({ score: overall.score, dimensions, factors, matrix });
    if (factors.some(({ cost }) => cost !== null))
      figures.set('remediation_hours_likely', likelyHours(factors, overall.confidence));
    const lines = Math.max(minLines, productionLines(scored.matrix));
    figures.set('at_worst', scoreAtWorst(factors, cappingOf(scored.matrix)));
    for (const { definition, cost, status } of factors)
      if (cost !== null && status === 'measured') figures.set(`minutes ${definition.id}`, cost.minutes / lines);
    for (const group of groupsOf(matrix))
      for (const [key, value] of figures) {
        const list = values.get(`${group} ${key}`) ?? [];
        values.set(`${group} ${key}`, list);
        list.push(value);
      }
  }
  for (const list of values.values()) list.sort((a, b) => a - b);
  return values;
}

/** Of values that ascend; null of too few. */
const percentile = (values: readonly number[], share: number) =>
  values.length < minRepositories ? null : (values[Math.ceil(share * values.length) - 1] ?? null);

/** Every figure that has a value, by what it is of; no two ids are alike. */
function figuresOf({
  score,
  dimensions,
  factors,
  matrix,
}: Pick<Assessment, 'score' | 'dimensions' | 'factors' | 'matrix'>): Map<string, number> {
  const figures = new Map<string, number>();
  const add = (key: string, value: number | null) => value !== null && figures.set(key, value);
  add('overall', score);
  for (const each of dimensions) add(each.id, each.score);
  for (const each of factors) add(each.definition.id, each.score);
  for (const each of matrix) add(each.id, each.value);
  return figures;
}

/** The groups that a repository belongs to, the narrowest first. */
function groupsOf(matrix: readonly Metric[]): string[] {
  const metrics = new Map(matrix.map((metric) => [metric.id, metric]));
  const lines = Object.entries(metrics.get('language_count')?.quantities ?? {})
    .filter(([key]) => key.startsWith('kind '))
    .toSorted(([, a], [, b]) => b - a);
  const main = lines[0]?.[0].slice('kind '.length) ?? '';
  const language = Object.keys(languageGroups).find((group) => languageGroups[group]?.includes(main));
  const size = sizes.find(({ below }) => productionLines(metrics) < below);
  return [...(language === undefined || !size ? [] : [`${language}, ${size.words}`, language]), 'all'];
}
