// Fits the letters of the whole to the reference population, so that 5 % of it are A, 25 B, 40 C, 25 D and 5 E. What they say of a
// repository that no fit has seen is told by two-fold cross-validation: each half is graded by the cut points that are fitted to the
// other alone, and these are kept beside the others. A repository belongs to a half by the digest of its name and the seed.
// Writes src/due-diligence/population/grades.json; with --check it only prints. docs/population.md has the reasons and the figures.
// What is fitted is the score before anything caps it and without liveness: ages, notices and caps say what the score can't,
// and hold down a grade whatever the distribution. C begins no lower than what is capped, so that this is a D.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assess, scoresOf } from '../src/due-diligence/assess.ts';
import { measuredOf, readPopulationFile } from '../src/due-diligence/population/population-file.ts';
import type { Member } from '../src/due-diligence/population/population-file.ts';
import { gradeOf, tenth } from '../src/due-diligence/score.ts';
import { cappedScore, grades } from '../src/due-diligence/scoring-model.ts';
import type { Grade } from '../src/due-diligence/scoring-model.ts';

const seed = 'grades';
/** Shares of A to E, in per cent. */
const wanted = { A: 5, B: 25, C: 40, D: 25, E: 5 } as const;
const root = join(import.meta.dirname, '..');
const population = readPopulationFile(join(root, 'src/due-diligence/population/reference.json'));
const { lists } = JSON.parse(readFileSync(join(root, 'bench/population/drawn.json'), 'utf8')) as {
  lists: { removed: string[] }[];
};
const removed = new Set(lists.flatMap((list) => list.removed));

interface Scored {
  member: Member;
  half: 0 | 1;
  /** Without liveness and caps; null where too little was measured for a grade. */
  free: number | null;
  /** As a report has it. */
  score: number | null;
  isGraded: boolean;
}
const all = population.repositories.map((member): Scored => {
  const measured = measuredOf(member, population.methods);
  const { overall } = scoresOf({ metrics: measured.metrics, liveness: undefined }, null);
  const { score, grade } = assess(measured, { currency: 'USD', hourly_rate: 1 }, member.as_of);
  const [first = 0] = createHash('sha256').update(`${seed} ${member.name}`).digest();
  return {
    member,
    half: first % 2 === 0 ? 0 : 1,
    free: overall.grade && overall.score,
    score,
    isGraded: grade !== null,
  };
});

const halves = ([0, 1] as const).map((half) => {
  const own = all.filter((each) => each.half === half);
  const others = all.filter((each) => each.half !== half);
  return { own, byOthers: fit(others.flatMap(({ free }) => free ?? [])) };
});
const least = fit(all.flatMap(({ free }) => free ?? []));
if (!process.argv.includes('--check'))
  writeFileSync(
    join(root, 'src/due-diligence/population/grades.json'),
    `${JSON.stringify({ population: population.digest, fitted_to: all.length, least, cross_validation: { seed, least_by_other_half: halves.map(({ byOthers }) => byOthers) } }, null, 2)}\n`,
  );
report();

/** The lowest score of each letter: half way between the worst of it and the best below. */
function fit(scores: readonly number[]): Record<Grade, number> {
  const descending = scores.toSorted((a, b) => b - a);
  const found: Record<Grade, number> = { A: 0, B: 0, C: 0, D: 0, E: 0 };
  let share = 0;
  for (const { grade } of grades.slice(0, -1)) {
    share += wanted[grade];
    const at = Math.round((descending.length * share) / 100);
    found[grade] = tenth(((descending[at - 1] ?? 0) + (descending[at] ?? 0)) / 2);
  }
  return { ...found, C: Math.max(found.C, cappedScore + 1) };
}

function report(): void {
  const scaleOf = (cuts: Record<Grade, number>) => grades.map(({ grade }) => ({ grade, least: cuts[grade] }));
  const scale = scaleOf(least);
  console.log(`| lowest score | ${scale.map((each) => `${each.grade} ${each.least}`).join(' | ')} | repositories |`);
  const row = (what: string, letters: readonly Grade[]) => {
    const shares = grades.map(
      ({ grade }) => `${Math.round((100 * letters.filter((each) => each === grade).length) / letters.length)} %`,
    );
    console.log(`| ${what} | ${shares.join(' | ')} | ${letters.length} |`);
  };
  const reported = ({ score, isGraded }: Scored) => (isGraded ? score : null);
  for (const [words, scoreOf] of [
    ['before caps', ({ free }: Scored) => free],
    ['as reported', reported],
  ] as const) {
    const letters = (some: readonly Scored[], by: typeof scale) =>
      some.flatMap((each) => {
        const score = scoreOf(each);
        return score === null ? [] : [gradeOf(score, by)];
      });
    row(`fitted, ${words}`, letters(all, scale));
    const unseen = halves.map(({ own, byOthers }) => letters(own, scaleOf(byOthers)));
    for (const [half, some] of unseen.entries()) row(`unseen, ${words}, half ${half + 1}`, some);
    row(`unseen, ${words}`, unseen.flat());
  }
  console.log('\n| liveness left out | repositories | mean percentile | median score |');
  const others = all.flatMap(({ member, free }) => (free === null ? [] : [{ member, free }]));
  const rank = (score: number) =>
    (100 * others.filter(({ free }) => free < score).length + 50 * others.filter(({ free }) => free === score).length) /
    others.length;
  const standing: [string, (member: Member) => boolean][] = [
    ['says of itself that it is deprecated or archived', ({ liveness }) => liveness.notices > 0],
    ['no commit of a person for two years', (member) => idleDays(member) > 730],
    ['removed from its list', ({ name }) => removed.has(name)],
    ['a commit of a person within a year', (member) => idleDays(member) <= 365 && member.liveness.notices === 0],
  ];
  for (const [what, holds] of standing) {
    const own = others.filter(({ member }) => holds(member)).map(({ free }) => free);
    const mean = own.reduce((sum, score) => sum + rank(score), 0) / own.length;
    const median = own.toSorted((a, b) => a - b)[Math.floor(own.length / 2)];
    console.log(`| ${what} | ${own.length} | ${tenth(mean)} | ${median} |`);
  }
}

/** Days without a commit of a person, as of the day of its clone. */
function idleDays({ as_of, liveness }: Member): number {
  return (Date.parse(as_of) - Date.parse(liveness.last_human_commit_at ?? '1970-01-01')) / 86_400_000;
}
