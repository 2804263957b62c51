import { isSpelling, isWord } from '../../../search/ranking/tokens.ts';
import { noBytes } from './bytes.ts';
import type { Term } from './content.ts';
import { isNamed } from './postings.ts';
import { blockWriter } from './term-blocks.ts';

/** Terms that may be mistyped, in blocks: those of one length follow one another, as what is mistyped has nearly as many letters. */
export interface Spellings {
  /** By length: the first term of each block. */
  firsts: readonly (readonly string[])[];
  blocks: readonly Uint8Array[];
}

const NO_POSTINGS = noBytes();

/** Gathers those of the terms, which come in their order, that stand in names as they are written. */
export function spellingsWriter() {
  const lengths: (ReturnType<typeof ofLength> | undefined)[] = [];
  return {
    add({ term, postings }: Term): void {
      if (!isSpelling(term) || !isNamed({ bytes: postings.buffer, at: 0 })) return;
      const length = lengthOf(term);
      (lengths[length] ??= ofLength(length)).add(term);
    },
    end(): Spellings {
      for (const each of lengths) each?.end();
      return {
        firsts: Array.from(lengths, (each) => each?.firsts ?? []),
        blocks: lengths.flatMap((each) => each?.blocks ?? []),
      };
    },
  };
}

function ofLength(length: number) {
  const [firsts, blocks]: [string[], Uint8Array[]] = [[], []];
  const emit = (first: string, block: Uint8Array) => {
    firsts.push(first);
    blocks.push(block.slice());
  };
  // A letter has four bytes at most, as has the mark before them.
  const { add, end } = blockWriter(emit, 4 * (length + 1));
  return { add: (term: string) => add({ term, postings: NO_POSTINGS, implied: 0 }), end, firsts, blocks };
}

/** How many letters it has, by code point, without the mark of its kind. */
export function lengthOf(term: string): number {
  let length = term.length - (isWord(term) ? 0 : 1);
  for (let i = 1; i < term.length; i++) if ((term.charCodeAt(i) & 0xfc00) === 0xdc00) length--;
  return length;
}
