import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { unsealed } from '../sqlite.ts';
import { allBut, type Bits } from './segments/bits.ts';
import { segmentOf, type Blocks, type Columns, type Segment, type SegmentData } from './segments/segment.ts';

/** For what the beginnings of very many terms find: some dozens of them among a million documents. */
const maxKeptBytes = 32 * 2 ** 20;

interface Held {
  dead: number;
  data: SegmentData;
  segment: Segment;
}

/** Reads the segments of a database: those of its present state, in the transaction that the caller has begun. */
export function prepareSegments(database: DatabaseSync): () => readonly Segment[] {
  const present = database.prepare('SELECT key, dead_count FROM segments ORDER BY key');
  const whole = database.prepare(`
    SELECT s.first_block, s.first_names AS first_of_names, d.keys, d.statics, d.first_terms, d.first_names, d.implied
    FROM segments s JOIN segment_data d ON d.segment = s.key WHERE s.key = ?`);
  const deadOf = database.prepare('SELECT dead FROM segments WHERE key = ?');
  const terms = database.prepare('SELECT terms FROM blocks WHERE key = ?');
  /** A segment never changes but for what is dead, and its key is given only once. */
  let held = new Map<number, Held>();

  const kept = new LRUCache<string, Columns>({
    maxSize: maxKeptBytes,
    sizeCalculation: (columns) => columns.reduce((sum, each) => sum + (each?.byteLength ?? 0), 1),
  });

  function blocks(firsts: readonly string[], start: number): Blocks {
    /** A term alone and its beginning are looked for one after the other. */
    let last = { index: -1, bytes: new Uint8Array() };
    return {
      firsts,
      block: (index) => {
        if (last.index !== index) last = { index, bytes: unsealed(terms.get(start + index)?.['terms']) };
        return last.bytes;
      },
    };
  }

  function read(key: number): Omit<SegmentData, 'live'> {
    const row = whole.get(key) ?? {};
    const firstNames = sealedJsonIn(row['first_names']) as string[][];
    let nextNames = Number(row['first_of_names']);
    return {
      ...blocks(sealedJsonIn(row['first_terms']) as string[], Number(row['first_block'])),
      names: firstNames.map((firsts) => {
        const ofLength = blocks(firsts, nextNames);
        nextNames += firsts.length;
        return ofLength;
      }),
      implied: unsealed(row['implied']).slice(),
      keys: new Uint32Array(bufferOf(row['keys'])),
      statics: new Uint16Array(bufferOf(row['statics'])),
      keep: (beginning, work) => {
        const name = `${key} ${beginning}`;
        const found = kept.get(name) ?? work();
        kept.set(name, found);
        return found;
      },
    };
  }

  function hold(key: number, dead: number): Held {
    const before = held.get(key);
    if (before?.dead === dead) return before;
    const unchanged = before?.data ?? read(key);
    const live = allBut(unchanged.keys.length, bitsOf(deadOf.get(key)?.['dead']));
    const data = { ...unchanged, live };
    return { dead, data, segment: segmentOf(data) };
  }

  return () => {
    held = new Map(
      present.all().map((row) => {
        const key = Number(row['key']);
        return [key, hold(key, Number(row['dead_count']))];
      }),
    );
    return [...held.values()].map(({ segment }) => segment);
  };
}

/** A copy of a sealed blob that numbers of several bytes can be read from. */
export function bufferOf(blob: unknown): ArrayBuffer {
  return unsealed(blob).slice().buffer;
}

function sealedJsonIn(blob: unknown): unknown {
  return JSON.parse(Buffer.from(unsealed(blob)).toString());
}

/** The same of a set. */
export function bitsOf(blob: unknown): Bits {
  return new Uint32Array(bufferOf(blob));
}
