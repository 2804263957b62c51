/** Whole numbers from 0 to 2³² - 1, four bytes each, however many will come. */
export interface Numbers {
  readonly length: number;
  add(number: number): void;
  at(index: number): number;
  /** In place of one that is there. */
  set(index: number, number: number): void;
  /** Those that are there by now. */
  all(): Uint32Array;
}

/** An empty list. */
export function createNumbers(): Numbers {
  let numbers = new Uint32Array(1_024);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(number) {
      if (length === numbers.length) {
        const more = new Uint32Array(length + (length >> 1));
        more.set(numbers);
        numbers = more;
      }
      numbers[length++] = number;
    },
    set(index, number) {
      numbers[index] = number;
    },
    at: (index) => numbers[index] ?? 0,
    all: () => numbers.subarray(0, length),
  };
}
