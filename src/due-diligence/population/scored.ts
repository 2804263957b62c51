import type { Metric } from '../../model/due-diligence.ts';
import { scoresOf } from '../assess.ts';
import type { Assessment } from '../assess.ts';
import { cappingOf } from '../factor-scores.ts';
import { productionLines } from '../factors/factor.ts';
import { likelyHours } from '../remediation.ts';
import { minLines, scoreAtWorst } from '../scenarios.ts';
import { measuredOf } from './population-file.ts';
import type { Member, PopulationFile } from './population-file.ts';
import type { AboutPopulation } from './ranks.ts';

/** What a population's figures come to by today's model. It is plain data. */
export interface ScoredPopulation {
  about: AboutPopulation;
  methods: PopulationFile['methods'];
  /** Of each repository the groups that it belongs to, the narrowest first. */
  groups: readonly (readonly string[])[];
  /** By what it is of, a figure of each repository in the same order; null where one has no value. */
  figures: Readonly<Record<string, readonly (number | null)[]>>;
}

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

/** Scores are worked out from the figures: they are always of today's model. */
export function scored({ name, measured_on, digest, methods, repositories }: PopulationFile): ScoredPopulation {
  const members = repositories.map((member) => scoredMember(member, methods));
  const keys = [...new Set(members.flatMap(({ figures }) => [...figures.keys()]))];
  return {
    about: { name, measured_on, digest, repositories: repositories.length },
    methods,
    groups: members.map(({ groups }) => groups),
    figures: Object.fromEntries(keys.map((key) => [key, members.map(({ figures }) => figures.get(key) ?? null)])),
  };
}

function scoredMember(member: Member, methods: PopulationFile['methods']) {
  const { overall, dimensions, factors, matrix: metrics } = scoresOf(measuredOf(member, methods), member.as_of);
  const matrix = [...metrics.values()];
  const figures = figuresOf({ score: overall.score, dimensions, factors, matrix });
  if (factors.some(({ cost }) => cost !== null))
    figures.set('remediation_hours_likely', likelyHours(factors, overall.confidence));
  const lines = Math.max(minLines, productionLines(metrics));
  figures.set('at_worst', scoreAtWorst(factors, cappingOf(metrics)));
  for (const { definition, cost, status } of factors)
    if (cost !== null && status === 'measured') figures.set(`minutes ${definition.id}`, cost.minutes / lines);
  return { groups: groupsOf(matrix), figures };
}

/** Every figure that has a value, by what it is of; no two ids are alike. */
export function figuresOf({
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
export function groupsOf(matrix: readonly Metric[]): string[] {
  const metrics = new Map(matrix.map((metric) => [metric.id, metric]));
  const lines = Object.entries(metrics.get('language_count')?.quantities ?? {})
    .filter(([key]) => key.startsWith('kind '))
    .toSorted(([, a], [, b]) => b - a);
  const main = lines[0]?.[0].slice('kind '.length) ?? '';
  const language = Object.keys(languageGroups).find((group) => languageGroups[group]?.includes(main));
  const size = sizes.find(({ below }) => productionLines(metrics) < below);
  return [...(language === undefined || !size ? [] : [`${language}, ${size.words}`, language]), 'all'];
}
