// Fits the letters of the whole to the reference population, so that of one half of it 5 % are A, 25 B, 40 C, 25 D and 5 E, and prints
// what becomes of the other half, which the fit does not see. A repository belongs to a half by the digest of its name and the seed.
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
  isFitted: boolean;
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
  return { member, isFitted: first % 2 === 0, free: overall.grade && overall.score, score, isGraded: grade !== null };
});

const halves = [true, false].map((isFitted) => all.filter((each) => each.isFitted === isFitted));
const least = fit((halves[0] ?? []).flatMap(({ free }) => free ?? []));
if (!process.argv.includes('--check'))
  writeFileSync(
    join(root, 'src/due-diligence/population/grades.json'),
    `${JSON.stringify({ population: population.digest, fitted_to: halves[0]?.length, least }, null, 2)}\n`,
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
  const scale = grades.map(({ grade }) => ({ grade, least: least[grade] }));
  console.log(`| lowest score | ${scale.map((each) => `${each.grade} ${each.least}`).join(' | ')} | repositories |`);
  const row = (what: string, scores: readonly number[]) => {
    const letters = scores.map((score) => gradeOf(score, scale));
    const shares = grades.map(
      ({ grade }) => `${Math.round((100 * letters.filter((each) => each === grade).length) / scores.length)} %`,
    );
    console.log(`| ${what} | ${shares.join(' | ')} | ${scores.length} |`);
  };
  for (const [name, half] of [
    ['fitted half', halves[0]],
    ['other half', halves[1]],
  ] as const) {
    row(
      `${name}, before caps`,
      (half ?? []).flatMap(({ free }) => free ?? []),
    );
    row(
      `${name}, as reported`,
      (half ?? []).flatMap(({ score, isGraded }) => (isGraded ? (score ?? []) : [])),
    );
  }
  console.log('\n| other half, liveness left out | repositories | mean percentile | median score |');
  const others = (halves[1] ?? []).flatMap(({ member, free }) => (free === null ? [] : [{ member, free }]));
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
