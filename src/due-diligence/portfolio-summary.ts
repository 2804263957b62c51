import type { Assessment } from './assess.ts';
import type { Insights } from './portfolio-insights.ts';
import { numberWords, percentWords, titleOf } from './report-words.ts';
import { grades } from './scoring-model.ts';
import { summaryOf } from './summary.ts';

interface Graded {
  run: { repository: string };
  assessment: Assessment;
}

/**
 * What somebody who decides must know of a portfolio: the summary of all as one, with a verdict of its own. Who reads three sentences
 * reads how good it is, where it is weak and what its parts share, and what it takes. Made by rules from the figures alone. Pure.
 */
export function summaryOfPortfolio(
  assessment: Assessment,
  repositories: readonly Graded[],
  { shared_risks: shared }: Pick<Insights, 'shared_risks'>,
): ReturnType<typeof summaryOf> {
  const summary = summaryOf(assessment);
  const work = summary.verdict.slice(-1);
  return {
    ...summary,
    verdict: [standing(assessment, repositories), weakest(assessment, repositories, shared), ...work],
  };
}

const scoreWords = (score: number) => numberWords(Math.round(score));

function standing({ grade, score, confidence }: Assessment, repositories: readonly Graded[]): string {
  const letters = [...grades.map((each) => each.grade), null];
  const counts = letters.flatMap((letter) => {
    const count = repositories.filter((each) => each.assessment.grade === letter).length;
    return count === 0 ? [] : [`${count} ${letter ?? 'not graded'}`];
  });
  const parts = `${repositories.length} ${repositories.length === 1 ? 'repository' : 'repositories'} by grade: ${counts.join(', ') || 'none'}`;
  return grade === null || score === null
    ? `Together not graded, as ${percentWords(confidence)} of what counts could be measured; ${parts}.`
    : `Together graded ${grade}, ${scoreWords(score)} of 100; ${parts}.`;
}

function weakest(
  { dimensions }: Assessment,
  repositories: readonly Graded[],
  shared: Insights['shared_risks'],
): string {
  const [dimension] = dimensions
    .flatMap(({ id, score, grade }) => (score === null || grade === null ? [] : [{ id, score }]))
    .toSorted((a, b) => a.score - b.score);
  const [lowest] = repositories
    .flatMap(({ run, assessment: { score, grade } }) =>
      score === null || grade === null ? [] : [{ name: run.repository, score, grade }],
    )
    .toSorted((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  const places = [
    ...(dimension
      ? [`weakest together in ${titleOf(dimension.id).toLowerCase()} (${scoreWords(dimension.score)})`]
      : []),
    ...(lowest && repositories.length > 1
      ? [`lowest of all is ${lowest.name} (${lowest.grade}, ${scoreWords(lowest.score)})`]
      : []),
  ];
  const kinds = (['person', 'package', 'secret'] as const).flatMap((kind) => {
    const count = shared.filter((each) => each.kind === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? sharedWords[kind].one : sharedWords[kind].many}`];
  });
  const together =
    kinds.length === 0
      ? 'nothing that was looked for is a risk to several of them at once'
      : `several of them share ${listed(kinds)}`;
  const sentence = [
    ...(places.length === 0 ? ['too little is known to say where it is weak'] : [places.join(', ')]),
    together,
  ].join('; ');
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`;
}

const sharedWords = {
  person: {
    one: 'person who alone knows half of the files or more',
    many: 'people who alone know half of the files or more',
  },
  package: { one: 'vulnerable package', many: 'vulnerable packages' },
  secret: { one: 'secret', many: 'secrets' },
};

const listed = (all: readonly string[]) =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
