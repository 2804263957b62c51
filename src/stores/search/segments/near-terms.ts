import { lettersOf, typoRows } from '../../../search/ranking/typos.ts';
import { readNumber } from './bytes.ts';
import { maxTermBytes } from './term-blocks.ts';

/** Letters below are one byte; terms with others are not compared here, but found. */
const ASCII = 0x80;

/** Finds terms of one length that may be a word but for so many typos; `mark` is what tells the word's kind and is no letter of it. */
export function nearTerms(word: string, mark: string, most: number, length: number) {
  const rows = typoRows(lettersOf(word.slice(mark.length)), most, length);
  const skipped = Buffer.byteLength(mark);
  const term = Buffer.alloc(maxTermBytes);

  return {
    /** May any term that begins so be near? */
    mayBegin(text: string): boolean {
      if (!text.startsWith(mark)) return true;
      for (const [place, letter] of lettersOf(text.slice(mark.length)).entries()) {
        if (letter >= ASCII) return true;
        if (!rows.put(place, letter)) return false;
      }
      return true;
    },

    /** The terms of a block that may be near. */
    *of(block: Uint8Array): Generator<string> {
      const reader = { bytes: block, at: 0 };
      /** So many letters of the term before tell that none is near that begins so, or that it has other letters than ASCII. */
      let [far, other] = [Infinity, Infinity];
      while (reader.at < block.length) {
        const shared = readNumber(reader);
        const length = shared + readNumber(reader);
        const { at } = reader;
        reader.at += length - shared;
        const postings = readNumber(reader);
        reader.at += postings;
        if (shared >= far) continue;
        far = Infinity;
        if (shared < other) other = Infinity;
        for (let i = shared; i < length; i++) term[i] = block[at + i - shared] ?? 0;
        for (let i = Math.max(shared, skipped); i < length && far === Infinity && other === Infinity; i++) {
          const letter = term[i] ?? 0;
          if (letter >= ASCII) other = i + 1;
          else if (!rows.put(i - skipped, letter)) far = i + 1;
        }
        if (far < Infinity) continue;
        if (other < Infinity || rows.typos() <= most) yield term.toString('utf8', 0, length);
      }
    },
  };
}
