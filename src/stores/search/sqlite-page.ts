import type { SearchQuery } from './port.ts';
import { leastUnits, MOST_UNITS, TEXT_UNITS } from './score.ts';
import { add, membersOf, noBits } from './segments/bits.ts';
import { inBytes } from './segments/in-bytes.ts';
import { inOneOrder } from './segments/in-one-order.ts';
import type { Matches } from './sqlite-matches.ts';

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
  const least = leastUnits(minScore);
  const { size, statics } = matches.segment;
  const relevance = matches.relevance();
  const documents = noBits(size);
  for (const number of membersOf(matches.documents)) {
    if (unitsOf(relevance[number], statics[number]) >= least) add(documents, number);
  }
  return { ...matches, documents, relevance: () => relevance };
}

/** One page of the matches in all segments. Names are read only of those whose rank is on it, and only as far as the page goes. */
export function pageOf(
  matches: readonly Matches[],
  { sort, order, offset, limit }: SearchQuery,
  nameOf: (key: number) => Named,
): Ranked[] {
  const valueOf = { composite_score: unitsOf, relevance: (relevance = 0) => relevance, name: () => 0 }[sort];
  const rankOf = (value: number) => (order === 'desc' ? MOST_UNITS - value : value);
  /** How many have each rank: 0 is the first one. */
  const counts = new Uint32Array(MOST_UNITS + 1);
  const parts = matches.map((each): Part => {
    const { statics } = each.segment;
    const relevance = each.relevance();
    const numbers = membersOf(each.documents);
    const ranks = numbers.map((number) => rankOf(valueOf(relevance[number], statics[number])));
    for (const rank of ranks) counts[rank] = (counts[rank] ?? 0) + 1;
    const hit = (number: number): Ranked => {
      const key = each.segment.keys[number] ?? 0;
      return { key, relevance: relevance[number] ?? 0, ...nameOf(key) };
    };
    return { numbers, ranks, hit };
  });

  const first = rankAt(counts, offset);
  const last = rankAt(counts, offset + limit - 1);
  const sources = parts.map((part) => ({ ...part, byRank: grouped(part, first, last) }));
  const backwards = sort === 'name' && order === 'desc';
  const page: Ranked[] = [];
  let left = offset - counts.subarray(0, first).reduce((sum, count) => sum + count, 0);
  for (let rank = first; rank <= last; rank++) {
    if (counts[rank] === 0) continue;
    const each = sources.map(({ byRank, hit }) => (backwards ? byNameDown : inTurn)(byRank.get(rank) ?? [], hit));
    for (const next of inOneOrder(each, backwards ? namesDown : namesUp)) {
      if (left-- > 0) continue;
      page.push(next);
      if (page.length === limit) return page;
    }
  }
  return page;
}

/** The matches of one segment by their numbers, upwards, with the rank of each. */
interface Part {
  numbers: Uint32Array;
  ranks: Uint32Array;
  hit: (number: number) => Ranked;
}

/** The rank that stands at this place; the last one of all where there are fewer. */
function rankAt(counts: Uint32Array, place: number): number {
  let rank = 0;
  for (let upTo = counts[0] ?? 0; upTo <= place && rank < counts.length - 1;) upTo += counts[++rank] ?? 0;
  return rank;
}

function grouped({ numbers, ranks }: Part, first: number, last: number): Map<number, number[]> {
  const byRank = new Map<number, number[]>();
  for (const [i, rank] of ranks.entries()) {
    if (rank < first || rank > last) continue;
    const same = byRank.get(rank);
    if (same === undefined) byRank.set(rank, [numbers[i] ?? 0]);
    else same.push(numbers[i] ?? 0);
  }
  return byRank;
}

function* inTurn(numbers: readonly number[], hit: Part['hit']): Generator<Ranked> {
  for (const number of numbers) yield hit(number);
}

/** From the last name to the first, those of one name by id. */
function* byNameDown(numbers: readonly number[], hit: Part['hit']): Generator<Ranked> {
  let same: Ranked[] = [];
  for (const number of numbers.toReversed()) {
    const next = hit(number);
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

function unitsOf(relevance = 0, own = 0): number {
  return relevance * TEXT_UNITS + own;
}
