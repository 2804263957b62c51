import { randomBytes, randomInt } from 'node:crypto';
import type { Literal } from './literals.ts';
import type { Edit } from './opposites.ts';
import type { TestDeclaration } from './test-file.ts';

/** What controls are made of a file's tests. */
export interface Planting {
  /** Whether assertions may be changed; a statement alone is what every compiler takes. */
  assertions: boolean;
  /** How many copies of each test there are beside itself. */
  copies: number;
}

/** A file with controls among its tests. */
export interface Planted {
  source: string;
  /** What is in the name of each copy, and in no other, with the name of what it is a copy of. */
  copies: { name: string; mark: string }[];
  /** By the name of each test with controls: how likely code that does not solve it guesses which of them must pass. */
  chances: Map<string, number>;
}

/** One copy of a test. */
interface Variant {
  /** What stands in place of what its assertions compare with: 0 is what the fix makes. */
  value: number;
  /** Whether one of its assertions says the opposite. */
  opposite: boolean;
  /** Whether a false statement stands behind what it tests. */
  isFalse: boolean;
}

/**
 * Writes copies of tests beside them, and of each and its copies makes some fail; which is decided by chance, and stands nowhere
 * but in what they assert. Each value that they compare with stands in as many of them as any other, by chance, so that comparing
 * them tells no more than reading one. Null where none of them can be made to fail.
 */
export function plantControls(
  source: string,
  tests: readonly TestDeclaration[],
  { assertions, copies }: Planting,
): Planted | null {
  const made: Planted['copies'] = [];
  const chances: Planted['chances'] = new Map();
  const pool = tests.flatMap(({ literals }) => literals);
  const edits = tests.flatMap((test) => {
    const values = assertions ? valuesOf(test, pool) : [[]];
    const hasOpposite = assertions && test.opposites.length > 0;
    if (values.length === 1 && !hasOpposite && !test.statement) return [];
    const numbers: [number, number] = [randomInt(2, 50), randomInt(50, 99)];
    const names = ['', ...(test.nameSpan ? Array.from({ length: copies }, newMark) : [])];
    made.push(...names.slice(1).map((mark) => ({ name: test.name, mark })));
    const variants = chosen(names.length, values.length, hasOpposite, test.statement !== null);
    const guesses = new Set(variants.map(({ value }) => value)).size;
    // Of values one is right; else each copy may be either.
    chances.set(test.name, guesses > 1 ? 1 / guesses : 2 ** -variants.length);
    const indent = source.slice(source.lastIndexOf('\n', test.start - 1) + 1, test.start);
    const gap = `\n\n${/^\s*$/.test(indent) ? indent : ''}`;
    const texts = variants.map((variant, index) =>
      written(source, test, names[index] ?? '', variant, values[variant.value] ?? [], numbers),
    );
    return { start: test.start, end: test.end, text: shuffled(texts).join(gap) };
  });
  if (edits.length === 0) return null;
  let planted = source;
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start))
    planted = planted.slice(0, start) + text + planted.slice(end);
  return { source: planted, copies: made, chances };
}

interface Swap {
  literal: Literal;
  to: string;
}

/** Letters and digits, of which no word is made. */
function newMark(): string {
  return `${'bcdfghjkmnpqrstvwxz'[randomInt(19)]}${randomBytes(4).toString('hex')}`;
}

/**
 * One with each value, then one with each other change, and the rest by chance; a test that is alone is left or changed by chance.
 */
function chosen(count: number, values: number, hasOpposite: boolean, hasStatement: boolean): Variant[] {
  const plain = Array.from({ length: values }, (_, value) => ({ value, opposite: false, isFalse: false }));
  const changed = () => ({ value: randomInt(values), opposite: false, isFalse: false });
  const others = [
    ...(hasOpposite ? [{ ...changed(), opposite: true }] : []),
    ...(hasStatement ? [{ ...changed(), isFalse: true }] : []),
  ];
  const right = { value: 0, opposite: false, isFalse: false };
  if (count === 1) return [randomInt(2) === 0 ? right : (shuffled([...plain.slice(1), ...others])[0] ?? right)];
  const some = [right, ...shuffled(plain.slice(1)).slice(0, count - 1)];
  const rest = [...shuffled(others), ...Array.from({ length: count }, changed)];
  return shuffled([...some, ...rest].slice(0, count));
}

function written(
  source: string,
  test: TestDeclaration,
  mark: string,
  { opposite, isFalse }: Variant,
  swaps: readonly Swap[],
  [a, b]: readonly [number, number],
): string {
  const edits: Edit[] = [];
  const { nameSpan, statement } = test;
  if (mark !== '' && nameSpan) edits.push({ start: nameSpan.end, end: nameSpan.end, text: marked[test.nameIs](mark) });
  for (const { literal, to } of swaps) edits.push({ ...literal, text: to });
  if (opposite) edits.push(...shuffled(test.opposites).slice(0, 1));
  if (statement && (isFalse || !statement.around)) {
    const text = statement.say(isFalse ? b : a, a);
    const { around } = statement;
    if (around) {
      edits.push({ start: around.before.start, end: around.before.start, text: around.open });
      edits.push({ start: statement.at, end: statement.at, text: `;${text}${around.close}` });
    } else edits.push({ start: statement.at, end: statement.at, text });
  }
  let text = source.slice(test.start, test.end);
  for (const edit of edits.toSorted((one, other) => other.start - one.start))
    text = text.slice(0, edit.start - test.start) + edit.text + text.slice(edit.end - test.start);
  return text;
}

/** What is written behind a test's name so that a copy has another one. */
const marked: Readonly<Record<TestDeclaration['nameIs'], (mark: string) => string>> = {
  text: (mark) => ` ${mark}`,
  identifier: (mark) => `_${mark}`,
  expression: (mark) => ` + ' ${mark}'`,
};

/** Further values that a test compares with, at most. */
const maxValues = 5;

/** What stands in place of at most three values, so that one which decides nothing is not the only one; first none for the right ones. */
function valuesOf({ literals }: TestDeclaration, pool: readonly Literal[]): Swap[][] {
  const changed = shuffled(literals)
    .slice(0, 3)
    .map((literal) => ({ literal, others: othersThan(literal, pool) }));
  const count = Math.max(0, ...changed.map(({ others }) => others.length));
  const wrong = Array.from({ length: count }, (_, index) =>
    changed.map(({ literal, others }) => ({ literal, to: others[index % others.length] ?? literal.text })),
  );
  return [[], ...wrong];
}

/**
 * Values in place of one, of its kind: some that stand elsewhere in the file, and some that look like it and like each other no less,
 * so that it is not the one in their midst.
 */
function othersThan({ kind, text, others = [] }: Literal, pool: readonly Literal[]): string[] {
  if (kind === 'word') return shuffled(others).slice(0, maxValues);
  const quote = text[0] ?? '';
  const like = pool.filter(
    (other) => other.kind === kind && other.text !== text && (kind !== 'string' || other.text[0] === quote),
  );
  // Of another size a number may not fit its type.
  const fits =
    kind === 'string'
      ? like
      : like.filter((other) => other.text.length <= text.length && Number(other.text) !== Number(text));
  const known = shuffled([...new Set(fits.map((other) => other.text))]).slice(0, randomInt(3));
  const made = (kind === 'string' ? textsLike(text) : numbersLike(text)).filter((other) => !known.includes(other));
  return shuffled([...known, ...made.slice(0, maxValues - known.length)]);
}

/** Whole numbers in a row in which this one stands anywhere, without it. */
function numbersLike(text: string): string[] {
  const [whole = ''] = text.split('.', 1);
  const from = Math.max(0, Number(whole) - randomInt(maxValues + 1));
  const row = Array.from({ length: maxValues + 1 }, (_, index) => from + index);
  return shuffled(row.filter((number) => number !== Number(whole))).map(
    (number) => `${number}${text.slice(whole.length)}`,
  );
}

/** Texts with another letter or digit at one and the same place. */
function textsLike(text: string): string[] {
  const [quote = '', inner] = [text[0], text.slice(1, -1)];
  const at = shuffled(Array.from(inner.matchAll(/[a-z0-9]/gi), ({ index }) => index))[0];
  if (at === undefined) return shuffled('0123456789'.split('')).map((digit) => `${quote}${inner}${digit}${quote}`);
  const rows = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];
  const sign = inner[at] ?? '';
  const row = rows.find((each) => each.includes(sign)) ?? '';
  return shuffled(row.replace(sign, '').split('')).map(
    (other) => `${quote}${inner.slice(0, at)}${other}${inner.slice(at + 1)}${quote}`,
  );
}

function shuffled<T>(list: readonly T[]): T[] {
  const left = [...list];
  const mixed: T[] = [];
  while (left.length > 0) mixed.push(...left.splice(randomInt(left.length), 1));
  return mixed;
}
