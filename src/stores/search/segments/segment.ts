import { isWord } from '../../../search/ranking/tokens.ts';
import { add, has, noBits, type Bits } from './bits.ts';
import type { ByteReader } from './bytes.ts';
import { nearTerms } from './near-terms.ts';
import {
  addDocuments,
  addNamed,
  columns,
  documentOf,
  impliedOf,
  placeOf,
  visitPlaces,
  type Column,
} from './postings.ts';
import { lengthOf } from './spellings.ts';
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
  /** Terms of names that are of this one's kind, have its first letter and may be it but for so many typos. */
  near(term: string, most: number): Generator<string>;
  /** Those with any of these terms in their names. */
  named(terms: readonly string[]): Bits;
  /** The terms that begin so, and the documents by column. */
  begun(beginning: string): Generator<{ term: string; found: () => Columns }>;
}

/** By column; nobody changes them. */
export type Columns = readonly (Readonly<Bits> | undefined)[];

/** What of a segment is read again and again. */
export interface SegmentData extends Pick<Segment, 'live' | 'keys' | 'statics'>, Blocks {
  /** So many letters that all terms of each block are implied by (postings.ts). */
  implied: Uint8Array;
  /** By length: the terms that stand in names and may be mistyped (spellings.ts). */
  names: readonly Blocks[];
  /** Keeps what is found by a beginning of very many terms, as long as there is room. */
  keep: (beginning: string, work: () => Columns) => Columns;
}

/** Terms in their order, in blocks. */
export interface Blocks {
  /** The first term of each block. */
  firsts: readonly string[];
  block: (index: number) => Uint8Array;
}

const NO_BLOCKS: Blocks = { firsts: [], block: () => new Uint8Array() };
/** To read fewer blocks takes about as long as to look up what is kept. */
const minManyBlocks = 8;

/** A segment over its blocks. */
export function segmentOf({ live, keys, statics, firsts, implied, block, names, keep }: SegmentData): Segment {
  const size = keys.length;
  const encoder = new TextEncoder();

  /** Visits the postings of one term. */
  function visitTerm(term: string, visit: (postings: ByteReader) => void): void {
    for (const index of blocksOf(firsts, term, 'whole')) {
      visitTerms(block(index), encoder.encode(term), (postings, whole) => {
        if (whole) visit(postings);
      });
    }
  }

  /** Where a term stands in a column of these documents. */
  function placesIn(term: string, wanted: number, among: Readonly<Bits>): number[] {
    const places: number[] = [];
    visitTerm(term, (postings) => {
      visitPlaces(postings, size, (column, document, position) => {
        if (column === wanted && has(among, document)) places.push(placeOf(document, position));
      });
    });
    return places;
  }

  return {
    size,
    live,
    keys,
    statics,

    find(term, how) {
      const all = [...blocksOf(firsts, term, how)];
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
      return indexes.length < minManyBlocks ? work() : keep(term, work);
    },

    inOrder(column, terms, among) {
      const ends = terms.map((term) => placesIn(term, columns.indexOf(column), among)).reduce(following);
      if (ends.length === 0) return null;
      const found = noBits(size);
      for (const place of ends) add(found, documentOf(place));
      return found;
    },

    *near(wanted, most) {
      const mark = isWord(wanted) ? '' : wanted.charAt(0);
      const begun = mark + String.fromCodePoint(wanted.codePointAt(mark.length) ?? 0);
      const letters = lengthOf(wanted);
      for (let length = letters - most; length <= letters + most; length++) {
        const { firsts, block } = names[length] ?? NO_BLOCKS;
        const near = nearTerms(wanted, mark, most, length);
        for (const index of blocksOf(firsts, begun, 'prefix')) {
          // What a whole block begins with may tell enough.
          if (!near.mayBegin(sharedBeginning(firsts[index], firsts[index + 1]))) continue;
          for (const term of near.of(block(index))) if (term.startsWith(begun)) yield term;
        }
      }
    },

    named(terms) {
      const found = noBits(size);
      for (const term of terms) visitTerm(term, (postings) => addNamed(postings, found, size));
      return found;
    },

    *begun(beginning) {
      for (const index of blocksOf(firsts, beginning, 'prefix')) {
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

/** Of the block that may have this term, and those that may have others that begin so. */
function* blocksOf(firsts: readonly string[], begun: string, how: 'whole' | 'prefix'): Generator<number> {
  let [low, high] = [0, firsts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((firsts[middle] ?? '') <= begun) low = middle + 1;
    else high = middle;
  }
  if (low > 0) yield low - 1;
  if (how === 'prefix') for (let i = low; firsts[i]?.startsWith(begun) === true; i++) yield i;
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
