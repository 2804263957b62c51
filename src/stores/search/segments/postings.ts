import { allFields, phraseFields, type AnyField } from '../../../search/ranking/document-tokens.ts';
import { add, membersOf, noBits, type Bits } from './bits.ts';
import { addBytes, addNumber, noBytes, readNumber, type ByteReader, type Bytes } from './bytes.ts';

/** Where a term stands: in a field; or it is a mark, of the whole document (marks.ts). */
export type Column = AnyField | 'marks';
export const columns = [...allFields, 'marks'] as const satisfies readonly Column[];
/** Of the others nobody asks what follows what. */
const WITH_POSITIONS = phraseFields.length;
const NAME = columns.indexOf('name');
/** So many sets of columns there are. */
const MASKS = 2 ** columns.length;

/** A place is a document and a position in its field in one number, in their order. No field with positions has more tokens (tokens.ts). */
const POSITIONS = 1024;

/** The place of a position. */
export function placeOf(document: number, position: number): number {
  return document * POSITIONS + Math.min(position, POSITIONS - 1);
}

/** The document of a place. */
export function documentOf(place: number): number {
  return Math.floor(place / POSITIONS);
}

/**
 * Writes the places that terms have among so many documents, upwards in each column. Of a column first come the documents, as the gaps
 * between them or as a bit each, whichever is shorter; then the positions, which only phrases and merges read.
 */
export function postingsWriter(
  size: number,
): (to: Bytes, places: readonly (readonly number[])[], implied: number) => void {
  const [gaps, documents, positions] = [noBytes(), noBytes(), noBytes()];

  function write(to: Bytes, places: readonly number[], withPositions: boolean): void {
    gaps.length = documents.length = positions.length = 0;
    let count = 0;
    let last = -1;
    let before = 0;
    for (let i = 0; i < places.length; i++) {
      const place = places[i] ?? 0;
      const document = documentOf(place);
      if (document !== last) {
        addNumber(gaps, document - last - 1);
        count++;
        before = 0;
      }
      last = document;
      if (withPositions) {
        const position = place % POSITIONS;
        const more = documentOf(places[i + 1] ?? -1) === document;
        addNumber(positions, (position - before) * 2 + Number(more));
        before = position;
      }
    }
    const sparse = gaps.length <= bytesOf(size);
    addNumber(documents, count * 2 + Number(!sparse));
    if (sparse) addBytes(documents, gaps.buffer, 0, gaps.length);
    else addBytes(documents, new Uint8Array(bitsOf(places).buffer), 0, bytesOf(size));
    for (const part of [documents, positions]) {
      addNumber(to, part.length);
      addBytes(to, part.buffer, 0, part.length);
    }
  }

  function bitsOf(places: readonly number[]): Bits {
    const bits = noBits(size);
    for (const place of places) add(bits, documentOf(place));
    return bits;
  }

  return (to, places, implied) => {
    let mask = 0;
    for (let column = 0; column < places.length; column++) if (places[column]?.length) mask |= 1 << column;
    addNumber(to, mask + implied * MASKS);
    for (let column = 0; column < places.length; column++) {
      const each = places[column] ?? [];
      if (each.length > 0) write(to, each, column < WITH_POSITIONS);
    }
  };
}

function bytesOf(size: number): number {
  return (size + 7) >>> 3;
}

/**
 * So many letters of a term are not needed to find it by: all of its documents have, in the same column, a term of at least these
 * letters that it begins with. `getUser` has `get` and, in one, `getuser`; who looks for what begins with `ge` finds it by `get`.
 */
export function impliedOf({ bytes, at }: ByteReader): number {
  return Math.floor(readNumber({ bytes, at }) / MASKS);
}

/** Does the term stand in a name? */
export function isNamed({ bytes, at }: ByteReader): boolean {
  return ((readNumber({ bytes, at }) >>> NAME) & 1) === 1;
}

/** Puts the documents that have a term in their names into this set. */
export function addNamed(postings: ByteReader, found: Bits, size: number): void {
  if (!isNamed(postings)) return;
  readNumber(postings);
  // The first column's come first.
  readNumber(postings);
  addList(postings, found, size);
}

/** Puts the documents that a term has in each column into these sets, made where missing. */
export function addDocuments(postings: ByteReader, found: (Bits | undefined)[], size: number): void {
  for (let mask = readNumber(postings) % MASKS, column = 0; mask !== 0; mask >>>= 1, column++) {
    if ((mask & 1) === 0) continue;
    const end = readNumber(postings) + postings.at;
    addList(postings, (found[column] ??= noBits(size)), size);
    postings.at = end;
    const positions = readNumber(postings);
    postings.at += positions;
  }
}

function addList(postings: ByteReader, bits: Bits, size: number): void {
  const header = readNumber(postings);
  if ((header & 1) === 1) {
    const [from, to] = [postings.bytes, new Uint8Array(bits.buffer)];
    for (let i = 0, at = postings.at; i < bytesOf(size); i++, at++) to[i] = (to[i] ?? 0) | (from[at] ?? 0);
  } else {
    let document = -1;
    for (let left = header >>> 1; left > 0; left--) add(bits, (document += readNumber(postings) + 1));
  }
}

/** Visits the places that a term has in each column, upwards; what has no positions has 0. */
export function visitPlaces(
  { bytes, at }: ByteReader,
  size: number,
  visit: (column: number, document: number, position: number) => void,
): void {
  const [list, positions] = [
    { bytes, at },
    { bytes, at },
  ];
  for (let mask = readNumber(list) % MASKS, column = 0; mask !== 0; mask >>>= 1, column++) {
    if ((mask & 1) === 0) continue;
    const length = readNumber(list);
    positions.at = list.at + length;
    const end = readNumber(positions) + positions.at;
    const none = end === positions.at;
    const dense = denseList(list, size);
    const count = dense?.length ?? readNumber(list) >>> 1;
    for (let i = 0, document = -1; i < count; i++) {
      document = dense === null ? document + readNumber(list) + 1 : (dense[i] ?? 0);
      if (none) visit(column, document, 0);
      else visitPositions(positions, column, document, visit);
    }
    list.at = end;
  }
}

function visitPositions(
  positions: ByteReader,
  column: number,
  document: number,
  visit: (column: number, document: number, position: number) => void,
): void {
  let position = 0;
  for (let more = true; more;) {
    const read = readNumber(positions);
    position += read >>> 1;
    more = (read & 1) === 1;
    visit(column, document, position);
  }
}

/** The documents of a list that has a bit for each; null for one of gaps, of which nothing is read. */
function denseList({ bytes, at }: ByteReader, size: number): Uint32Array | null {
  if (((bytes[at] ?? 0) & 1) === 0) return null;
  const bits = noBits(size);
  addList({ bytes, at }, bits, size);
  return membersOf(bits);
}
