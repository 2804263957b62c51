import { randomBytes, randomInt } from 'node:crypto';
import type { Literal } from './literals.ts';
import type { Edit } from './opposites.ts';
import type { TestDeclaration } from './test-file.ts';

/** How a copy is made to fail: by another value in what it asserts, by asserting the opposite, or by a statement behind that. */
type Change = 'none' | 'value' | 'opposite' | 'statement';

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
}

/**
 * Writes copies of tests beside them, and of each and its copies makes some fail; which is decided by chance, and stands nowhere
 * but in what they assert. Null where none of them can be made to fail.
 */
export function plantControls(
  source: string,
  tests: readonly TestDeclaration[],
  { assertions, copies }: Planting,
): Planted | null {
  const made: Planted['copies'] = [];
  const pool = tests.flatMap(({ literals }) => literals);
  const edits = tests.flatMap((test) => {
    const ways: Change[] = [];
    const swaps = assertions ? swapsOf(test, pool) : [];
    if (swaps.length > 0) ways.push('value');
    if (assertions && test.opposites.length > 0) ways.push('opposite');
    if (test.statement) ways.push('statement');
    if (ways.length === 0) return [];
    const numbers: [number, number] = [randomInt(2, 50), randomInt(50, 99)];
    const names = ['', ...(test.nameSpan ? Array.from({ length: copies }, newMark) : [])];
    made.push(...names.slice(1).map((mark) => ({ name: test.name, mark })));
    const changes = chosen(ways, names.length);
    const indent = source.slice(source.lastIndexOf('\n', test.start - 1) + 1, test.start);
    const gap = `\n\n${/^\s*$/.test(indent) ? indent : ''}`;
    const texts = names.map((mark, index) => written(source, test, mark, changes[index] ?? 'none', swaps, numbers));
    return { start: test.start, end: test.end, text: shuffled(texts).join(gap) };
  });
  if (edits.length === 0) return null;
  let planted = source;
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start))
    planted = planted.slice(0, start) + text + planted.slice(end);
  return { source: planted, copies: made };
}

interface Swap {
  literal: Literal;
  to: string;
}

/** Letters and digits, of which no word is made. */
function newMark(): string {
  return `${'bcdfghjkmnpqrstvwxz'[randomInt(19)]}${randomBytes(4).toString('hex')}`;
}

/** At least one of each way, and one that is left as it is; alone, a test is left or changed by chance. */
function chosen(ways: readonly Change[], count: number): Change[] {
  const all: Change[] = ['none', ...ways];
  if (count === 1) return [randomInt(2) === 0 ? 'none' : (ways[randomInt(ways.length)] ?? 'none')];
  const certain = shuffled(all).slice(0, count);
  const rest = Array.from({ length: count - certain.length }, () => all[randomInt(all.length)] ?? 'none');
  return shuffled([...certain, ...rest]);
}

function written(
  source: string,
  test: TestDeclaration,
  mark: string,
  change: Change,
  swaps: readonly Swap[],
  [a, b]: readonly [number, number],
): string {
  const edits: Edit[] = [];
  const { nameSpan, statement } = test;
  if (mark !== '' && nameSpan) edits.push({ start: nameSpan.end, end: nameSpan.end, text: marked[test.nameIs](mark) });
  if (change === 'value') for (const { literal, to } of swaps) edits.push({ ...literal, text: to });
  if (change === 'opposite') edits.push(...shuffled(test.opposites).slice(0, 1));
  if (statement && (change === 'statement' || !statement.around)) {
    const text = statement.say(change === 'statement' ? b : a, a);
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

/** At most three values, so that one which decides nothing is not the only one, and what stands in their place. */
function swapsOf({ literals }: TestDeclaration, pool: readonly Literal[]): Swap[] {
  return shuffled(literals)
    .slice(0, 3)
    .map((literal) => ({ literal, to: another(literal, pool) }));
}

/** A value of the same kind that stands elsewhere in the file, and where there is none, one that looks like it. */
function another({ kind, text }: Literal, pool: readonly Literal[]): string {
  if (kind === 'boolean') return flipped[text] ?? text;
  const quote = text[0] ?? '';
  const others = pool.filter(
    (other) => other.kind === kind && other.text !== text && (kind !== 'string' || other.text[0] === quote),
  );
  if (kind !== 'string') {
    // Of another size it may not fit its type.
    const near = others.filter((other) => other.text.length <= text.length && Number(other.text) !== Number(text));
    const found = near.length > 0 && randomInt(2) === 0 ? near[randomInt(near.length)]?.text : undefined;
    if (found !== undefined) return found;
    const whole = text.split('.', 1)[0] ?? '';
    return `${Number(whole) === 0 ? 1 : Number(whole) - 1}${text.slice(whole.length)}`;
  }
  const found = others.length > 0 && randomInt(2) === 0 ? others[randomInt(others.length)]?.text : undefined;
  if (found !== undefined) return found;
  const inner = text.slice(1, -1);
  const letters = Array.from(inner.matchAll(/[a-z0-9]/gi), ({ index }) => index);
  const at = letters[randomInt(Math.max(1, letters.length))];
  if (at === undefined) return `${quote}${inner}${randomInt(10)}${quote}`;
  return `${quote}${inner.slice(0, at)}${next(inner[at] ?? '')}${inner.slice(at + 1)}${quote}`;
}

const flipped: Readonly<Record<string, string>> = { true: 'false', false: 'true', True: 'False', False: 'True' };

/** The letter or digit behind this one. */
function next(sign: string): string {
  const rows = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];
  const row = rows.find((each) => each.includes(sign)) ?? 'a';
  return row[(row.indexOf(sign) + 1) % row.length] ?? 'a';
}

function shuffled<T>(list: readonly T[]): T[] {
  const left = [...list];
  const mixed: T[] = [];
  while (left.length > 0) mixed.push(...left.splice(randomInt(left.length), 1));
  return mixed;
}
