import { noBytes, type ByteReader } from './bytes.ts';
import type { Content, Term } from './content.ts';
import { inBytes } from '../../../search/ranking/in-bytes.ts';
import { inOneOrder } from './in-one-order.ts';
import { columns, impliedOf, placeOf, postingsWriter, visitPlaces } from './postings.ts';

/** A segment that becomes one with others. */
export interface Source {
  keys: Uint32Array;
  statics: Uint16Array;
  /** Is this document still there? */
  isLive: (document: number) => boolean;
  terms: Iterator<{ term: string; postings: ByteReader }>;
}

/** The number of what is left out. */
const GONE = 0xffffffff;

/** One segment of several, without what is no longer there; `nameOf` tells by its key what a document is ordered by. */
export function mergedContent(
  sources: readonly Source[],
  nameOf: (key: number) => { name: string; id: string },
): Content {
  const keys: number[] = [];
  const statics: number[] = [];
  const numbers = sources.map((source) => new Uint32Array(source.keys.length).fill(GONE));
  const documents = sources.map(liveOf);
  for (const { source, document, key } of inOneOrder(documents, byName)) {
    const ofSource = numbers[source];
    if (ofSource) ofSource[document] = keys.length;
    keys.push(key);
    statics.push(sources[source]?.statics[document] ?? 0);
  }
  return { keys: Uint32Array.from(keys), statics: Uint16Array.from(statics), terms: terms() };

  function* liveOf({ keys, isLive }: Source, source: number) {
    for (const [document, key] of keys.entries()) {
      if (isLive(document)) yield { source, document, key, ...nameOf(key) };
    }
  }

  function* terms(): Content['terms'] {
    const write = postingsWriter(keys.length);
    const places = columns.map((): number[] => []);
    const postings = noBytes();
    let term: string | null = null;
    let implied = Infinity;
    const written = (): Term[] => {
      if (term === null || places.every(({ length }) => length === 0)) return [];
      postings.length = 0;
      write(postings, places, implied);
      for (const each of places) each.length = 0;
      return [{ term, postings, implied }];
    };
    for (const next of inOneOrder(sources.map(located), byTerm)) {
      if (next.term !== term) {
        yield* written();
        implied = Infinity;
      }
      implied = Math.min(implied, impliedOf(next.postings));
      const ofSource = numbers[next.source] ?? new Uint32Array();
      const again = next.term === term;
      term = next.term;
      visitPlaces(next.postings, ofSource.length, (column, document, position) => {
        const number = ofSource[document] ?? GONE;
        if (number !== GONE) places[column]?.push(placeOf(number, position));
      });
      // The order within one source stays.
      if (again) for (const each of places) each.sort((a, b) => a - b);
    }
    yield* written();
  }
}

function* located({ terms }: Source, source: number) {
  for (let next = terms.next(); next.done !== true; next = terms.next()) {
    const { term, postings } = next.value;
    yield { source, term, postings };
  }
}

function byName(a: { name: string; id: string }, b: { name: string; id: string }): number {
  return inBytes(a.name, b.name) || inBytes(a.id, b.id);
}

function byTerm(a: { term: string }, b: { term: string }): number {
  return a.term === b.term ? 0 : a.term < b.term ? -1 : 1;
}
