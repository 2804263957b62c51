import { add, has, noBits, type Bits } from './bits.ts';
import { nearTerms } from './near-terms.ts';
import { addDocuments, columns, documentOf, impliedOf, placeOf, visitPlaces, type Column } from './postings.ts';
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
  find(term: string, how: 'whole' | 'prefix'): Columns;
  /** Those among these where these terms follow one another in a column. */
  inOrder(column: Column, terms: readonly string[], among: Readonly<Bits>): Bits | null;
  /** Terms that begin as this word and may be it but for so many typos; `mark` is what its kind of terms begins with. */
  near(word: string, mark: string, most: number): Generator<string>;
  /** The terms that begin so, and the documents by column. */
  begun(beginning: string): Generator<{ term: string; found: () => Columns }>;
}

/** By column; nobody changes them. */
export type Columns = readonly (Readonly<Bits> | undefined)[];

/** What of a segment is read again and again. */
export interface SegmentData extends Pick<Segment, 'live' | 'keys' | 'statics'> {
  /** The first term of each block, and so many letters that all of its terms are implied by (postings.ts). */
  firsts: readonly string[];
  implied: Uint8Array;
  block: (index: number) => Uint8Array;
  /** Keeps what is found by a beginning of very many terms, as long as there is room. */
  keep: (beginning: string, work: () => Columns) => Columns;
}

/** To read fewer blocks takes about as long as to look up what is kept. */
const MANY_BLOCKS = 8;

/** A segment over its blocks. */
export function segmentOf({ live, keys, statics, firsts, implied, block, keep }: SegmentData): Segment {
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

  /** Where a term stands in a column of these documents. */
  function placesIn(term: string, wanted: number, among: Readonly<Bits>): number[] {
    const places: number[] = [];
    for (const index of blocksOf(term, 'whole')) {
      visitTerms(block(index), encoder.encode(term), (postings, whole) => {
        if (!whole) return;
        visitPlaces(postings, size, (column, document, position) => {
          if (column === wanted && has(among, document)) places.push(placeOf(document, position));
        });
      });
    }
    return places;
  }

  return {
    size,
    live,
    keys,
    statics,

    find(term, how) {
      const all = [...blocksOf(term, how)];
      const indexes = how === 'whole' ? all : all.filter((index) => (implied[index] ?? 0) < term.length);
      const work = () => {
        const found: (Bits | undefined)[] = [];
        const begun = encoder.encode(term);
        for (const index of indexes) {
          visitTerms(block(index), begun, (postings, whole) => {
            if (whole || (how === 'prefix' && impliedOf(postings) < term.length)) addDocuments(postings, found, size);
          });
        }
        return found;
      };
      return indexes.length < MANY_BLOCKS ? work() : keep(term, work);
    },

    inOrder(column, terms, among) {
      const ends = terms.map((term) => placesIn(term, columns.indexOf(column), among)).reduce(following);
      if (ends.length === 0) return null;
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
