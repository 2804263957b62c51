import { maxTypoTerms, maxTypos } from './query.ts';
import { inBytes } from './in-bytes.ts';

/**
 * The terms that a mistyped token may mean, nearest first, of those that are some document's; the same choice as Lucene's.
 */
export function nearestTerms(token: string, terms: Iterable<string>, isThere: (term: string) => boolean): string[] {
  const most = maxTypos(token);
  const typed = lettersOf(token);
  const near: { term: string; share: number }[] = [];
  for (const term of terms) {
    const letters = lettersOf(term);
    const typos = distance(typed, letters, most);
    if (typos <= most) near.push({ term, share: typos / Math.min(typed.length, letters.length) });
  }
  near.sort((a, b) => a.share - b.share || inBytes(a.term, b.term));
  const found: string[] = [];
  for (const { term } of near) {
    if (found.length === maxTypoTerms) break;
    if (isThere(term)) found.push(term);
  }
  return found;
}

/** Is this term the token but for as many typos as that may have? */
export function isNear(token: string, term: string): boolean {
  if (token[0] !== term[0]) return false;
  const most = maxTypos(token);
  return most > 0 && distance(lettersOf(token), lettersOf(term), most) <= most;
}

function distance(a: readonly number[], b: readonly number[], most: number): number {
  const rows = typoRows(a, most, b.length);
  return b.every((letter, place) => rows.put(place, letter)) ? rows.typos() : most + 1;
}

/** A word beside texts of one length that are told letter by letter, each from where it differs from the one before. */
export interface TypoRows {
  /** What the text has at this place, after those before; false when no text that begins so is near. */
  put: (place: number, letter: number) => boolean;
  /** Of the text, when all its letters are told; more than most are not counted on. */
  typos: () => number;
}

/**
 * Counts letters put in, left out, replaced, or swapped with their neighbour. Only cells so near to the diagonal are looked at, and
 * letters that are left over at the end count at once: a query meets tens of thousands of terms.
 */
export function typoRows(word: readonly number[], most: number, textLength: number): TypoRows {
  const width = word.length + 1;
  const far = most + 1;
  const rows = [Uint16Array.from({ length: width + 1 }, (_, i) => i)];
  const letters: number[] = [];
  return {
    put(place, letter) {
      letters[place] = letter;
      const length = place + 1;
      const [start, end] = [Math.max(1, length - most), Math.min(word.length, length + most)];
      if (start > end) return false;
      const even = word.length - textLength + length;
      const row = (rows[length] ??= new Uint16Array(width + 1));
      const last = rows[place] ?? row;
      const before = rows[place - 1] ?? row;
      row[start - 1] = start === 1 ? length : far;
      let least = start === 1 ? length + Math.abs(even) : far;
      for (let i = start; i <= end; i++) {
        const kept = (last[i - 1] ?? far) + (word[i - 1] === letter ? 0 : 1);
        let cost = Math.min(kept, (last[i] ?? far) + 1, (row[i - 1] ?? far) + 1);
        if (i > 1 && place > 0 && word[i - 2] === letter && word[i - 1] === letters[place - 1])
          cost = Math.min(cost, (before[i - 2] ?? far) + 1);
        row[i] = cost;
        least = Math.min(least, cost + Math.abs(even - i));
      }
      row[end + 1] = far;
      return least <= most;
    },
    typos: () => (Math.abs(textLength - word.length) > most ? far : (rows[textLength]?.[word.length] ?? far)),
  };
}

/** By code point. */
export function lettersOf(text: string): number[] {
  const points: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i) ?? 0;
    points.push(point);
    if (point > 0xffff) i++;
  }
  return points;
}
