import { randomBytes, randomInt } from 'node:crypto';
import { changedValues, type KnownValues } from './changed-values.ts';
import type { Edit } from './opposites.ts';
import type { Swap } from './other-questions.ts';
import { shuffled } from './shuffled.ts';
import type { Table } from './tables.ts';
import type { Span, TestDeclaration } from './test-file.ts';
import { isWorded } from './wordings.ts';

/** What controls are made of a file's tests. */
export interface Planting extends Partial<KnownValues> {
  /** Whether assertions may be changed; a statement alone is what every compiler takes. */
  assertions: boolean;
  /** Whether numbers lie beside the right ones, so that they fit whichever types these have. */
  isNear?: boolean;
  /** How many copies of a test there are beside itself. */
  copiesOf(test: TestDeclaration): number;
}

/** A file with controls among its tests. */
export interface Planted {
  source: string;
  /** What is in the name of each copy, and in no other, with the name of what it is a copy of, and whether wrong values alone make it fail. */
  copies: { name: string; mark: string; isWrong: boolean }[];
  /** Copies, and originals (without a mark), that may ask another question. That the fix passes one does not mean that every fix has to. */
  asking: { test: TestDeclaration; mark: string }[];
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
 * but in what they assert. Each value that they compare with stands in as many of them as any other, by chance. `said`: what the base's own run of the tests says. Null where none of them can be made to fail.
 */
export function plantControls(
  source: string,
  tests: readonly TestDeclaration[],
  {
    assertions,
    isNear = false,
    copiesOf,
    knownFrom = () => null,
    isTold = () => false,
    isWide = () => false,
  }: Planting,
  said: string,
): Planted | null {
  const made: Planted['copies'] = [];
  const asking: Planted['asking'] = [];
  const chances: Planted['chances'] = new Map();
  const tables = new Map(tests.flatMap((test) => test.tables).map((table) => [table.declaration.start, table]));
  const pool = [...tests, ...tables.values()].flatMap(({ literals }) => literals);
  const valuesOf = changedValues(source, tests, { knownFrom, isTold, isWide }, { pool, said, isNear });
  const swapsOf = new Map<number, (readonly Swap[])[]>();
  const copies = new Map<number, string[]>();
  const edits: Edit[] = tests.flatMap((test) => {
    const used = assertions ? test.tables : [];
    const values = assertions ? valuesOf(test) : [[]];
    const hasOpposite = assertions && test.opposites.length > 0;
    if (values.length === 1 && !hasOpposite && !test.statement) return [];
    const numbers: [number, number] = [randomInt(2, 50), randomInt(50, 99)];
    const names = ['', ...(test.nameSpan ? Array.from({ length: copiesOf(test) }, newMark) : [])];
    const variants = chosen(names.length, values.length, hasOpposite, test.statement !== null);
    const isOfQuestions = asksOtherwise(test, values[1] ?? []);
    for (const [index, { value, opposite, isFalse }] of variants.entries()) {
      const mark = names[index] ?? '';
      if (value > 0 && isOfQuestions) asking.push({ test, mark });
      if (mark !== '') made.push({ name: test.name, mark, isWrong: value > 0 && !opposite && !isFalse });
    }
    const guesses = new Set(variants.map(({ value }) => value)).size;
    // Of values one is right; else each copy may be either.
    // Words are few, and some of them seldom right.
    const isToldByAnother = used.some(({ declaration }) => copies.has(declaration.start));
    const compared = (values[1] ?? []).map(({ literal }) => literal);
    const isOfWords = compared.every(({ kind }) => kind === 'word');
    // Of what is written in words some is likelier than other.
    const isOfTexts = compared.some(({ kind, text }) => kind === 'string' && isWorded(text));
    const guess = guesses > 1 ? 1 / Math.min(guesses, isOfWords ? 2 : isOfTexts ? 3 : guesses) : 2 ** -variants.length;
    // What is right in a table is right for all that take their cases from it.
    chances.set(test.name, isToldByAnother ? 1 : guess);
    const indent = source.slice(source.lastIndexOf('\n', test.start - 1) + 1, test.start);
    const gap = `\n\n${/^\s*$/.test(indent) ? indent : ''}`;
    const texts = variants.map((variant, index) => {
      const swaps = values[variant.value] ?? [];
      const renamed = used.map((table) => {
        const mark = newMark();
        const { start } = table.declaration;
        copies.set(start, [...(copies.get(start) ?? []), tableWritten(source, table, mark, swaps)]);
        swapsOf.set(start, [...(swapsOf.get(start) ?? []), swaps]);
        return { table, mark };
      });
      return written(source, test, names[index] ?? '', variant, swaps, renamed, numbers);
    });
    return { start: test.start, end: test.end, text: shuffled(texts).join(gap) };
  });
  if (edits.length === 0) return null;
  for (const [start, made] of copies) {
    const [table, row] = [tables.get(start), swapsOf.get(start) ?? []];
    if (!table) continue;
    // As it stands it may be any, too.
    const text = [tableWritten(source, table, '', row[randomInt(row.length)] ?? []), ...made].join('\n');
    edits.push({ ...table.declaration, text });
  }
  let planted = source;
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start))
    planted = planted.slice(0, start) + text + planted.slice(end);
  return { source: planted, copies: made, asking, chances };
}

/** Whether changes of a test may be of what it asks, and not of what it compares with. */
function asksOtherwise({ asksOnly, inputs }: TestDeclaration, swaps: readonly Swap[]): boolean {
  return asksOnly || swaps.some(({ literal }) => literal.isCase === true || inputs.includes(literal));
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
  tables: readonly { table: Table; mark: string }[],
  [a, b]: readonly [number, number],
): string {
  const edits: Edit[] = tables.flatMap(({ table, mark: other }) =>
    table.uses.map(({ end }) => ({ start: end, end, text: `_${other}` })),
  );
  const { nameSpan, statement } = test;
  if (mark !== '' && nameSpan) edits.push({ start: nameSpan.end, end: nameSpan.end, text: marked[test.nameIs](mark) });
  edits.push(...swapped(swaps, test));
  if (statement && (isFalse || !statement.around)) {
    const text = statement.say(isFalse ? b : a, a);
    const { around } = statement;
    if (around) {
      edits.push({ start: around.before.start, end: around.before.start, text: around.open });
      edits.push({ start: statement.at, end: statement.at, text: `;${text}${around.close}` });
    } else edits.push({ start: statement.at, end: statement.at, text });
  }
  // Of what is put in at one place the last stands first: what ends an assertion stands before what comes behind it.
  if (opposite) edits.push(...(shuffled(test.opposites)[0] ?? []));
  return edited(source, test, edits);
}

/** The declaration of a table of cases with other values, and another name where it is a copy. */
function tableWritten(source: string, { declaration, nameSpan }: Table, mark: string, swaps: readonly Swap[]): string {
  const name = mark === '' ? [] : [{ start: nameSpan.end, end: nameSpan.end, text: `_${mark}` }];
  // It comes to stand at the beginning of a line.
  const indent = source.slice(source.lastIndexOf('\n', declaration.start - 1) + 1, declaration.start);
  const before = mark !== '' && /^\s*$/.test(indent) ? indent : '';
  return before + edited(source, declaration, [...name, ...swapped(swaps, declaration)]);
}

const swapped = (swaps: readonly Swap[], { start, end }: Span): Edit[] =>
  swaps.flatMap(({ literal, to }) =>
    start <= literal.start && literal.end <= end ? { start: literal.start, end: literal.end, text: to } : [],
  );

function edited(source: string, { start, end }: Span, edits: readonly Edit[]): string {
  let text = source.slice(start, end);
  for (const edit of edits.toSorted((one, other) => other.start - one.start))
    text = text.slice(0, edit.start - start) + edit.text + text.slice(edit.end - start);
  return text;
}

/** What is written behind a test's name so that a copy has another one. */
const marked: Readonly<Record<TestDeclaration['nameIs'], (mark: string) => string>> = {
  text: (mark) => ` ${mark}`,
  identifier: (mark) => `_${mark}`,
  expression: (mark) => ` + ' ${mark}'`,
};
