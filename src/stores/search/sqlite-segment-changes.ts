import type { DatabaseSync } from 'node:sqlite';
import { add, countOf, has, noBits } from './segments/bits.ts';
import type { Content } from './segments/content.ts';
import { mergedContent, type Source } from './segments/merged-content.ts';
import { spellingsWriter } from './segments/spellings.ts';
import { blockWriter, termsOf } from './segments/term-blocks.ts';
import { toMerge, type Tiered } from './segments/tiers.ts';
import { sealed, unsealed } from '../sqlite.ts';
import { bitsOf, bufferOf } from './sqlite-segments.ts';

interface SegmentRow extends Tiered {
  key: number;
  first_block: number;
  first_names: number;
  end_block: number;
}

/** Changes the segments of a database, in the transaction that the caller has begun. */
export function prepareSegmentChanges(database: DatabaseSync) {
  const all = database.prepare(
    'SELECT key, first_block, first_names, end_block, size, dead_count AS dead FROM segments ORDER BY key',
  );
  const nextBlock = database.prepare('SELECT coalesce(max(key), 0) + 1 AS key FROM blocks');
  const addBlock = database.prepare('INSERT INTO blocks VALUES (?, ?)');
  const addSegment = database.prepare(`
    INSERT INTO segments (first_block, first_names, end_block, size, dead_count, dead)
    VALUES (?, ?, ?, ?, 0, ?) RETURNING key`);
  const addData = database.prepare('INSERT INTO segment_data VALUES (?, ?, ?, ?, ?, ?)');
  const deadOf = database.prepare('SELECT dead FROM segments WHERE key = ?');
  const keysOf = database.prepare('SELECT keys FROM segment_data WHERE segment = ?');
  const staticsOf = database.prepare('SELECT statics FROM segment_data WHERE segment = ?');
  const blockAt = database.prepare('SELECT terms FROM blocks WHERE key = ?');
  const setDead = database.prepare('UPDATE segments SET dead = ?, dead_count = ? WHERE key = ?');
  const removeSegment = database.prepare('DELETE FROM segments WHERE key = ?');
  const removeData = database.prepare('DELETE FROM segment_data WHERE segment = ?');
  const removeBlocks = database.prepare('DELETE FROM blocks WHERE key >= ? AND key < ?');
  const nameAt = database.prepare('SELECT name, id FROM documents WHERE key = ?');

  const present = () => all.all() as unknown as SegmentRow[];

  function addContent({ keys, statics, terms }: Content): void {
    if (keys.length === 0) return;
    const first = Number(nextBlock.get()?.['key']);
    const firstTerms: string[] = [];
    const implied: number[] = [];
    const blocks = blockWriter((term, block, letters) => {
      addBlock.run(first + firstTerms.length, sealed(block));
      firstTerms.push(term);
      implied.push(letters);
    });
    const inNames = spellingsWriter();
    for (const each of terms) {
      blocks.add(each);
      inNames.add(each);
    }
    blocks.end();
    const names = inNames.end();
    const firstNames = first + firstTerms.length;
    for (const [i, block] of names.blocks.entries()) addBlock.run(firstNames + i, sealed(block));
    const end = firstNames + names.blocks.length;
    const segment = Number(
      addSegment.get(first, firstNames, end, keys.length, sealedNumbers(noBits(keys.length)))?.['key'],
    );
    const firsts = [firstTerms, names.firsts].map((each) => sealed(Buffer.from(JSON.stringify(each))));
    addData.run(segment, sealedNumbers(keys), sealedNumbers(statics), ...firsts, sealed(Uint8Array.from(implied)));
  }

  function sourceOf({ key, first_block, first_names }: SegmentRow): Source {
    const dead = bitsOf(deadOf.get(key)?.['dead']);
    return {
      keys: keysAt(key),
      statics: new Uint16Array(bufferOf(staticsOf.get(key)?.['statics'])),
      isLive: (document) => !has(dead, document),
      terms: terms(first_block, first_names),
    };
  }

  function* terms(first: number, end: number) {
    for (let key = first; key < end; key++) yield* termsOf(unsealed(blockAt.get(key)?.['terms']));
  }

  function remove({ key, first_block, end_block }: SegmentRow): void {
    removeSegment.run(key);
    removeData.run(key);
    removeBlocks.run(first_block, end_block);
  }

  function keysAt(segment: number): Uint32Array {
    return new Uint32Array(bufferOf(keysOf.get(segment)?.['keys']));
  }

  function nameOf(key: number) {
    const row = nameAt.get(key);
    return { name: String(row?.['name']), id: String(row?.['id']) };
  }

  return {
    /** Adds a segment, unless it is empty. */
    add: addContent,

    /** The documents with these keys are no longer there. */
    bury(isGone: (key: number) => boolean): void {
      for (const { key, dead: before } of present()) {
        const dead = bitsOf(deadOf.get(key)?.['dead']);
        for (const [document, each] of keysAt(key).entries()) if (isGone(each)) add(dead, document);
        const count = countOf(dead);
        if (count > before) setDead.run(sealedNumbers(dead), count, key);
      }
    },

    /** Makes one segment of several, for as long as there are too many. */
    merge(): void {
      for (let together = toMerge(present()); together !== null; together = toMerge(present())) {
        addContent(mergedContent(together.map(sourceOf), nameOf));
        for (const each of together) remove(each);
      }
    },
  };
}

const sealedNumbers = ({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array) =>
  sealed(new Uint8Array(buffer, byteOffset, byteLength));
