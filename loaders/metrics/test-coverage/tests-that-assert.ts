import type { MeasuredFile, MetricInput } from '../metric.ts';
import type { TestCase } from './test-cases.ts';
import { reachOf } from './tests-that-reach.ts';

/** The tests of a repository by whether they assert anything, themselves or by what they call. */
export interface AssertingTests {
  /** Paths of test files in which something is asserted. */
  paths: ReadonlySet<string>;
  /** Code lines of those files, without the tests that assert nothing. */
  lines: number;
  /** With those of tests that stand beside the code they test, as in Rust. */
  allLines: number;
  tests: number;
  /** Of the tests, those that assert nothing. */
  idle: number;
  /** Of those that do, those that reach no code of the repository. */
  apart: number;
  /** Files with such tests, the most first; `line` is that of the first one. */
  idleFiles: readonly { path: string; line: number; idle: number; apart: number; tests: number }[];
  /** Something is asserted somewhere: in a test file, or beside the code as in Rust. */
  any: boolean;
}

const judged = new WeakMap<MetricInput, AssertingTests>();

/** What a repository's tests assert, worked out once. */
export function assertingTests(input: MetricInput): AssertingTests {
  let found = judged.get(input);
  if (!found) judged.set(input, (found = judge(input)));
  return found;
}

function judge(input: MetricInput): AssertingTests {
  const { files } = input;
  const reach = reachOf(input);
  const helpers = assertingHelpers(files);
  const paths = new Set<string>();
  const idleFiles: AssertingTests['idleFiles'][number][] = [];
  const sums = { lines: 0, allLines: 0, tests: 0, idle: 0, apart: 0 };
  let any = false;
  for (const file of files) {
    const { path, test, language, measures } = file;
    const { tests: own, code } = measures;
    const known = helpers.get(familyOf(language));
    const isIdle = (each: TestCase) => !each.asserts && !each.calls.some((name) => known?.has(name));
    const cases = own?.cases ?? [];
    const reached = cases.length > 0 || own?.asserts ? reach(file) : null;
    const idle = cases.filter(isIdle);
    const apart = cases.filter((each, index) => reached?.cases[index] === false && !isIdle(each));
    const nothing = [...idle, ...apart].sort((a, b) => a.line - b.line);
    sums.tests += cases.length;
    sums.idle += idle.length;
    sums.apart += apart.length;
    const first = nothing[0];
    if (first) {
      const counts = { idle: idle.length, apart: apart.length, tests: cases.length };
      idleFiles.push({ path, line: first.line, ...counts });
    }
    // What asserts for others is judged with them.
    const isHelper = own?.helpers.some(({ asserts }) => asserts) ?? false;
    const asserts =
      cases.length > 0 ? nothing.length < cases.length : own?.asserts && (isHelper || reached?.outside !== false);
    if (!asserts) continue;
    const linesOf = (some: readonly TestCase[]) => some.reduce((sum, each) => sum + each.code, 0);
    if (test || cases.length > 0) any = true;
    if (!test) {
      sums.allLines += linesOf(cases) - linesOf(nothing);
      continue;
    }
    paths.add(path);
    const lines = Math.max(0, code - linesOf(nothing));
    sums.lines += lines;
    sums.allLines += lines;
  }
  idleFiles.sort((a, b) => b.idle + b.apart - a.idle - a.apart || (a.path < b.path ? -1 : 1));
  return { paths, ...sums, idleFiles, any };
}

/** Languages whose functions call each other. */
const families: Readonly<Record<string, string>> = {
  TypeScript: 'JavaScript',
  TSX: 'JavaScript',
  'C++': 'C',
  Kotlin: 'Java',
  Scala: 'Java',
};
const familyOf = (language: string): string => families[language] ?? language;

/** By family of languages, the names of functions that assert, themselves or through others. */
function assertingHelpers(files: readonly MeasuredFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byFamily = Map.groupBy(files, ({ language }) => familyOf(language));
  return new Map(Array.from(byFamily, ([family, own]) => [family, assertingIn(own)]));
}

function assertingIn(files: readonly MeasuredFile[]): ReadonlySet<string> {
  const asserting = new Set<string>();
  const callers = new Map<string, string[]>();
  for (const { name, asserts, calls } of files.flatMap(({ measures }) => measures.tests?.helpers ?? [])) {
    if (asserts) asserting.add(name);
    for (const called of calls) {
      const known = callers.get(called);
      if (known) known.push(name);
      else callers.set(called, [name]);
    }
  }
  // A set that grows is walked to its end.
  for (const name of asserting) for (const caller of callers.get(name) ?? []) asserting.add(caller);
  return asserting;
}
