import { createNumbers } from '../numbers.ts';

/** Short texts by number, one after another in one piece of memory: a fraction of what as many strings take. */
export interface PackedTexts {
  /** How many there are. */
  readonly length: number;
  add(text: string): void;
  at(index: number): string;
}

/** An empty list. */
export function createPackedTexts(): PackedTexts {
  let bytes = Buffer.alloc(4_096);
  const ends = createNumbers();
  const endOf = (index: number) => (index < 0 ? 0 : ends.at(index));
  return {
    get length() {
      return ends.length;
    },
    add(text) {
      const start = endOf(ends.length - 1);
      const size = Buffer.byteLength(text);
      if (start + size > bytes.length) {
        const more = Buffer.alloc(Math.max(start + size, bytes.length + (bytes.length >> 1)));
        bytes.copy(more, 0, 0, start);
        bytes = more;
      }
      bytes.write(text, start);
      ends.add(start + size);
    },
    at: (index) => bytes.toString('utf8', endOf(index - 1), endOf(index)),
  };
}
