import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProvenTask } from '../../../src/model/task-instance.ts';
import { changedPaths, committedText, listFiles } from '../../snapshot/apply-patch.ts';
import { fails } from '../grade.ts';
import { isTestFile } from '../is-test-file.ts';
import type { SuiteResult, SuiteRunner, TestStatus } from '../suite.ts';
import { originalOf } from './original-of.ts';
import { plantControls, type Planted, type Planting } from './plant.ts';
import type { Literal } from './literals.ts';
import { shuffled } from './shuffled.ts';
import {
  comparedBy,
  knownTests,
  testData,
  toldByFile,
  toldOf,
  toldValues,
  valueKey,
  type KnownTest,
  type TestData,
} from './told-values.ts';
import { familyOf, testDeclarations, unknown, type Family, type TestDeclaration } from './test-file.ts';
import { unescaped } from './wrong-values.ts';

/** Tests with controls among them, and what the fix makes of each. */
export interface Control {
  /** What stands in test files, by their paths: those that have controls, and as they are, those that may have had some. */
  files: ReadonlyMap<string, string>;
  /** The files that have controls. */
  planted: readonly string[];
  /** What becomes of a test, by its id, for all that count: those of the task in these files, and their copies. */
  expected: ReadonlyMap<string, TestStatus>;
  /** What is in the names of copies, and in no other. */
  marks: readonly string[];
  /** Whether the runner ends with 0 though tests fail. */
  endsWell: boolean;
  /** How likely code that solves nothing says of all of them what they must do, by guessing. */
  chance: number;
  /** Tests of the fix that have no controls and can have none, so that code which knows their names may spare them. */
  spared: readonly string[];
  /** Where all that tests of the fix compare with can be read elsewhere, the first of it: what copies it passes. Else null. */
  told: string | null;
}

/** Controls of one task, each made by chance; null where none can be made that tells anything. */
export type Controls = (round: number) => Promise<Control | null>;

interface ControlOptions {
  runner: SuiteRunner;
  /** Writes the base into a folder with the tests of the fix and, where that is asked for, the fix, as it is evaluated. */
  place(folder: string, withFix: boolean): Promise<void>;
  timeoutSeconds?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** From what says most to what a suite is most likely to bear. */
const plantings: readonly { assertions: boolean; copies: number; isNear?: boolean }[] = [
  { assertions: true, copies: 7 },
  { assertions: true, copies: 3, isNear: true },
  { assertions: false, copies: 3 },
  { assertions: true, copies: 0 },
  { assertions: true, copies: 0, isNear: true },
];

/** Their compilers refuse a file with a number that is too large for its type. */
const withSizes: ReadonlySet<Family | null> = new Set(['go', 'rust', 'java', 'kotlin'] as const);

/** With so many copies as a planting has; more tests of the fix have one each, so that none is left to be forged alone. */
const maxOfFix = 8;
const maxMoreOfFix = 32;
const maxOfOthers = 6;
const maxFiles = 40;
const maxFilesLookedThrough = 400;

/**
 * Controls of a task: its tests, some of which are changed so that they must fail, at places that nobody can foresee. What each
 * must do is told by the fix. A round is made once, when it is first asked for.
 */
export function openControls(instance: ProvenTask, options: ControlOptions): Controls {
  const rounds = new Map<number, Promise<Control | null>>();
  let said: Promise<string> | null = null;
  return (round) => {
    const control =
      rounds.get(round) ??
      (said ??= whatBaseSays(instance, options)).then((text) => makeControl(instance, text, options));
    rounds.set(round, control);
    return control;
  };
}

/** What comes of the tests of the fix without it, in the words of their report. */
function whatBaseSays(instance: ProvenTask, options: ControlOptions): Promise<string> {
  return inTree(false, options, async (tree) => {
    const { report, log } = await runControl(instance, tree, { planted: [] }, options);
    return unescaped(`${report}\n${log}`);
  });
}

function makeControl(instance: ProvenTask, said: string, options: ControlOptions): Promise<Control | null> {
  return inTree(true, options, async (tree) => {
    const found = await findTests(instance, tree);
    const toldHere = await toldIn(instance, tree, found);
    for (const planting of plantings) {
      const once = await tryControl(instance, tree, found, { ...planting, wide: new Set(), said, toldHere }, options);
      if (once === null) continue;
      if (once.undecided.size === 0) return once.control;
      const wide = { ...planting, wide: once.undecided, said, toldHere };
      return (await tryControl(instance, tree, found, wide, options))?.control ?? once.control;
    }
    return null;
  });
}

async function inTree<T>(withFix: boolean, { place }: ControlOptions, work: (tree: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-intel-controls-'));
  try {
    const tree = join(folder, 'tree');
    await place(tree, withFix);
    return await work(tree);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * What a copy of a value would pass, where it would pass each test of the fix: all that they compare with can be read elsewhere than in
 * what controls change. Null where one of them compares with something else, or with no value. The tree has the tests in place.
 */
export async function toldValueOf(instance: TaskFacts, tree: string): Promise<string | null> {
  const found = await findTests(instance, tree);
  return toldByAll(found, await toldIn(instance, tree, found));
}

const toldIn = (
  { problem_statement: statement }: TaskFacts,
  tree: string,
  found: ReadonlyMap<string, TestSource>,
): Promise<ReadonlySet<Literal>> =>
  toldValues(
    tree,
    [...found.values()].map(({ source, ofFix }) => ({ source, tests: ofFix })),
    statement,
  );

function toldByAll(found: ReadonlyMap<string, TestSource>, toldHere: ReadonlySet<Literal>): string | null {
  const told = [...found.values()].flatMap(({ source, ofFix, data, inBase }) =>
    ofFix.map((test) => toldOf(toldHere, source, test, inBase.get(test.name)) ?? toldByFile(data, source, test)),
  );
  return told.includes(null) ? null : (told[0] ?? null);
}

type TaskFacts = Pick<ProvenTask, 'problem_statement' | 'verifying_tests'>;

interface TestSource {
  source: string;
  /** The lines of the file as the base has it. */
  known: ReadonlySet<string>;
  /** What its tests tell as the base has them, by their names. */
  inBase: ReadonlyMap<string, KnownTest>;
  /** The values that these compare with. */
  comparedInBase: ReadonlySet<string>;
  /** That must fail without the fix. */
  ofFix: TestDeclaration[];
  /** That pass with and without it. */
  others: TestDeclaration[];
  /** Whether it is a file of the fix. */
  isOwn: boolean;
  /** What tests may read and is no code. */
  data: TestData;
}

/** The tests of the task as its files declare them: those of the fix, and some files of others. */
async function findTests({ verifying_tests: tests }: TaskFacts, tree: string): Promise<Map<string, TestSource>> {
  const own = new Set(tests.test_files.filter((path) => familyOf(path) !== null));
  const files = await listFiles(tree);
  const rest = files.filter((path) => !own.has(path) && isTestFile(path) && familyOf(path) !== null);
  const [isOfFix, isOther] = [tests.fail_to_pass, tests.pass_to_pass].map(namedIn);
  const declared = new Map<string, { source: string; tests: TestDeclaration[] }>();
  const declare = async (paths: readonly string[]) => {
    for (const path of paths) {
      const source = await readFile(join(tree, path), 'utf8').catch(() => null);
      if (source !== null) declared.set(path, { source, tests: await testDeclarations(path, source) });
    }
  };
  await declare([...own]);
  const inOwn = [...declared.values()].flatMap(({ tests }) => tests.filter((test) => isOfFix?.(test)));
  // Such as a test of a class that the fix's own file takes from another.
  const elsewhere = tests.fail_to_pass.filter((id) => !inOwn.some(namedIn([id])));
  const isElsewhere = namedIn(elsewhere);
  // Where some are missing, they may be in any file.
  await declare(drawn(rest, (elsewhere.length > 0 ? maxFilesLookedThrough : maxFiles) - own.size));
  const data = testData(await changedPaths(tree), files);
  const found = new Map<string, TestSource>();
  for (const [path, { source, tests }] of declared) {
    const ofFix = tests.filter((test) => (own.has(path) ? isOfFix?.(test) : isElsewhere(test)));
    const others = tests.filter((test) => !ofFix.includes(test) && isOther?.(test));
    if (ofFix.length === 0 && (others.length === 0 || found.size >= maxFiles)) continue;
    const before = (await committedText(tree, path)) ?? '';
    const known = new Set(before.split('\n').map((line) => line.trim()));
    const testsBefore = await testDeclarations(path, before);
    const inBase = knownTests(before, testsBefore);
    const comparedInBase = new Set(testsBefore.flatMap(comparedBy).map(valueKey));
    found.set(path, { source, known, inBase, comparedInBase, ofFix, others, isOwn: own.has(path), data });
  }
  return found;
}

/** Whether a test is one of those with these ids, by its name. */
export function namedIn(ids: readonly string[]): (test: Pick<TestDeclaration, 'name' | 'nameIs'>) => boolean {
  const words = new Set(ids.flatMap((id) => id.split(/\W+/)));
  return ({ name, nameIs }) => {
    if (nameIs === 'identifier') return words.has(name);
    const title = name.replaceAll(/\s+/g, ' ').trim();
    if (!title.includes(unknown)) return ids.some((id) => id === title || id.endsWith(` ${title}`));
    const known = title.split(unknown);
    return ids.some((id) => isInTurn(id, known));
  };
}

/** Whether an id ends with these parts, whatever stands between them. */
function isInTurn(id: string, parts: readonly string[]): boolean {
  let at = 0;
  for (const part of parts) {
    const found = id.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return id.endsWith(parts.at(-1) ?? '');
}

async function tryControl(
  instance: ProvenTask,
  tree: string,
  found: ReadonlyMap<string, TestSource>,
  { assertions, copies, isNear = false, wide, said, toldHere }: (typeof plantings)[number] & WhatIsKnown,
  options: ControlOptions,
): Promise<{ control: Control; undecided: ReadonlySet<TestDeclaration> } | null> {
  const all = [...found];
  // Those that decided nothing are tried again.
  const ofFixDrawn = shuffled(all.flatMap(([, { ofFix }]) => ofFix))
    .toSorted((one, other) => Number(wide.has(other)) - Number(wide.has(one)))
    .slice(0, maxOfFix + maxMoreOfFix);
  const withOne = new Set(ofFixDrawn.slice(maxOfFix));
  const chosen = new Set([
    ...ofFixDrawn,
    ...drawn(
      all.flatMap(([, { others }]) => others),
      maxOfOthers,
    ),
  ]);
  const made = plantAll(found, chosen, {
    assertions,
    isNear,
    wide,
    said,
    toldHere,
    copiesOf: (test) => (withOne.has(test) ? Math.min(1, copies) : copies),
  });
  const { sources, marks, marksOfFix, guesses, told, isAsking } = made;
  if (sources.size === 0) return null;
  const files = new Map(all.map(([path, { source }]) => [path, sources.get(path) ?? source]));
  for (const [path, source] of files) await writeFile(join(tree, path), source);
  const planted = [...sources.keys()];
  const result = await runControl(instance, tree, { planted }, options);
  if (result.timed_out || result.out_of_memory) return null;
  const { fail_to_pass: failToPass, pass_to_pass: passToPass } = instance.verifying_tests;
  const [fix, listed] = [new Set(failToPass), new Set([...failToPass, ...passToPass])];
  const expected = new Map<string, TestStatus>();
  const ofFix = { pass: 0, fail: 0 };
  for (const [id, status] of result.tests) {
    if (status === 'skipped' || !(listed.has(id) || isMarked(id, marks))) continue;
    const passes = status === 'passed' || status === 'xfailed';
    if (passes && isAsking(id)) continue;
    expected.set(id, status);
    if (fix.has(id) || isMarked(id, marksOfFix)) ofFix[passes ? 'pass' : 'fail'] += 1;
  }
  if (ofFix.pass === 0 || ofFix.fail === 0) return null;
  const undecided = new Set(
    guesses.flatMap(({ tests, wrong }) =>
      decideNothing(wrong, expected) ? tests.filter((test) => !test.asksOnly) : [],
    ),
  );
  const copied = [...result.tests.keys()].filter((id) => isMarked(id, marksOfFix));
  const isOfFix = (id: string) => fix.has(originalOf(id, marks));
  const chance = guesses
    .filter((each) => each.marks.length === 0 || copied.some((id) => isMarked(id, each.marks) && isOfFix(id)))
    .reduce((product, each) => product * each.chance, 1);
  const originals = new Set(copied.map((id) => originalOf(id, marks)));
  const spared = failToPass.filter((id) => !originals.has(id) && !told.some(namedIn([id])));
  const toldByOthers = toldByAll(found, toldHere);
  const endsWell = result.exit_code === 0;
  return { control: { files, planted, expected, marks, endsWell, chance, spared, told: toldByOthers }, undecided };
}

const isMarked = (id: string, marks: Iterable<string>) => Array.from(marks).some((mark) => id.includes(mark));

/** Whether copies with wrong values all pass with the fix: then who reads the rest of them needs no guess. */
function decideNothing(wrong: readonly string[], expected: ReadonlyMap<string, TestStatus>): boolean {
  const statuses = [...expected].flatMap(([id, status]) => (isMarked(id, wrong) ? status : []));
  return statuses.length > 0 && !statuses.some(fails);
}

/** Files with controls, and what is known of these. */
interface PlantedFiles {
  sources: Map<string, string>;
  marks: string[];
  marksOfFix: Set<string>;
  /** Of the tests of the fix by one name that have controls: how likely a guess is right, and which copies have wrong values alone. */
  guesses: { tests: readonly TestDeclaration[]; chance: number; marks: string[]; wrong: string[] }[];
  /** Whether a test, by its id, asks something else than the fix's own. */
  isAsking(id: string): boolean;
  /** Tests of the fix that have controls, and those that were not drawn. */
  told: TestDeclaration[];
}

/** What is known beforehand of the tests. */
interface WhatIsKnown {
  /** Those of which also values that can be read are changed, as the others decided nothing. */
  wide: ReadonlySet<TestDeclaration>;
  /** What the base's own run of them says. */
  said: string;
  /** The values that can be read elsewhere. */
  toldHere: ReadonlySet<Literal>;
}

function plantAll(
  found: ReadonlyMap<string, TestSource>,
  chosen: ReadonlySet<TestDeclaration>,
  { said, toldHere, wide, ...planting }: Required<Pick<Planting, 'assertions' | 'isNear' | 'copiesOf'>> & WhatIsKnown,
): PlantedFiles {
  const asking: Planted['asking'] = [];
  const all: PlantedFiles = {
    sources: new Map(),
    marks: [],
    marksOfFix: new Set(),
    guesses: [],
    told: [],
    isAsking: (id) =>
      asking.some(({ test, mark }) =>
        mark === '' ? !isMarked(id, all.marks) && namedIn([id])(test) : id.includes(mark),
      ),
  };
  for (const [path, { source, known, inBase, comparedInBase, ofFix, others, isOwn }] of found) {
    const made = plantControls(
      source,
      apart([...ofFix, ...others].filter((test) => chosen.has(test))),
      {
        ...planting,
        isNear: planting.isNear && withSizes.has(familyOf(path)),
        knownFrom: (literal, { name }) => {
          const key = valueKey(literal);
          if (inBase.get(name)?.values.has(key)) return 'test';
          return known.has(lineAt(source, literal.start)) || comparedInBase.has(key) ? 'file' : null;
        },
        isWide: (test) => wide.has(test),
        isTold: (literal) => toldHere.has(literal),
      },
      said,
    );
    // By its name a test is known in the fix's own files alone.
    if (isOwn) all.told.push(...ofFix.filter((test) => !chosen.has(test) || made?.chances.has(test.name)));
    if (made === null) continue;
    all.sources.set(path, made.source);
    asking.push(...made.asking);
    const isOfFix = (name: string) => ofFix.some((test) => test.name === name);
    for (const [name, chance] of made.chances) {
      if (!isOfFix(name)) continue;
      const own = made.copies.filter((copy) => copy.name === name);
      const wrong = own.filter(({ isWrong }) => isWrong).map(({ mark }) => mark);
      const tests = ofFix.filter((test) => test.name === name && chosen.has(test));
      all.guesses.push({ tests, chance, marks: own.map(({ mark }) => mark), wrong });
    }
    for (const { name, mark } of made.copies) {
      all.marks.push(mark);
      if (isOfFix(name)) all.marksOfFix.add(mark);
    }
  }
  return all;
}

/** Runs the files that have controls, in a tree that has them, and those of the fix. */
export function runControl(
  { environment, verifying_tests: { test_files: own } }: ProvenTask,
  tree: string,
  { planted }: Pick<Control, 'planted'>,
  { runner, timeoutSeconds, signal }: Pick<ControlOptions, 'runner' | 'timeoutSeconds' | 'signal'>,
): Promise<SuiteResult> {
  const files = [...new Set([...own.filter((path) => familyOf(path) !== null), ...planted])].toSorted();
  return runner.run({
    tree,
    environment: { ...environment, timeout_s: timeoutSeconds ?? environment.timeout_s },
    files,
    ...(signal ? { signal } : {}),
  });
}

function lineAt(source: string, at: number): string {
  const end = source.indexOf('\n', at);
  return source.slice(source.lastIndexOf('\n', at - 1) + 1, end === -1 ? source.length : end).trim();
}

/** None within another. */
function apart(tests: readonly TestDeclaration[]): TestDeclaration[] {
  return tests.filter(
    (test) => !tests.some((other) => other !== test && other.start <= test.start && test.end <= other.end),
  );
}

/** So many of a list, by chance. */
const drawn = <T>(list: readonly T[], max: number): T[] => shuffled(list).slice(0, Math.max(0, max));
