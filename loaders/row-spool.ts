import type { Rows } from '../src/model/snapshot.ts';
import type { TemporaryFile } from './temporary-file.ts';

/** Rows in the order in which they were added: few of them in memory, many in a temporary file. */
export interface RowSpool<T> extends Rows<T> {
  add(row: T): void;
  /** The row of this index; quick where others near it were asked for last. */
  at(index: number): T;
}

/** Up to so many stay in memory: what a repository of a thousand files has is not worth the way to the disk and back. */
const maxHeld = 40_000;
/** More are written, and read, together: so many rows at a time. */
const inBatch = 500;
/** So many batches are remembered where single rows are asked for. */
const maxBatches = 4;

/** An empty spool; its rows are plain data, and can't be asked for once the file is closed. */
export function createRowSpool<T>(file: TemporaryFile, most = maxHeld, batch = inBatch): RowSpool<T> {
  let held: T[] = [];
  let length = 0;
  const written: { start: number; size: number }[] = [];
  const remembered = new Map<number, T[]>();
  const write = () => {
    let done = 0;
    for (; held.length - done >= batch; done += batch) {
      const bytes = Buffer.from(JSON.stringify(held.slice(done, done + batch)));
      written.push({ start: file.append(bytes), size: bytes.length });
    }
    held = held.slice(done);
  };
  const read = ({ start, size }: (typeof written)[number]) => JSON.parse(file.read(start, size).toString()) as T[];
  return {
    add(row) {
      held.push(row);
      length++;
      if (held.length >= (written.length === 0 ? most : batch)) write();
    },
    get length() {
      return length;
    },
    *[Symbol.iterator]() {
      for (const place of written) yield* read(place);
      yield* held;
    },
    at(index) {
      const number = Math.floor(index / batch);
      const place = written[number];
      const rows = place ? (remembered.get(number) ?? read(place)) : held;
      if (place && !remembered.has(number)) {
        if (remembered.size === maxBatches) remembered.clear();
        remembered.set(number, rows);
      }
      const row = rows[place ? index % batch : index - written.length * batch];
      if (row === undefined) throw new RangeError(`There is no row ${index}.`);
      return row;
    },
  };
}
