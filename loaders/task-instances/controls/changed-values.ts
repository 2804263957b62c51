import { randomInt } from 'node:crypto';
import type { Literal } from './literals.ts';
import { shuffled } from './shuffled.ts';
import type { TestDeclaration } from './test-file.ts';
import { innerOf } from './told-values.ts';
import { wrongValues, type Surroundings } from './wrong-values.ts';

/** What is known of values beforehand. */
export interface KnownValues {
  /** Whether a value of a test stands in it, or in its line, as the base has them, where everybody can read it. */
  isKnown(literal: Literal, test: TestDeclaration): boolean;
  /** Whether it can be read elsewhere than in what is changed. */
  isTold(literal: Literal): boolean;
}

export interface Swap {
  literal: Literal;
  to: string;
}

/** Of one test, so that one which decides nothing is not the only one. */
const maxValues = 3;

const keyOf = (literal: Literal) => `${literal.kind}\0${innerOf(literal)}`;

/** How easily a value can be read elsewhere: nowhere, in the file, in what its own test asks, in the base's test, or anywhere. */
const ease = { none: 0, beside: 1, asked: 2, known: 3, told: 4 };

/** Quoted texts, numbers and words. */
const token = /"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\\n]*)`|(?<![\w.])\d+(?:\.\d+)?(?!\w)|[A-Za-z_]\w*/g;

/** The values that stand in a file other than as what its tests compare with, by what stands there. */
function valuesBeside(source: string, compared: readonly Literal[]): Set<string> {
  const places = new Map<string, number>();
  for (const [whole, ...quoted] of source.matchAll(token)) {
    const inner = quoted.find((text) => text !== undefined);
    const key = inner === undefined ? `value\0${whole}` : `string\0${inner}`;
    places.set(key, (places.get(key) ?? 0) + 1);
  }
  for (const literal of new Map(compared.map((each) => [each.start, each])).values()) {
    const key = plainKey(literal);
    places.set(key, (places.get(key) ?? 0) - 1);
  }
  return new Set(Array.from(places).flatMap(([key, count]) => (count > 0 ? key : [])));
}

const plainKey = (literal: Literal) => `${literal.kind === 'string' ? 'string' : 'value'}\0${innerOf(literal)}`;

/**
 * Tells for each test what stands in place of its values: first none for the right ones, then rows of wrong ones. A value has the same wrong
 * ones wherever tests compare with it, and is changed in all of these places, so that neither two places of one test nor two tests
 * tell what is right. What can be read is left as it is where something else can be changed: it would tell which row is right.
 */
export function changedValues(
  source: string,
  tests: readonly TestDeclaration[],
  { isKnown, isTold, isWide }: KnownValues & { isWide: boolean },
  surroundings: Omit<Surroundings, 'source' | 'beside'>,
): (test: TestDeclaration) => Swap[][] {
  const comparedBy = (test: TestDeclaration) => [test, ...test.tables].flatMap(({ literals }) => literals);
  const beside = valuesBeside(source, tests.flatMap(comparedBy));
  const told = new Set(tests.flatMap(comparedBy).filter(isTold).map(keyOf));
  const asked = new Map(tests.map((test) => [test, new Set(test.inputs.map(plainKey))]));
  const easeOf = (literal: Literal, test: TestDeclaration) => {
    if (told.has(keyOf(literal))) return ease.told;
    if (isKnown(literal, test)) return ease.known;
    if (asked.get(test)?.has(plainKey(literal))) return ease.asked;
    return beside.has(plainKey(literal)) ? ease.beside : ease.none;
  };
  const found = new Map(tests.map((test) => [test, candidatesOf(comparedBy(test), test, { easeOf, isWide })] as const));
  const chosen = new Set<string>();
  for (const [, candidates] of shuffled([...found])) {
    const keys = [...new Set(candidates.map(keyOf))];
    const missing = Math.max(0, maxValues - keys.filter((key) => chosen.has(key)).length);
    for (const key of keys.filter((each) => !chosen.has(each)).slice(0, missing)) chosen.add(key);
  }
  const rows = rowsOfWrong({ source, beside, ...surroundings });
  return (test) => rows((found.get(test) ?? []).filter((literal) => chosen.has(keyOf(literal))));
}

/** The values of a test that may be changed, the best first: those alone that are hardest to read, unless all shall be. */
function candidatesOf(
  compared: readonly Literal[],
  test: TestDeclaration,
  { easeOf, isWide }: { easeOf(literal: Literal, test: TestDeclaration): number; isWide: boolean },
): Literal[] {
  const eased = (literals: readonly Literal[]) =>
    shuffled(literals)
      .map((literal) => ({ literal, ease: easeOf(literal, test) }))
      .toSorted((one, other) => one.ease - other.ease);
  const all = eased(compared);
  const least = all[0]?.ease ?? 0;
  if (isWide) return all.filter((each) => each.ease < ease.told || least === ease.told).map(({ literal }) => literal);
  // What it asks is new, at least: what comes of another question the fix tells.
  const asked = least === ease.known ? eased(test.inputs).filter((each) => each.ease < ease.known) : [];
  const best = asked.length > 0 ? asked : all;
  return best.filter((each) => each.ease === best[0]?.ease).map(({ literal }) => literal);
}

/** Makes rows of wrong values for some literals; of the same text they have the same. */
function rowsOfWrong(surroundings: Surroundings): (literals: readonly Literal[]) => Swap[][] {
  const wrong = new Map<string, string[]>();
  const wrongOf = (literal: Literal) => {
    const key = keyOf(literal);
    const known = wrong.get(key) ?? wrongValues(literal, surroundings).map((text) => innerOf({ ...literal, text }));
    wrong.set(key, known);
    return known;
  };
  const mixed = new Map<string, string[]>();
  /** Where others have more values, also the right one stands in rows that are wrong: else the rows that share a value would tell. */
  const filledTo = (count: number, literal: Literal) => {
    const others = wrongOf(literal);
    if (others.length === count) return others;
    const key = `${count}\0${keyOf(literal)}`;
    const all = [innerOf(literal), ...others];
    const made = mixed.get(key) ?? Array.from({ length: count }, () => all[randomInt(all.length)] ?? '');
    mixed.set(key, made);
    return made;
  };
  const written = ({ kind, text }: Literal, inner: string) =>
    kind === 'string' ? `${text[0] ?? ''}${inner}${text.at(-1) ?? ''}` : inner;
  return (literals) => {
    const count = Math.max(0, ...literals.map((literal) => wrongOf(literal).length));
    const others = literals.map((literal) => ({ literal, values: filledTo(count, literal) }));
    const row = (index: number) =>
      others.map(({ literal, values }) => ({ literal, to: written(literal, values[index] ?? innerOf(literal)) }));
    return [[], ...Array.from({ length: count }, (_, index) => row(index))];
  };
}
