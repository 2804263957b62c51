/** A number for each of many texts, twenty to forty bytes for each: a text is known by 64 bits of its hash alone. */
export interface NumberByText {
  set(text: string, number: number): void;
  /** Null for what is not there. */
  get(text: string): number | null;
}

/** Without a text. Numbers are whole, from 0 to 2³² - 1. */
export function createNumberByText(): NumberByText {
  let table = emptyTable(1_024);
  let count = 0;

  const grow = () => {
    const old = table;
    table = emptyTable(old.size * 2);
    for (let from = 0; from < old.size; from++) {
      if (old.isTaken[from] === 0) continue;
      const [low, high] = [old.lows[from] ?? 0, old.highs[from] ?? 0];
      put(placeOf(table, low, high), low, high, old.numbers[from] ?? 0);
    }
  };
  const put = (at: number, low: number, high: number, number: number) => {
    table.isTaken[at] = 1;
    table.lows[at] = low;
    table.highs[at] = high;
    table.numbers[at] = number;
  };
  return {
    set(text, number) {
      const [low, high] = hashes(text);
      const at = placeOf(table, low, high);
      const isNew = table.isTaken[at] === 0;
      put(at, low, high, number);
      // At most two thirds full, so that a free place is near.
      if (isNew && ++count > (table.size * 2) / 3) grow();
    },
    get(text) {
      const at = placeOf(table, ...hashes(text));
      return table.isTaken[at] === 0 ? null : (table.numbers[at] ?? 0);
    },
  };
}

interface Table {
  /** A power of two. */
  size: number;
  isTaken: Uint8Array;
  lows: Uint32Array;
  highs: Uint32Array;
  numbers: Uint32Array;
}

function emptyTable(size: number): Table {
  return {
    size,
    isTaken: new Uint8Array(size),
    lows: new Uint32Array(size),
    highs: new Uint32Array(size),
    numbers: new Uint32Array(size),
  };
}

/** Where a text is, or where it would be. */
function placeOf({ size, isTaken, lows, highs }: Table, low: number, high: number): number {
  let at = low & (size - 1);
  while (isTaken[at] === 1 && (lows[at] !== low || highs[at] !== high)) at = (at + 1) & (size - 1);
  return at;
}

/** Two hashes of 32 bits (FNV-1a's step with other primes, and MurmurHash's end). */
function hashes(text: string): [low: number, high: number] {
  let low = 0x811c9dc5;
  let high = 0x2545f491;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 15;
  }
  low = Math.imul(low ^ (low >>> 16), 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 16), 0x27d4eb2f);
  return [(low ^ (low >>> 15)) >>> 0, (high ^ (high >>> 15)) >>> 0];
}
