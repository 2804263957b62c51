import { randomInt } from 'node:crypto';
import { shuffled } from './shuffled.ts';

/** A run of letters with nothing like it beside it. */
const word = /(?<![\p{L}\p{N}])\p{L}{3,}(?![\p{L}\p{N}])/gu;

/** Whether a text has words in it: with another letter in one of them anyone sees that nobody has written it so. */
export const isWorded = (text: string): boolean => text.search(word) !== -1;

const maxTries = 100;
/** Of 100 changes so many leave the words: what cares for nothing else is told nothing by the others, what knows good style by these. */
const styleShare = 15;
/** Of fewer the words of the texts are too few to put others in their place. */
const minWords = 8;

/**
 * So many neighbours of a text in a row of texts, each of which says what the one before it does in other words, or with another
 * sign, number or capital. The row comes from what is given, or from anywhere, and the text itself stands anywhere among them.
 */
export function otherWordings(
  text: string,
  given: string | null,
  { source, texts }: { source: string; texts: readonly string[] },
  count: number,
): string[] {
  const words = vocabulary(texts, source);
  if (randomInt(2) === 0) {
    // All but itself around one of them: what most are like is not always right, either.
    const around = [text];
    goOn(around, words, count, new Set(given === null ? [] : [given]), 1);
    return around.slice(1);
  }
  const back = given === null ? [text] : [text, ...wayTo(given, text)];
  goOn(back, words, count, new Set());
  const forth = [text];
  goOn(forth, words, count, new Set(back));
  const before = randomInt(count + 1);
  return [...back.slice(1, 1 + before), ...forth.slice(1, 1 + count - before)];
}

function vocabulary(texts: readonly string[], source: string): string[] {
  const inTexts = new Set(texts.flatMap((each) => each.match(word) ?? []));
  return [...new Set([...inTexts, ...(inTexts.size < minWords ? (source.match(word) ?? []) : [])])];
}

const piecesOf = (text: string): string[] => text.match(/\p{L}+|\p{N}+|[^\p{L}\p{N}]/gu) ?? [];

/** What lies on the way from one text to another, nearest to the other first, with a piece after the other as the other has it. */
function wayTo(from: string, to: string): string[] {
  const [given, wanted] = [piecesOf(from), piecesOf(to)];
  let [before, after] = [0, 0];
  while (before < Math.min(given.length, wanted.length) && given[before] === wanted[before]) before++;
  while (after < Math.min(given.length, wanted.length) - before && given.at(-1 - after) === wanted.at(-1 - after))
    after++;
  const [own, other] = [given.slice(before, given.length - after), wanted.slice(before, wanted.length - after)];
  const way: string[] = [];
  for (let count = Math.max(own.length, other.length) - 1; count >= 0; count--) {
    const middle = [...other.slice(0, count), ...own.slice(count)];
    const made = [...wanted.slice(0, before), ...middle, ...wanted.slice(wanted.length - after)].join('');
    if (made !== to && !way.includes(made)) way.push(made);
  }
  return way;
}

/** Makes a row of texts longer, to `count` behind its first; each is made of the one before it, or of the one at `from` as soon as it is there. */
function goOn(row: string[], words: readonly string[], count: number, others: ReadonlySet<string>, from = -1): void {
  for (let tries = 0; row.length <= count && tries < maxTries; tries++) {
    const pieces = piecesOf(row.at(from) ?? row.at(-1) ?? '');
    const some = randomInt(maxTries) < styleShare ? changesOfStyle : changes;
    some[randomInt(some.length)]?.(pieces, words);
    const next = pieces.join('');
    if (next !== '' && !row.includes(next) && !others.has(next)) row.push(next);
  }
}

type Change = (pieces: string[], words: readonly string[]) => void;

/** Ways to say something else. */
const changes: readonly Change[] = [
  function replaceWord(pieces, words) {
    const at = anyOf(pieces, isWord);
    if (at !== null) pieces[at] = as(pieces[at] ?? '', words[randomInt(words.length || 1)] ?? pieces[at] ?? '');
  },
  function leaveWordOut(pieces) {
    const at = anyOf(pieces, (piece, index) => isWord(piece) && pieces[index - 1] === ' ');
    if (at !== null) pieces.splice(at - 1, 2);
  },
  function putWordIn(pieces, words) {
    const at = anyOf(pieces, (piece) => piece === ' ');
    const other = words[randomInt(words.length || 1)];
    if (at !== null && other !== undefined) pieces.splice(at, 0, ' ', other.toLowerCase());
  },
  function exchangeWords(pieces) {
    const at = anyOf(pieces, (piece, index) => piece === ' ' && isWord(pieces[index - 1]) && isWord(pieces[index + 1]));
    if (at === null) return;
    const [one = '', other = ''] = [pieces[at - 1], pieces[at + 1]];
    [pieces[at - 1], pieces[at + 1]] = [as(one, other), as(other, one)];
  },
  function changeNumber(pieces) {
    const at = anyOf(pieces, (piece) => /^\d{1,15}$/.test(piece));
    if (at === null) return;
    const number = Number(pieces[at]);
    const others = [number - 1, number + 1, number + 2].filter((other) => other >= 0);
    pieces[at] = String(shuffled(others)[0] ?? number);
  },
  function changeMany(pieces) {
    const at = anyOf(pieces, isWord);
    if (at !== null) pieces[at] = (pieces[at] ?? '').endsWith('s') ? (pieces[at] ?? '').slice(0, -1) : `${pieces[at]}s`;
  },
];

/** Ways to write the same. */
const changesOfStyle: readonly Change[] = [
  function changeCapitals(pieces) {
    const at = anyOf(pieces, isWord);
    if (at === null) return;
    const piece = pieces[at] ?? '';
    const [first = ''] = piece;
    const isCapital = first !== first.toLowerCase();
    pieces[at] = isCapital ? piece.toLowerCase() : first.toUpperCase() + piece.slice(first.length);
  },
  function changeEnd(pieces) {
    if (/^[.!:]$/.test(pieces.at(-1) ?? '')) pieces.pop();
    else pieces.push(shuffled(['.', '!', ':'])[0] ?? '.');
  },
  function changeBlank(pieces) {
    const at = anyOf(pieces, (piece) => piece === ' ');
    const isDouble = at !== null && pieces[at + 1] === ' ';
    if (at !== null) pieces.splice(at, isDouble ? 2 : 1, ' ', ...(isDouble ? [] : [' ']));
    else if (randomInt(2) === 0) pieces.push(' ');
    else pieces.unshift(' ');
  },
];

const isWord = (piece: string | undefined): boolean => /^\p{L}{2,}$/u.test(piece ?? '');

/** A word with capitals where another has them. */
function as(model: string, other: string): string {
  if (model.length > 1 && model === model.toUpperCase()) return other.toUpperCase();
  const [first = ''] = other;
  const isCapital = model[0] !== model[0]?.toLowerCase();
  return isCapital ? first.toUpperCase() + other.slice(first.length).toLowerCase() : other.toLowerCase();
}

/** The place of one of the pieces for which something holds, by chance; null where there is none. */
function anyOf(pieces: readonly string[], holds: (piece: string, index: number) => boolean): number | null {
  return shuffled(pieces.flatMap((piece, index) => (holds(piece, index) ? index : [])))[0] ?? null;
}
