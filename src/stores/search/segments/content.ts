import type { IndexedDocument } from '../../../model/search-document.ts';
import { documentTokens } from '../../../search/ranking/document-tokens.ts';
import { marksOf } from '../marks.ts';
import { staticUnits } from '../../../search/ranking/score.ts';
import { GAP, parts } from '../../../search/ranking/tokens.ts';
import { noBytes, type Bytes } from './bytes.ts';
import { inBytes } from '../../../search/ranking/in-bytes.ts';
import { columns, placeOf, postingsWriter } from './postings.ts';

/** A document with the key of its row. */
export interface Keyed {
  key: number;
  document: IndexedDocument;
}

/** What a segment holds of its documents, which are numbered by name, then id. */
export interface Content {
  /** Of each document's row. */
  keys: Uint32Array;
  /** What each has for it whatever is looked for (score.ts). */
  statics: Uint16Array;
  /** In the order of UTF-16 units. */
  terms: Iterable<Term>;
}

/** A term with its postings, which are good until the next one. */
export interface Term {
  term: string;
  postings: Bytes;
  /** See postings.ts. */
  implied: number;
}

/** The segment of these documents. */
export function contentOf(documents: readonly Keyed[]): Content {
  const sorted = documents.toSorted(
    ({ document: a }, { document: b }) => inBytes(a.name, b.name) || inBytes(a.id, b.id),
  );
  const terms = new Map<string, number>();
  /** By term. */
  const implied: number[] = [];
  /** One for each place where a term stands: which of its columns, and where. */
  const lists: number[] = [];
  const places: number[] = [];
  for (const [number, { document }] of sorted.entries()) {
    const tokens = { ...documentTokens(document), marks: marksOf(document) };
    for (const [column, name] of columns.entries()) {
      const all = tokens[name];
      const isName = name === 'name' || name === 'declared';
      const inOne = isName ? parts(document.name).length : all.indexOf(GAP);
      const own = inOne < all.length && inOne > 0 ? new Set(all.slice(0, inOne)) : null;
      for (const [position, token] of all.entries()) {
        if (token === GAP) continue;
        let term = terms.get(token);
        if (term === undefined) {
          terms.set(token, (term = terms.size));
          implied.push(Infinity);
        }
        const beginning = own === null || position < inOne ? 0 : longestBeginning(token, own);
        implied[term] = Math.min(implied[term] ?? 0, beginning);
        lists.push(term * columns.length + column);
        places.push(placeOf(number, position));
      }
    }
  }
  return {
    keys: Uint32Array.from(sorted, ({ key }) => key),
    statics: Uint16Array.from(sorted, ({ document }) => staticUnits(document)),
    terms: inOrder(terms, implied, grouped(lists, places, terms.size * columns.length), sorted.length),
  };
}

/** How much of a token one of these is. */
function longestBeginning(token: string, own: ReadonlySet<string>): number {
  for (let length = token.length - 1; length > 0; length--) if (own.has(token.slice(0, length))) return length;
  return 0;
}

/** Puts the places of each list, which they come in the order of, where one asks for them. */
function grouped(lists: readonly number[], places: readonly number[], count: number) {
  const starts = new Uint32Array(count + 1);
  for (const list of lists) starts[list + 1] = (starts[list + 1] ?? 0) + 1;
  for (let i = 1; i <= count; i++) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
  const next = starts.slice();
  const all = new Uint32Array(places.length);
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i] ?? 0;
    const at = next[list] ?? 0;
    all[at] = places[i] ?? 0;
    next[list] = at + 1;
  }
  return (list: number, to: number[]) => {
    to.length = 0;
    for (let i = starts[list] ?? 0; i < (starts[list + 1] ?? 0); i++) to.push(all[i] ?? 0);
  };
}

function* inOrder(
  terms: ReadonlyMap<string, number>,
  implied: readonly number[],
  put: (list: number, to: number[]) => void,
  size: number,
): Content['terms'] {
  const write = postingsWriter(size);
  const places = columns.map((): number[] => []);
  const postings = noBytes();
  for (const term of [...terms.keys()].sort()) {
    const index = terms.get(term) ?? 0;
    const letters = implied[index] ?? 0;
    for (const [column, each] of places.entries()) put(index * columns.length + column, each);
    postings.length = 0;
    write(postings, places, letters);
    yield { term, postings, implied: letters };
  }
}
