import { addBytes, addNumber, noBytes, readNumber, type ByteReader } from './bytes.ts';
import type { Term } from './content.ts';

/** With its row's header a block of this size fills one page of the database. */
const maxBlockBytes = 4_000;

/** No term is longer in bytes: four for each UTF-16 unit of the longest text (tokens.ts, marks.ts). */
export const maxTermBytes = 4_096;

/**
 * Gathers terms, which come in their order, into blocks: of each the bytes that the one before does not have, then its postings.
 * `emit` gets each block with its first term and the least letters that any of its terms is implied by (postings.ts). No term is
 * longer than `maxBytes`.
 */
export function blockWriter(
  emit: (first: string, block: Uint8Array, implied: number) => void,
  maxBytes = maxTermBytes,
) {
  const block = noBytes();
  let first = '';
  let [now, before] = [Buffer.alloc(maxBytes), Buffer.alloc(maxBytes)];
  let lengthBefore = 0;
  let least = Infinity;
  const end = () => {
    if (block.length > 0) emit(first, block.buffer.subarray(0, block.length), least);
    block.length = lengthBefore = 0;
    least = Infinity;
  };
  return {
    add({ term, postings: { buffer, length: postings }, implied }: Term): void {
      const length = now.write(term);
      if (block.length + length + postings > maxBlockBytes) end();
      if (block.length === 0) first = term;
      least = Math.min(least, implied);
      let shared = 0;
      while (shared < length && shared < lengthBefore && now[shared] === before[shared]) shared++;
      addNumber(block, shared);
      addNumber(block, length - shared);
      addBytes(block, now, shared, length);
      addNumber(block, postings);
      addBytes(block, buffer, 0, postings);
      [now, before] = [before, now];
      lengthBefore = length;
    },
    end,
  };
}

/** Visits the terms of a block that begin with these bytes: where their postings are, and whether these bytes are the whole term. */
export function visitTerms(
  block: Uint8Array,
  begun: Uint8Array,
  visit: (postings: ByteReader, whole: boolean) => void,
): void {
  const reader = { bytes: block, at: 0 };
  /** So many bytes of the beginning has the term before. */
  let fitting = 0;
  while (reader.at < block.length) {
    const shared = readNumber(reader);
    const length = readNumber(reader);
    const { at } = reader;
    const fittedAll = fitting === begun.length;
    if (shared <= fitting) {
      fitting = shared;
      while (fitting < begun.length && fitting - shared < length && block[at + fitting - shared] === begun[fitting])
        fitting++;
    }
    // Those that begin so follow one another.
    if (fittedAll && fitting < begun.length) return;
    reader.at = at + length;
    const end = readNumber(reader) + reader.at;
    if (fitting === begun.length) visit(reader, shared + length === begun.length);
    reader.at = end;
  }
}

/** All terms of a block in their order, each with where its postings are. */
export function* termsOf(block: Uint8Array): Generator<{ term: string; postings: ByteReader }> {
  const reader = { bytes: block, at: 0 };
  const term = Buffer.alloc(maxTermBytes);
  while (reader.at < block.length) {
    const shared = readNumber(reader);
    const length = readNumber(reader);
    for (let i = 0; i < length; i++) term[shared + i] = block[reader.at + i] ?? 0;
    reader.at += length;
    const end = readNumber(reader) + reader.at;
    yield { term: term.toString('utf8', 0, shared + length), postings: { bytes: block, at: reader.at } };
    reader.at = end;
  }
}
