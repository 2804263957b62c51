import { randomInt } from 'node:crypto';
import type { Literal } from './literals.ts';
import { otherQuestions, type Swap } from './other-questions.ts';
import { shuffled } from './shuffled.ts';
import type { TestDeclaration } from './test-file.ts';
import { innerOf, valueKey } from './told-values.ts';
import { wrongValues, type Surroundings } from './wrong-values.ts';

/** What is known of values beforehand. */
export interface KnownValues {
  /** Where everybody can read a value of a test: in that test as the base has it, in another test of the base's file, or in neither. */
  knownFrom(literal: Literal, test: TestDeclaration): 'test' | 'file' | null;
  /** Whether it can be read elsewhere than in what is changed. */
  isTold(literal: Literal): boolean;
  /** Whether values of a test are changed that can be read as well, as the others decide nothing. */
  isWide(test: TestDeclaration): boolean;
}

/** Of one test, so that one which decides nothing is not the only one. */
const maxValues = 3;

/** Where a value can be read, from what tells least: nowhere, in the file, in the question, in tests of the base, anywhere. */
const readable = { nowhere: 0, inFile: 1, inQuestion: 2, inBaseFile: 3, inBaseTest: 4, anywhere: 5 };

const comparedIn = (test: TestDeclaration) => [test, ...test.tables].flatMap(({ literals }) => literals);

/** The values that stand in a file apart from these places. */
function valuesApartFrom(
  places: readonly Literal[],
  tests: readonly TestDeclaration[],
): Map<string, Omit<Literal, 'statement'>> {
  const taken = new Set(places.map(({ start }) => start));
  const left = (tests[0]?.inFile ?? []).filter(({ start }) => !taken.has(start));
  return new Map(left.map((value) => [valueKey(value), value]));
}

/**
 * Tells for each test what stands in place of its values: first none for the right ones, then rows of wrong ones. A value has the same wrong
 * ones wherever these tests compare with it, and is changed in all of these places, so that neither two places of one test nor two tests
 * tell what is right. What can be read is left as it is where something else can be changed: it would tell which row is right.
 */
export function changedValues(
  source: string,
  tests: readonly TestDeclaration[],
  known: KnownValues,
  surroundings: Omit<Surroundings, 'source' | 'beside'>,
): (test: TestDeclaration) => readonly (readonly Swap[])[] {
  const places = tests.flatMap(comparedIn);
  const readableIn = whereReadable(tests, valuesApartFrom(places, tests), known);
  const questions = otherQuestions(source, tests);
  const found = new Map(tests.map((test) => [test, candidatesOf(test, readableIn, known.isWide(test))] as const));
  const isAskedAnew = (test: TestDeclaration) =>
    !known.isWide(test) &&
    (found.get(test) ?? []).every((literal) => readableIn(literal) === readable.inBaseTest) &&
    questions(test).length > 0;
  const askedAnew = new Set(tests.filter(isAskedAnew));
  const chosen = new Set<string>();
  for (const [test, candidates] of shuffled([...found])) {
    if (askedAnew.has(test)) continue;
    const keys = [...new Set(candidates.map(valueKey))];
    const missing = Math.max(0, maxValues - keys.filter((key) => chosen.has(key)).length);
    for (const key of keys.filter((each) => !chosen.has(each)).slice(0, missing)) chosen.add(key);
  }
  const isChosen = (literal: Literal) => chosen.has(valueKey(literal));
  const rows = rowsOfWrong({ source, beside: valuesApartFrom(places.filter(isChosen), tests), ...surroundings });
  return (test) => {
    const changed = comparedIn(test).filter(isChosen);
    return changed.length === 0 && askedAnew.has(test) ? [[], ...questions(test)] : rows(changed);
  };
}

/** Tells where a value can be read by whichever of the tests tells most. */
function whereReadable(
  tests: readonly TestDeclaration[],
  beside: ReadonlyMap<string, unknown>,
  { knownFrom, isTold }: KnownValues,
): (literal: Literal) => number {
  const found = new Map<string, number>();
  for (const test of tests) {
    const isInQuestion = inQuestionsOf(test);
    for (const literal of comparedIn(test)) {
      const key = valueKey(literal);
      const from = knownFrom(literal, test);
      const here = isTold(literal)
        ? readable.anywhere
        : from !== null
          ? { test: readable.inBaseTest, file: readable.inBaseFile }[from]
          : isInQuestion(literal)
            ? readable.inQuestion
            : beside.has(key)
              ? readable.inFile
              : readable.nowhere;
      found.set(key, Math.max(here, found.get(key) ?? readable.nowhere));
    }
  }
  return (literal) => found.get(valueKey(literal)) ?? readable.nowhere;
}

/** Of longer questions no parts are looked for. */
const maxQuestionLength = 2000;

/** Tells whether a value is one that a test asks with, or a part of what the same statement asks. */
function inQuestionsOf({ inputs }: TestDeclaration): (literal: Literal) => boolean {
  const asked = new Set(inputs.map(valueKey));
  const questions = new Map(
    Array.from(
      Map.groupBy(inputs, ({ statement }) => statement.start),
      ([start, parts]) => [start, parts.map(innerOf).join('\0').slice(0, maxQuestionLength)],
    ),
  );
  return (literal) =>
    asked.has(valueKey(literal)) || (questions.get(literal.statement.start)?.includes(innerOf(literal)) ?? false);
}

/** The values of a test that may be changed: those alone that can be read in the fewest places, unless all shall be. */
function candidatesOf(test: TestDeclaration, readableIn: (literal: Literal) => number, isWide: boolean): Literal[] {
  const all = shuffled(comparedIn(test)).toSorted((one, other) => readableIn(one) - readableIn(other));
  const [best] = all;
  if (!best) return [];
  const isLeft = (literal: Literal) =>
    isWide && readableIn(best) < readable.anywhere
      ? readableIn(literal) < readable.anywhere
      : readableIn(literal) === readableIn(best);
  return all.filter(isLeft);
}

/** Makes rows of wrong values for some literals; of the same text they have the same. */
function rowsOfWrong(surroundings: Surroundings): (literals: readonly Literal[]) => Swap[][] {
  const wrong = new Map<string, string[]>();
  const wrongOf = (literal: Literal) => {
    const key = valueKey(literal);
    const known = wrong.get(key) ?? wrongValues(literal, surroundings).map((text) => innerOf({ ...literal, text }));
    wrong.set(key, known);
    return known;
  };
  const mixed = new Map<string, string[]>();
  /** Where another value has more of them, also the right one stands in rows that are wrong: else the rows that share a value would tell. */
  const filledTo = (count: number, literal: Literal) => {
    const few = wrongOf(literal);
    if (few.length === count) return few;
    const key = `${count}\0${valueKey(literal)}`;
    const all = [innerOf(literal), ...few];
    const made = mixed.get(key) ?? Array.from({ length: count }, () => all[randomInt(all.length)] ?? '');
    mixed.set(key, made);
    return made;
  };
  const written = ({ kind, text }: Literal, inner: string) =>
    kind === 'string' ? `${text[0] ?? ''}${inner}${text.at(-1) ?? ''}` : inner;
  return (literals) => {
    const count = Math.max(0, ...literals.map((literal) => wrongOf(literal).length));
    const columns = literals.map((literal) => ({ literal, values: filledTo(count, literal) }));
    const row = (index: number) =>
      columns.map(({ literal, values }) => ({ literal, to: written(literal, values[index] ?? innerOf(literal)) }));
    return [[], ...Array.from({ length: count }, (_, index) => row(index))];
  };
}
