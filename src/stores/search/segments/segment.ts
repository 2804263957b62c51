import { add, noBits, type Bits } from './bits.ts';
import type { ByteReader } from './bytes.ts';
import { nearTerms } from './near-terms.ts';
import { addDocuments, columns, documentOf, placeOf, visitPlaces, type Column } from './postings.ts';
import { termsOf, visitTerms } from './term-blocks.ts';

/** Documents with the terms that they are found by, written once. They are numbered by name, then id. */
export interface Segment {
  readonly size: number;
  /** What of them is still there. */
  readonly live: Bits;
  /** Of each document's row. */
  readonly keys: Uint32Array;
  /** What each has for it whatever is looked for. */
  readonly statics: Uint16Array;
  /** By column, those with this term, or one that begins so. */
  find(term: string, how: 'whole' | 'prefix'): readonly (Bits | undefined)[];
  /** Those where these terms follow one another in a column. */
  inOrder(column: Column, terms: readonly string[]): Bits | null;
  /** Terms that begin as this word and may be it but for so many typos; `mark` is what its kind of terms begins with. */
  near(word: string, mark: string, most: number): Generator<string>;
  /** The terms that begin so, and the documents by column. */
  begun(beginning: string): Generator<{ term: string; found: () => readonly (Bits | undefined)[] }>;
}

/** What of a segment is read again and again. */
export interface SegmentData extends Pick<Segment, 'live' | 'keys' | 'statics'> {
  /** The first term of each block. */
  firsts: readonly string[];
  block: (index: number) => Uint8Array;
}

/** A segment over its blocks. */
export function segmentOf({ live, keys, statics, firsts, block }: SegmentData): Segment {
  const size = keys.length;
  const encoder = new TextEncoder();

  /** Of the block that may have this term, and those that may have others that begin so. */
  function* blocksOf(begun: string, how: 'whole' | 'prefix'): Generator<number> {
    let [low, high] = [0, firsts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((firsts[middle] ?? '') <= begun) low = middle + 1;
      else high = middle;
    }
    if (low > 0) yield low - 1;
    if (how === 'prefix') for (let i = low; firsts[i]?.startsWith(begun) === true; i++) yield i;
  }

  function postingsOf(term: string): ByteReader | null {
    const wanted = encoder.encode(term);
    let found: ByteReader | null = null;
    for (const index of blocksOf(term, 'whole')) {
      const bytes = block(index);
      visitTerms(bytes, wanted, ({ at }, whole) => {
        if (whole) found = { bytes, at };
      });
    }
    return found;
  }

  return {
    size,
    live,
    keys,
    statics,

    find(term, how) {
      const found: (Bits | undefined)[] = [];
      const begun = encoder.encode(term);
      for (const index of blocksOf(term, how)) {
        visitTerms(block(index), begun, (postings, whole) => {
          if (whole || how === 'prefix') addDocuments(postings, found, size);
        });
      }
      return found;
    },

    inOrder(column, terms) {
      const wanted = columns.indexOf(column);
      let ends: number[] | null = null;
      for (const term of terms) {
        const postings = postingsOf(term);
        const places: number[] = [];
        if (postings !== null) {
          visitPlaces(postings, size, (column, document, position) => {
            if (column === wanted) places.push(placeOf(document, position));
          });
        }
        ends = ends === null ? places : following(ends, places);
        if (ends.length === 0) return null;
      }
      if (ends === null) return null;
      const found = noBits(size);
      for (const place of ends) add(found, documentOf(place));
      return found;
    },

    *near(word, mark, most) {
      const near = nearTerms(word, mark, most);
      const begun = mark + String.fromCodePoint(word.codePointAt(mark.length) ?? 0);
      for (const index of blocksOf(begun, 'prefix')) {
        // What a whole block begins with may tell enough.
        if (!near.mayBegin(sharedBeginning(firsts[index], firsts[index + 1]))) continue;
        for (const term of near.of(block(index))) if (term.startsWith(begun)) yield term;
      }
    },

    *begun(beginning) {
      for (const index of blocksOf(beginning, 'prefix')) {
        for (const { term, postings } of termsOf(block(index))) {
          if (!term.startsWith(beginning)) continue;
          const found = () => {
            const sets: (Bits | undefined)[] = [];
            addDocuments({ ...postings }, sets, size);
            return sets;
          };
          yield { term, found };
        }
      }
    },
  };
}

/** The places that come right after one of these; all go upwards. */
function following(before: readonly number[], places: readonly number[]): number[] {
  let i = 0;
  return places.filter((place) => {
    while (i < before.length && (before[i] ?? 0) + 1 < place) i++;
    return before[i] === place - 1;
  });
}

function sharedBeginning(a = '', b = ''): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
