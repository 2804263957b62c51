import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { add, countOf, has, noBits, type Bits } from './segments/bits.ts';
import type { Segment } from './segments/segment.ts';

/** What a search sees of a segment. */
export interface Visible {
  segment: Segment;
  documents: Readonly<Bits>;
  /** It sees all of it. */
  isWhole: boolean;
}

/** A repository's documents have the keys from `first` to before `end`. */
interface Held {
  name: string;
  first: number;
  end: number;
}

/** For the sets of repositories that searches are within: 128 KB each among a million documents. */
const maxKeptBytes = 32 * 2 ** 20;

/**
 * Finds what is visible of some repositories, or of all, in the transaction that the caller has begun. A contributor is shown once,
 * as the first of these by name has him. What is found is kept until the database changes.
 */
export function prepareVisible(database: DatabaseSync) {
  const version = database.prepare('PRAGMA data_version');
  const repositories = database.prepare(
    'SELECT name, first_document AS first, end_document AS "end" FROM repositories ORDER BY name',
  );
  const copies = database.prepare(`
    SELECT json_group_array(key) AS keys FROM documents WHERE shared = 1 GROUP BY id HAVING count(*) > 1`);
  const kept = new LRUCache<string, readonly Visible[]>({
    maxSize: maxKeptBytes,
    sizeCalculation: (visible) => visible.reduce((sum, { documents }) => sum + documents.byteLength, 1),
  });
  let state = { version: -1, held: [] as Held[], contributors: [] as number[][] };

  function look(): void {
    const now = Number(version.get()?.['data_version']);
    if (now === state.version) return;
    kept.clear();
    state = {
      version: now,
      held: repositories.all() as unknown as Held[],
      contributors: copies.all().map(({ keys }) => JSON.parse(String(keys)) as number[]),
    };
  }

  /** `wanted`: the names of the repositories in JSON; null where it is all. */
  return (segments: readonly Segment[], wanted: string | null): readonly Visible[] => {
    look();
    const before = kept.get(wanted ?? '');
    if (before !== undefined) return before;
    const names = wanted === null ? null : new Set(JSON.parse(wanted) as string[]);
    const found = visibleOf(segments, names);
    kept.set(wanted ?? '', found);
    return found;
  };

  function visibleOf(segments: readonly Segment[], names: ReadonlySet<string> | null): Visible[] {
    const seen = state.held.filter((each) => names === null || names.has(each.name));
    const holderOf = holders(seen);
    const hidden = new Set(state.contributors.flatMap((keys) => allButFirst(keys, holderOf)));
    return segments
      .map((segment): Visible => {
        const documents =
          names === null && hidden.size === 0
            ? segment.live
            : those(segment, (key) => !hidden.has(key) && (names === null || holderOf(key) >= 0));
        return { segment, documents, isWhole: countOf(documents) === segment.size };
      })
      .filter(({ documents }) => countOf(documents) > 0);
  }
}

/** Tells which of these has a key, by its place among them; -1 where none has. */
function holders(held: readonly Held[]): (key: number) => number {
  const places = [...held.keys()]
    .filter((place) => span(held[place]) > 0)
    .sort((a, b) => (held[a]?.first ?? 0) - (held[b]?.first ?? 0));
  const firsts = Float64Array.from(places, (place) => held[place]?.first ?? 0);
  const ends = Float64Array.from(places, (place) => held[place]?.end ?? 0);
  return (key) => {
    let [low, high] = [0, firsts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((firsts[middle] ?? 0) <= key) low = middle + 1;
      else high = middle;
    }
    return key < (ends[low - 1] ?? 0) ? (places[low - 1] ?? -1) : -1;
  };
}

function span(held: Held | undefined): number {
  return held === undefined ? 0 : held.end - held.first;
}

/** Of a contributor's documents, those that are held, without the one of the first who holds one. */
function allButFirst(keys: readonly number[], holderOf: (key: number) => number): number[] {
  return keys
    .map((key) => ({ key, holder: holderOf(key) }))
    .filter(({ holder }) => holder >= 0)
    .sort((a, b) => a.holder - b.holder || a.key - b.key)
    .slice(1)
    .map(({ key }) => key);
}

/** What is there of a segment and is wanted by its key. */
function those({ keys, live, size }: Segment, isWanted: (key: number) => boolean): Bits {
  const documents = noBits(size);
  for (let i = 0; i < size; i++) if (has(live, i) && isWanted(keys[i] ?? 0)) add(documents, i);
  return documents;
}
