import type { Place, SearchQuery } from './port.ts';
import { minUnits, maxUnits, relevance, TEXT_UNITS } from '../../search/ranking/score.ts';
import { add, noBits } from './segments/bits.ts';
import { inBytes } from '../../search/ranking/in-bytes.ts';
import { inOneOrder } from './segments/in-one-order.ts';
import type { Fitting, Matches } from './sqlite-matches.ts';

/** What documents with the same score are ordered by. */
export interface Named {
  name: string;
  id: string;
}

/** A hit before its document is read. */
export interface Ranked extends Named {
  key: number;
  relevance: number;
}

/** The matches that reach the lowest score. */
export function reaching(matches: Matches, minScore: number): Matches {
  const least = minUnits(minScore);
  const { size, statics } = matches.segment;
  const all = matches.fitting(0);
  const kept = [...all.numbers.keys()].filter(
    (i) => (all.relevance[i] ?? 0) * TEXT_UNITS + (statics[all.numbers[i] ?? 0] ?? 0) >= least,
  );
  const numbers = Uint32Array.from(kept, (i) => all.numbers[i] ?? 0);
  const relevance = Uint16Array.from(kept, (i) => all.relevance[i] ?? 0);
  const documents = noBits(size);
  for (const number of numbers) add(documents, number);
  return { ...matches, documents, fitting: () => ({ numbers, relevance, isAll: true }) };
}

/** One page of the matches in all segments. Names are read only of those whose rank is on it, and only as far as the page goes. */
export function rankedOf(
  matches: readonly Matches[],
  query: SearchQuery,
  total: number,
  nameOf: (key: number) => Named,
): { page: Ranked[]; end: Place | null } {
  const { sort, order, offset, limit, after = null } = query;
  const backwards = sort === 'name' && order === 'desc';
  const byName = backwards ? namesDown : namesUp;
  const turned = (value: number) => (isDownwards(query) ? maxUnits - value : value);
  // As every engine counts them.
  const units = sort === 'relevance' ? TEXT_UNITS : 1;
  const parts = bestRanked(matches, query, total);
  const first = after === null ? rankAt(offset) : turned((after[0] ?? 0) / units);
  const before = countTo(first);
  // Of those with the rank of what it goes on behind all may come before that.
  const upTo = after === null ? offset + limit : before + (counts[first] ?? 0) + limit;
  const last = Math.max(first, rankAt(Math.min(upTo, total) - 1));
  const groups = parts.map((part) => grouped(part, first, last));

  const page: Ranked[] = [];
  let end: Place | null = null;
  let left = after === null ? offset - before : 0;
  for (let rank = first; rank <= last && page.length < limit; rank++) {
    if (counts[rank] === 0) continue;
    const each = parts.map((part, i) => (backwards ? byNameDown : inTurn)(part, groups[i]?.get(rank) ?? [], nameOf));
    for (const next of inOneOrder(each, byName)) {
      if (left-- > 0) continue;
      if (after !== null && rank === first && byName(next, { name: after[1], id: after[2] }) <= 0) continue;
      page.push(next);
      end = [sort === 'name' ? null : turned(rank) * units, next.name, next.id];
      if (page.length === limit) break;
    }
  }
  return { page, end };
}

const isDownwards = ({ sort, order }: SearchQuery) => sort !== 'name' && order === 'desc';

/** Matches of one segment, each with its rank: 0 is the first one. */
interface Part extends Fitting {
  keys: Uint32Array;
  ranks: Uint32Array;
}

/** So high a relevance is tried first, then all: most often the page is full of what fits well, and many fit a little. */
const LEASTS = [relevance.word.name.prefix, relevance.word.path.prefix, 0];
/** So many are ranked at once. */
const FEW = 1_000;
/** What has so much less relevance never comes before, whatever else it has for it. */
const APART = (maxUnits - relevance.exact * TEXT_UNITS) / TEXT_UNITS;

/** How many matches have each rank: of one page at a time, as this is large. */
const counts = new Uint32Array(maxUnits + 1);

/** At least all matches that may be as far to the front as the page goes; counts them, too. */
function bestRanked(matches: readonly Matches[], query: SearchQuery, total: number): Part[] {
  const { sort, offset, limit, after = null } = query;
  const [ofRelevance, ofOwn] = { composite_score: [TEXT_UNITS, 1], relevance: [1, 0], name: [0, 0] }[sort] as [
    number,
    number,
  ];
  const downwards = isDownwards(query);
  for (const least of downwards && total > FEW && after === null ? LEASTS : [0]) {
    counts.fill(0);
    let enough = 0;
    const parts = matches.map(({ segment: { keys, statics }, fitting }): Part => {
      const { numbers, relevance, isAll } = fitting(least);
      const ranks = new Uint32Array(numbers.length);
      for (let i = 0; i < numbers.length; i++) {
        const points = relevance[i] ?? 0;
        const value = points * ofRelevance + (statics[numbers[i] ?? 0] ?? 0) * ofOwn;
        const rank = downwards ? maxUnits - value : value;
        ranks[i] = rank;
        counts[rank] = (counts[rank] ?? 0) + 1;
        if (points > least + APART) enough++;
      }
      return { keys, relevance, numbers, ranks, isAll };
    });
    if (enough >= offset + limit || parts.every(({ isAll }) => isAll)) return parts;
  }
  return [];
}

/** The rank that stands at this place; the last one of all where there are fewer. */
function rankAt(place: number): number {
  let rank = 0;
  for (let upTo = counts[0] ?? 0; upTo <= place && rank < counts.length - 1;) upTo += counts[++rank] ?? 0;
  return rank;
}

/** How many stand before this rank. */
function countTo(rank: number): number {
  let sum = 0;
  for (let each = 0; each < rank; each++) sum += counts[each] ?? 0;
  return sum;
}

/** Where in the part those of each rank are, of the ranks from the first to the last. */
function grouped({ ranks }: Part, first: number, last: number): Map<number, number[]> {
  const byRank = new Map<number, number[]>();
  for (let i = 0; i < ranks.length; i++) {
    const rank = ranks[i] ?? 0;
    if (rank < first || rank > last) continue;
    const same = byRank.get(rank);
    if (same === undefined) byRank.set(rank, [i]);
    else same.push(i);
  }
  return byRank;
}

function* inTurn(part: Part, places: readonly number[], nameOf: (key: number) => Named): Generator<Ranked> {
  for (const place of places) {
    const key = part.keys[part.numbers[place] ?? 0] ?? 0;
    yield { key, relevance: part.relevance[place] ?? 0, ...nameOf(key) };
  }
}

/** From the last name to the first, those of one name by id. */
function* byNameDown(part: Part, places: readonly number[], nameOf: (key: number) => Named): Generator<Ranked> {
  let same: Ranked[] = [];
  for (const next of inTurn(part, places.toReversed(), nameOf)) {
    if (same[0] !== undefined && same[0].name !== next.name) {
      yield* same.toReversed();
      same = [];
    }
    same.push(next);
  }
  yield* same.toReversed();
}

function namesUp(a: Named, b: Named): number {
  return inBytes(a.name, b.name) || inBytes(a.id, b.id);
}

function namesDown(a: Named, b: Named): number {
  return inBytes(b.name, a.name) || inBytes(a.id, b.id);
}
