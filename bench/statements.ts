// What the rules for statements say of those that a person read (bench/statements.json), and which weights of their clarity
// (loaders/task-instances/statements/clarity.ts) fit these. Argument: where the histories lie, with `{owner}` and `{name}` in it.
//
// Rules were made of what had been read, so what they say of the same is no measure of them; only a round is that was read under
// the rules of before. Of weights leaving out tells: each statement is judged by those that fit the other histories, as a fresh one is.
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { findCandidates } from '../loaders/task-instances/candidates.ts';
import { cutPatches } from '../loaders/task-instances/cut-patches.ts';
import { isTestFile } from '../loaders/task-instances/is-test-file.ts';
import { pathKinds } from '../loaders/task-instances/path-kinds.ts';
import { clarityFeatures } from '../loaders/task-instances/statements/clarity.ts';
import { cutStatement } from '../loaders/task-instances/statements/cut-statement.ts';
import { textsOf } from '../loaders/task-instances/statements/told.ts';

const verdicts = ['usable', 'tells', 'too little'] as const;
const verdict = z.enum(verdicts);
const { readings } = z
  .object({
    readings: z.array(
      z.object({
        repository: z.string(),
        rules: z.string(),
        tasks: z.array(z.object({ fix: z.string(), verdict, left: verdict.optional(), told: verdict.optional() })),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(new URL('statements.json', import.meta.url), 'utf8')));

interface Judged {
  repository: string;
  rules: string;
  verdict: (typeof verdicts)[number];
  passes: boolean;
  features: number[];
}

const [place] = process.argv.slice(2);
if (place === undefined) throw new Error('Say where the histories lie, with {owner} and {name} in it.');
const judged: Judged[] = [];
let names: string[] = [];
for (const { repository, rules, tasks } of readings) {
  const [owner = '', name = ''] = repository.split('/');
  const gitDir = place.replaceAll('{owner}', owner).replaceAll('{name}', name);
  if (!existsSync(gitDir)) console.log(`${repository}: no history at ${gitDir}`);
  else for (const task of tasks) judged.push(...(await judge(gitDir, repository, rules, task)));
}

console.log(`\n${judged.length} statements\n\n| rules | verdict | read | pass now |\n| --- | --- | ---: | ---: |`);
for (const [rules, round] of [...Map.groupBy(judged, (each) => each.rules), ['all', judged] as const])
  for (const given of verdicts) {
    const these = round.filter((each) => each.verdict === given);
    console.log(`| ${rules} | ${given} | ${these.length} | ${these.filter(({ passes }) => passes).length} |`);
  }

const odds = [...Map.groupBy(judged, ({ repository }) => repository)].flatMap(([repository, these]) => {
  const fitted = fit(judged.filter((each) => each.repository !== repository));
  return these.map((each) => ({ each, clarity: clarityBy(fitted, each.features) }));
});
console.log('\n| clarity at least, by other histories | pass | usable | tell |\n| ---: | ---: | ---: | ---: |');
for (const least of [0, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8]) {
  const pass = odds.filter(({ clarity }) => clarity >= least).map(({ each }) => each.verdict);
  const share = pass.filter((given) => given === 'usable').length / pass.length;
  console.log(
    `| ${least} | ${pass.length} | ${share.toFixed(3)} | ${pass.filter((given) => given === 'tells').length} |`,
  );
}
const { weights, atNothing } = fit(judged);
console.log(
  `\nFitted to all: ${names.map((name, at) => `${name} ${weights[at]?.toFixed(2)}`).join(', ')}; at nothing ${atNothing.toFixed(2)}`,
);

/** A task's statement as it is given now; nothing where the rules no longer find a candidate in its commit. */
async function judge(
  gitDir: string,
  repository: string,
  rules: string,
  { fix, verdict: read, left, told: withInterface }: (typeof readings)[number]['tasks'][number],
): Promise<Judged[]> {
  const { candidates } = await findCandidates({
    gitDir,
    commit: fix,
    repo: repository,
    kindOf: pathKinds({ isTest: isTestFile, isSource: () => true }),
    maxFiles: 15,
    maxLines: 500,
    minWords: 8,
    maxCandidates: 1,
    issues: new Map(),
  });
  const [candidate] = candidates;
  const cut = candidate?.fix.startsWith(fix) ? await cutPatches(gitDir, candidate) : null;
  if (!candidate || cut === null || typeof cut === 'string') {
    console.log(`${repository} ${fix}: ${typeof cut === 'string' ? cut : 'no candidate any more'}`);
    return [];
  }
  const { text: statement, source } = candidate.statement;
  const { testFiles, leakScore } = candidate;
  const told = { statement, source, patch: cut.patch, testPatch: cut.test_patch, failToPass: [], testFiles, leakScore };
  const given = cutStatement(told);
  const features = clarityFeatures(textsOf({ ...told, ...given }));
  names = Object.keys(features);
  const isCut = given.statement !== statement;
  return [
    {
      repository,
      rules,
      verdict: (given.interface === '' ? undefined : withInterface) ?? (isCut ? (left ?? read) : read),
      passes: given.flags.every((flag) => flag === 'changelog_only'),
      features: Object.values(features),
    },
  ];
}

interface Fitted {
  weights: number[];
  atNothing: number;
}

function clarityBy({ weights: fitted, atNothing: constant }: Fitted, features: readonly number[]): number {
  return 1 / (1 + Math.exp(-features.reduce((sum, value, at) => sum + value * (fitted[at] ?? 0), constant)));
}

/** Logistic regression of whether a statement is usable; weights are kept small (by half the square of their norm, times 1/.3), features in units of their spread. */
function fit(of: readonly Judged[]): Fitted {
  const columns = names.map((_, at) => of.map(({ features }) => features[at] ?? 0));
  const means = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / of.length);
  const spreads = columns.map((column, at) =>
    Math.sqrt(column.reduce((sum, value) => sum + (value - (means[at] ?? 0)) ** 2, 0) / of.length),
  );
  const rows = of.map(({ features }) => features.map((value, at) => (value - (means[at] ?? 0)) / (spreads[at] || 1)));
  const slopes = names.map(() => 0);
  let constant = 0;
  for (let step = 0; step < 3_000; step++) {
    const errors = rows.map(
      (row, at) => clarityBy({ weights: slopes, atNothing: constant }, row) - (of[at]?.verdict === 'usable' ? 1 : 0),
    );
    constant -= errors.reduce((sum, error) => sum + error, 0) / of.length;
    for (const [at, slope] of slopes.entries()) {
      const gradient = errors.reduce((sum, error, row) => sum + error * (rows[row]?.[at] ?? 0), slope / 0.3);
      slopes[at] = slope - gradient / of.length;
    }
  }
  const raw = slopes.map((slope, at) => slope / (spreads[at] || 1));
  return { weights: raw, atNothing: constant - raw.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0) };
}
