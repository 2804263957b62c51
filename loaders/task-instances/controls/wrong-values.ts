import { randomInt } from 'node:crypto';
import type { Literal } from './literals.ts';
import { shuffled } from './shuffled.ts';
import { innerOf, valueKey } from './told-values.ts';
import { isWorded, otherWordings } from './wordings.ts';

type Value = Pick<Literal, 'kind' | 'text' | 'others'>;

/** Further values that a test compares with, at most. */
const maxValues = 5;

/** Where other values come from. */
export interface Surroundings {
  /** Of the file of tests. */
  source: string;
  /** The values that its tests compare with. */
  pool: readonly Value[];
  /** The values that stand in it apart from those that are changed, by their keys. */
  beside?: ReadonlyMap<string, Value>;
  /** What the base's own run of these tests says, where what it gives may be found. */
  said: string;
  /** Whether numbers lie beside the right one, so that they fit whichever type it has, and need not be as round. */
  isNear?: boolean;
}

/**
 * Values in place of one, of its kind, in whose row the right one stands anywhere. Where it stands elsewhere in the file as well, so do they,
 * as far as there are any: else that would tell which of them is right.
 */
export function wrongValues(literal: Value, surroundings: Surroundings): string[] {
  const { beside = new Map(), isNear = false } = surroundings;
  const { kind, text, others = [] } = literal;
  if (kind === 'word') return shuffled(others).slice(0, maxValues);
  if (isNear && kind !== 'string') return numbersBeside(text);
  const known = shuffled(likeItBeside(literal, beside)).slice(0, maxValues);
  const count = maxValues - known.length;
  const made = kind === 'string' ? textsLike(text, surroundings, count) : numbersLike(text);
  return shuffled([...known, ...made.filter((other) => !known.includes(other)).slice(0, count)]);
}

/** What stands in the file and could stand in place of a value that does, too. */
function likeItBeside(value: Value, beside: ReadonlyMap<string, Value>): string[] {
  const { kind, text } = value;
  if (!beside.has(valueKey(value))) return [];
  const texts = Array.from(beside.values()).flatMap((other) => (other.kind === kind ? other.text : []));
  if (kind === 'string') {
    const inner = innerOf(value);
    const isLike = (other: string) => {
      const otherInner = other.slice(1, -1);
      return (
        other !== text &&
        // In other quotes it may be more than what stands in them.
        other[0] === text[0] &&
        plainText.test(otherInner) &&
        otherInner !== '' &&
        isWorded(otherInner) === isWorded(inner) &&
        otherInner.length <= 2 * inner.length
      );
    };
    return texts.filter(isLike);
  }
  // Of another size a number may not fit its type.
  const isLike = (other: string) =>
    other.includes('.') === text.includes('.') && other.length <= text.length && Number(other) !== Number(text);
  return texts.filter(isLike);
}

/**
 * Numbers in a row in which this one stands anywhere, without it. All are as round as it is, with as many digits before zeros: of 198 to
 * 203 people write 200.
 */
function numbersLike(text: string): string[] {
  const [, whole = '', fraction = '', rest = ''] = /^(\d{1,15})(?:\.(\d+))?(\D.*)?$/.exec(text) ?? [];
  if (`${whole}${fraction}`.length > maxExactDigits || /^0\w|^$/.test(whole + rest)) return numbersBeside(text);
  const write = (number: number) => {
    const digits = String(number).padStart(fraction.length + 1, '0');
    const point = digits.length - fraction.length;
    return `${digits.slice(0, point)}${fraction === '' ? '' : `.${digits.slice(point)}`}${rest}`;
  };
  const own = Number(whole + fraction);
  const before = asRoundAs(own, -1).slice(0, randomInt(maxValues + 1));
  const after = asRoundAs(own, 1).slice(0, maxValues - before.length);
  return shuffled([...before, ...after]).map(write);
}

/** Of more digits a number is not exact. */
const maxExactDigits = 15;

/** Numbers above or below one that have as many digits before their zeros, the next first. */
function asRoundAs(own: number, direction: 1 | -1): number[] {
  const digits = significant(own);
  const found: number[] = [];
  let number = own;
  while (found.length < maxValues && number + direction >= 0) {
    // Downwards from 1000 the next is 900.
    const length = String(direction === 1 ? number : number - 1).length;
    number += direction * 10 ** Math.max(0, length - digits);
    if (significant(number) === digits) found.push(number);
  }
  return found;
}

// Bounded: by the digits of a number.
const significant = (number: number) => Math.max(1, String(number).replace(/0+$/, '').length);

/** The largest whole numbers of types that have one. */
const largest = [7, 8, 15, 16, 31, 32].map((bits) => 2 ** bits - 1);

/** Whole numbers in a row in which this one stands anywhere, without it; none is too large for a type that holds this one. */
function numbersBeside(text: string): string[] {
  const [whole = ''] = text.split('.', 1);
  const max = largest.find((number) => number >= Number(whole)) ?? Infinity;
  const from = Math.max(0, Math.min(Number(whole) - randomInt(maxValues + 1), max - maxValues));
  const row = Array.from({ length: maxValues + 1 }, (_, index) => from + index);
  return shuffled(row.filter((number) => number !== Number(whole))).map(
    (number) => `${number}${text.slice(whole.length)}`,
  );
}

/**
 * Of a text in words, others in words: what nobody would write so is told to be wrong by that alone. Where the base gives something
 * like it, texts on the way from that to the right one and beyond it, so that to be like what the base gives tells nothing; else texts on another way, or with another letter at one place, so that to be like the right one in some
 * respect is not enough.
 */
function textsLike(text: string, surroundings: Surroundings, count: number): string[] {
  const [quote, inner] = [text[0] ?? '', text.slice(1, -1)];
  const given = givenFor(inner, surroundings);
  if (isWorded(inner)) {
    const texts = surroundings.pool.flatMap((other) => (other.kind === 'string' ? other.text.slice(1, -1) : []));
    const others = otherWordings(inner, given, { source: surroundings.source, texts }, count);
    return others.map((each) => `${quote}${each}${quote}`);
  }
  const isOnAWay = given !== null || (inner !== '' && plainText.test(inner) && randomInt(2) === 0);
  const texts = isOnAWay ? onTheWay(inner, given, count) : withAnotherLetter(inner);
  return texts.map((each) => `${quote}${each}${quote}`);
}

function withAnotherLetter(inner: string): string[] {
  const at = shuffled(Array.from(inner.matchAll(/[a-z0-9]/gi), ({ index }) => index))[0];
  if (at === undefined) return shuffled('0123456789'.split('')).map((digit) => `${inner}${digit}`);
  const rows = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];
  const sign = inner[at] ?? '';
  const row = rows.find((each) => each.includes(sign)) ?? '';
  return shuffled(row.replace(sign, '').split('')).map((other) => inner.slice(0, at) + other + inner.slice(at + 1));
}

const maxLength = 200;
/** Beside what was wanted stands in a report what was found. */
const nearby = 240;
const maxPlaces = 20;
/** What stands in any string of any of our languages as it is, a character a code unit. */
const plainText = /^[^"'`\\\p{Cc}\u2028\u2029\p{Cs}\u{10000}-\u{10ffff}]*$/u;

/** A report without the ways in which its form writes quotes and ends of lines. */
export const unescaped = (report: string): string =>
  report
    .replaceAll('&quot;', '"')
    .replaceAll(/&apos;|&#(?:39|x27);/g, "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/&#(?:10|xA);/gi, '\n')
    .replaceAll('&amp;', '&')
    .replaceAll('\\n', '\n')
    // Of a text within a text.
    .replaceAll(/(?<!\\)\\+"/g, "'");

/**
 * Of what the base's run says near a text, what is most like it: that is what the base gives in its place, most likely. What the tests
 * themselves say is something else.
 */
export function givenFor(inner: string, { source, said }: Pick<Surroundings, 'source' | 'said'>): string | null {
  if (inner === '' || inner.length > maxLength || !plainText.test(inner)) return null;
  const [quoted, words] = [new Set<string>(), new Set<string>()];
  for (let at = said.indexOf(inner), places = 0; at !== -1 && places < maxPlaces; places++) {
    const around = said.slice(Math.max(0, at - nearby), at + inner.length + nearby);
    // Bounded: by what is looked at around one place.
    for (const form of [/'(?=([^'\n]*)')/g, /"(?=([^"\n]*)")/g, /<(?=([^<>\n]*)>)/g])
      for (const [, text = ''] of around.matchAll(form)) quoted.add(text);
    for (const word of around.split(/[\s,;:()[\]]+/)) words.add(word);
    at = said.indexOf(inner, at + inner.length);
  }
  const isSaid = (text: string) => ['"', "'"].some((quote) => source.includes(quote + text + quote));
  const mostLike = (texts: Iterable<string>) =>
    Array.from(texts)
      .filter((text) => text !== inner && text.length <= maxLength && plainText.test(text) && !isSaid(text))
      .map((text) => ({ text, steps: stepsTo(text, inner).length }))
      .filter(({ text, steps }) => steps <= 0.6 * Math.max(text.length, inner.length))
      .toSorted((one, other) => one.steps - other.steps)[0]?.text;
  return mostLike(quoted) ?? mostLike(words) ?? null;
}

/** A change of one character: it is put in, taken out, or replaced. */
interface Step {
  /** In the text that is changed. */
  at: number;
  before: string;
  after: string;
}

/** The fewest changes that make one text of another, from the last place to the first, so that none moves the next. */
function stepsTo(from: string, to: string): Step[] {
  const width = to.length + 1;
  const costs = new Uint16Array((from.length + 1) * width);
  const cost = (row: number, column: number) => costs[row * width + column] ?? 0;
  for (let row = 0; row <= from.length; row++)
    for (let column = 0; column <= to.length; column++)
      costs[row * width + column] =
        row === 0 || column === 0
          ? row + column
          : Math.min(
              cost(row - 1, column) + 1,
              cost(row, column - 1) + 1,
              cost(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1),
            );
  const steps: Step[] = [];
  let [row, column] = [from.length, to.length];
  while (row + column > 0) {
    const [before, after] = [from[row - 1] ?? '', to[column - 1] ?? ''];
    if (row > 0 && column > 0 && cost(row, column) === cost(row - 1, column - 1) + (before === after ? 0 : 1)) {
      [row, column] = [row - 1, column - 1];
      if (before !== after) steps.push({ at: row, before, after });
    } else if (row > 0 && cost(row, column) === cost(row - 1, column) + 1) steps.push({ at: --row, before, after: '' });
    else steps.push({ at: row, before: '', after: to[--column] ?? '' });
  }
  return steps;
}

/**
 * So many neighbours of a text in a row of texts that differ by a character each: the row comes from what is given, or from anywhere,
 * and goes on behind the text as it came. The text itself stands anywhere among them.
 */
function onTheWay(inner: string, given: string | null, count: number): string[] {
  const steps = given === null ? [anyStep(inner)] : stepsTo(given, inner);
  const back: string[] = [inner];
  if (given !== null) {
    let text = given;
    for (const { at, before, after } of steps) {
      if (text !== inner) back.splice(1, 0, text);
      text = text.slice(0, at) + after + text.slice(at + before.length);
    }
  }
  const turned = steps.map(({ at, before, after }) => ({ at, before: after, after: before }));
  goOn(back, turned, count);
  const forth = [inner];
  goOn(forth, steps, count, new Set(back));
  const before = randomInt(count + 1);
  return [...back.slice(1, 1 + before), ...forth.slice(1, 1 + count - before)];
}

/** Makes a row of texts longer by changes like these, to `count` behind its first. */
function goOn(row: string[], like: readonly Step[], count: number, others: ReadonlySet<string> = new Set()): void {
  for (let tries = 0; row.length <= count && tries < 10 * maxValues; tries++) {
    const last = row.at(-1) ?? '';
    const step = like[randomInt(like.length)];
    const next = (tries < 5 * maxValues && step ? repeated(last, step) : null) ?? changed(last, anyStep(last));
    if (!row.includes(next) && !others.has(next)) row.push(next);
  }
}

/** A change of the same kind at another place; null where there is none. */
function repeated(text: string, { before, after }: Step): string | null {
  // Put in beside another of its own, where one is.
  const wanted = before === '' ? after : before;
  const places = Array.from(text).flatMap((sign, at) => (sign === wanted ? at : []));
  const at = places[randomInt(Math.max(1, places.length))];
  if (at === undefined) return before === '' ? changed(text, { at: text.length, before, after }) : null;
  return changed(text, { at, before, after });
}

/** One of its characters doubled or left out. */
function anyStep(text: string): Step {
  const at = randomInt(Math.max(1, text.length));
  const sign = text[at] ?? '0';
  return text.length > 1 && randomInt(2) === 0 ? { at, before: sign, after: '' } : { at, before: '', after: sign };
}

const changed = (text: string, { at, before, after }: Step) =>
  text.slice(0, at) + after + text.slice(at + before.length);
