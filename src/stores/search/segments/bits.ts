/** A set of documents of one segment, a bit each by their number there. */
export type Bits = Uint32Array<ArrayBuffer>;

/** The empty set among so many. */
export function noBits(size: number): Bits {
  return new Uint32Array((size + 31) >>> 5);
}

/** All of so many but these. */
export function allBut(size: number, without: Readonly<Bits>): Bits {
  const bits = noBits(size).fill(0xffffffff);
  if (size % 32 !== 0) bits[bits.length - 1] = 2 ** (size % 32) - 1;
  return subtract(bits, without);
}

/** Puts a number into the set. */
export function add(bits: Bits, member: number): void {
  bits[member >>> 5] = (bits[member >>> 5] ?? 0) | (1 << (member & 31));
}

/** Is the number in the set? */
export function has(bits: Readonly<Bits>, member: number): boolean {
  return (((bits[member >>> 5] ?? 0) >>> (member & 31)) & 1) === 1;
}

/** Puts all of the other set into the first one, which it gives back. */
export function unite(bits: Bits, other: Readonly<Bits>): Bits {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) | (other[i] ?? 0);
  return bits;
}

/** Leaves in the first set only what the other has, too. */
export function intersect(bits: Bits, other: Readonly<Bits>): Bits {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) & (other[i] ?? 0);
  return bits;
}

/** Takes all of the other set out of the first one. */
export function subtract(bits: Bits, other: Readonly<Bits>): Bits {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] ?? 0) & ~(other[i] ?? 0);
  return bits;
}

/** How many are in the set, or in both. */
export function countOf(bits: Readonly<Bits>, other: Readonly<Bits> = bits): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) {
    let word = (bits[i] ?? 0) & (other[i] ?? 0);
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Is anything in both sets? */
export function meet(bits: Readonly<Bits>, other: Readonly<Bits>): boolean {
  for (let i = 0; i < bits.length; i++) if (((bits[i] ?? 0) & (other[i] ?? 0)) !== 0) return true;
  return false;
}

/** Is nothing in the set? */
export function isEmpty(bits: Readonly<Bits>): boolean {
  return !meet(bits, bits);
}

/** The numbers in the set, upwards. */
export function membersOf(bits: Readonly<Bits>): Uint32Array {
  const members = new Uint32Array(countOf(bits));
  let next = 0;
  for (let i = 0; i < bits.length; i++) {
    for (let word = bits[i] ?? 0; word !== 0; word &= word - 1)
      members[next++] = (i << 5) + 31 - Math.clz32(word & -word);
  }
  return members;
}
