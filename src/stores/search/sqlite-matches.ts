import { textMark } from './marks.ts';
import type { SearchQuery } from './port.ts';
import { isBeginning, leastWords, mayBeMistyped, waysOf, type ParsedQuery, type ResolvedWord } from './query.ts';
import { relevance } from './score.ts';
import { add, membersOf, noBits, subtract, type Bits } from './segments/bits.ts';
import type { Segment } from './segments/segment.ts';
import { allOf, anyOf, type Found, type View } from './sqlite-view.ts';

/** What a query asks of this engine. */
export interface Asked {
  query: SearchQuery;
  parsed: ParsedQuery;
  words: readonly ResolvedWord[];
  /** The terms of names that a mistyped token may mean, nearest first. */
  near: (token: string) => readonly string[];
}

/** What a query finds in one segment, and how well each fits, by its number. */
export interface Matches {
  segment: Segment;
  documents: Bits;
  relevance: () => Uint8Array;
}

/** What a query finds in a segment; `relaxed` where not all words must be found. */
export function matchesIn(view: View, asked: Asked, relaxed: boolean): Matches | null {
  const { segment } = view;
  const { parsed, words, near } = asked;
  const allowed = view.allowed(asked.query);
  if (allowed === null) return null;
  if (parsed.text === '') {
    const all = () => new Uint8Array(segment.size).fill(relevance.exact);
    return { segment, documents: allowed.slice(), relevance: all };
  }

  const { exact } = parsed;
  const named = anyOf(names.map((column) => view.token(column, exact, 'whole')));
  const alike = alikeIn(view, asked);
  const ways = words.map((word) =>
    waysOf(word, words.length).map((way) => ({
      ...way,
      found: once(() => anyOf(way.clauses.map((each) => view.clause(each, near)))),
    })),
  );
  const widest = ways.map((each) => anyOf(each.filter((way) => way.widest).map((way) => way.found())));
  const required = widest.filter((_, i) => words[i]?.optional === false);
  const enough = relaxed ? most(required, segment.size) : allOf(required);
  const documents = allOf([allowed, anyOf([named, ...alike.map(({ found }) => found), enough])]);
  if (documents === null) return null;
  return { segment, documents: documents.slice(), relevance: relevances };

  /** The best that is true of each. */
  function relevances(): Uint8Array {
    const points = new Uint8Array(segment.size);
    const each = (found: Found, set: (before: number) => number) => {
      const fitting = allOf([found, documents]);
      if (fitting !== null) for (const number of membersOf(fitting)) points[number] = set(points[number] ?? 0);
    };
    for (const word of ways) {
      const left = allOf([enough, documents])?.slice() ?? noBits(segment.size);
      for (const way of word) {
        const fitting = allOf([way.found(), left]);
        if (fitting === null) continue;
        for (const number of membersOf(fitting)) points[number] = (points[number] ?? 0) + way.points;
        subtract(left, fitting);
      }
    }
    for (const { points, found } of alike) each(found, (before) => Math.max(before, points));
    each(named, () => relevance.sameKey);
    each(view.token('marks', textMark(parsed.text), 'whole'), () => relevance.exact);
    return points;
  }
}

const names = ['name', 'qualified'] as const;

/** Names that begin with the text or are nearly so. */
function alikeIn(view: View, { parsed, words, near }: Asked): { points: number; found: Found }[] {
  const { exact } = parsed;
  const begun = () =>
    names.map((column) => ({ points: relevance.beginning[column], found: view.token(column, exact, 'prefix') }));
  const meant = () => anyOf(near(exact).map((term) => view.token('name', term, 'whole')));
  return [
    ...(isBeginning(parsed) ? begun() : []),
    ...(mayBeMistyped(parsed, words) ? [{ points: relevance.nearlyExact, found: meant() }] : []),
  ];
}

/** What is in enough of these. */
function most(each: readonly Found[], size: number): Found {
  const counts = new Uint8Array(size);
  for (const found of each)
    if (found !== null) for (const number of membersOf(found)) counts[number] = (counts[number] ?? 0) + 1;
  const least = leastWords(each.length);
  const found = noBits(size);
  for (const [number, count] of counts.entries()) if (count >= least) add(found, number);
  return found;
}

function once<T>(work: () => T): () => T {
  let done: { value: T } | null = null;
  return () => (done ??= { value: work() }).value;
}
