/** Bytes to which more are added at the end. */
export interface Bytes {
  buffer: Uint8Array<ArrayBuffer>;
  length: number;
}

/** None so far. */
export function noBytes(): Bytes {
  return { buffer: new Uint8Array(256), length: 0 };
}

/** Adds a whole number from 0, in seven bits a byte: small ones are short. */
export function addNumber(to: Bytes, value: number): void {
  reserve(to, 5);
  let left = value;
  for (; left > 0x7f; left >>>= 7) to.buffer[to.length++] = (left & 0x7f) | 0x80;
  to.buffer[to.length++] = left;
}

/** Adds the bytes from one to before another. */
export function addBytes(to: Bytes, from: Uint8Array, start: number, end: number): void {
  reserve(to, end - start);
  // Most are few, and a view of them would take longer.
  if (end - start > 64) to.buffer.set(from.subarray(start, end), to.length);
  else for (let i = start; i < end; i++) to.buffer[to.length + i - start] = from[i] ?? 0;
  to.length += end - start;
}

function reserve(bytes: Bytes, more: number): void {
  if (bytes.length + more <= bytes.buffer.length) return;
  const larger = new Uint8Array(2 * (bytes.length + more));
  larger.set(bytes.buffer);
  bytes.buffer = larger;
}

/** A place in bytes, from which numbers are read one after another. */
export interface ByteReader {
  readonly bytes: Uint8Array;
  at: number;
}

/** The next number that `addNumber` wrote. */
export function readNumber(reader: ByteReader): number {
  const { bytes } = reader;
  let byte = bytes[reader.at++] ?? 0;
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  for (let shift = 7; byte >= 0x80; shift += 7) {
    byte = bytes[reader.at++] ?? 0;
    value |= (byte & 0x7f) << shift;
  }
  return value;
}
