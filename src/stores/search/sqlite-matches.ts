import { declaredMark, markOfRepository, markOfTest, textMark } from './marks.ts';
import type { SearchQuery } from './port.ts';
import {
  isBeginning,
  quotedPoints,
  waysOf,
  type ParsedQuery,
  type Reading,
  type Way,
} from '../../search/ranking/query.ts';
import { relevance } from '../../search/ranking/score.ts';
import { membersOf, noBits, subtract, unite, type Bits } from './segments/bits.ts';
import type { Segment } from './segments/segment.ts';
import { allOf, anyOf, type Found, type View } from './sqlite-view.ts';

/** What a query asks of this engine. */
export interface Asked {
  query: SearchQuery;
  parsed: ParsedQuery;
  reading: Reading;
  /** Those of a segment with names that a mistyped token may mean. */
  near: (view: View, token: string) => Found;
}

/** Numbers of documents of a segment, upwards, and how well each fits. */
export interface Fitting {
  numbers: Uint32Array;
  relevance: Uint16Array;
  /** There are no others, however little they fit. */
  isAll: boolean;
}

/** What a query finds in one segment. */
export interface Matches {
  segment: Segment;
  documents: Readonly<Bits>;
  /** All that have at least this relevance; others may be among them. */
  fitting: (least: number) => Fitting;
}

/** What a query finds in a segment. */
export function matchesIn(view: View, asked: Asked): Matches | null {
  const { segment } = view;
  const { parsed, reading, near } = asked;
  const { words } = reading;
  const allowed = view.allowed(asked.query);
  if (allowed === null) return null;
  if (parsed.text === '') {
    const fitting = () => {
      const numbers = membersOf(allowed);
      return { numbers, relevance: new Uint16Array(numbers.length).fill(relevance.exact), isAll: true };
    };
    return { segment, documents: allowed, fitting };
  }

  const { exact } = parsed;
  const named = anyOf(names.map((column) => view.token(column, exact, 'whole')));
  const declared = anyOf(declaredNames.map((column) => view.token(column, exact, 'whole')));
  const quoted = view.quoted(asked.query.quoted);
  const alike = alikeIn(view, asked);
  const ways = words.map((word) =>
    waysOf(word, reading).map((way) => ({
      ...way,
      found: once(() => anyOf(way.clauses.map((each) => view.clause(each, (token) => near(view, token))))),
    })),
  );
  const widest = ways.map((each) => anyOf(each.filter((way) => way.widest).map((way) => way.found())));
  const required = widest.filter((_, i) => words[i]?.optional === false);
  const enough = reading.any ? anyOf(required) : allOf(required);
  const documents = allOf([allowed, anyOf([named, declared, quoted, ...alike.map(({ found }) => found), enough])]);
  if (documents === null) return null;
  return { segment, documents, fitting };

  /** Each by the best that is true of it. */
  function fitting(least: number): Fitting {
    const reached = noBits(segment.size);
    const points = roomFor(segment.size);
    const among = allOf([enough, documents]);
    if (among !== null) {
      // Of several words the sum counts.
      const enoughAlone = ({ points }: Way) => points + reading.production + reading.repository >= least;
      for (const word of ways) addBest(ways.length === 1 ? word.filter(enoughAlone) : word, { among, reached, points });
      const tests = view.token('marks', markOfTest, 'whole');
      const more = [
        { points: reading.production, found: () => (tests === null ? reached : subtract(reached.slice(), tests)) },
        { points: reading.repository, found: () => view.token('marks', markOfRepository, 'whole') },
      ];
      for (const way of more) if (way.points > 0) addBest([way], { among: reached, reached, points });
    }
    const raise = (found: Found, to: number) => {
      const those = allOf([found, documents]);
      if (those === null) return;
      for (const number of membersOf(those)) points[number] = Math.max(points[number] ?? 0, to);
      unite(reached, those);
    };
    for (const { points, found } of alike) raise(found, points);
    raise(quoted, quotedPoints(parsed, asked.query.phrases));
    raise(named, relevance.sameKey);
    raise(declared, relevance.declared.sameKey);
    raise(view.token('marks', declaredMark(parsed.text), 'whole'), relevance.declared.exact);
    raise(view.token('marks', textMark(parsed.text), 'whole'), relevance.exact);
    const numbers = membersOf(reached);
    const relevances = new Uint16Array(numbers.length);
    for (let i = 0; i < numbers.length; i++) relevances[i] = points[numbers[i] ?? 0] ?? 0;
    return { numbers, relevance: relevances, isAll: least === 0 || ways.length > 1 };
  }
}

/** Gives each of some documents the points of the first of a word's ways, which is the best, that finds it. */
function addBest(
  ways: readonly { points: number; found: () => Found }[],
  { among, reached, points }: { among: Readonly<Bits>; reached: Bits; points: Uint16Array },
): void {
  const lists = ways.flatMap((way) => {
    const found = way.found();
    return found === null ? [] : [{ found, more: way.points }];
  });
  // Of 32 documents at a time: to make a set for each way takes several times as long.
  for (let i = 0; i < among.length; i++) {
    let left = among[i] ?? 0;
    for (let way = 0; left !== 0 && way < lists.length; way++) {
      const { found, more } = lists[way] as (typeof lists)[number];
      const here = left & (found[i] ?? 0);
      left ^= here;
      for (let bits = here; bits !== 0; bits &= bits - 1) {
        const number = (i << 5) + 31 - Math.clz32(bits & -bits);
        points[number] = (points[number] ?? 0) + more;
      }
    }
    reached[i] = (reached[i] ?? 0) | ((among[i] ?? 0) ^ left);
  }
}

/** Points of each document: one room for all segments, as to make it anew would take most of the time. */
let room = new Uint16Array();

function roomFor(size: number): Uint16Array {
  if (room.length < size) room = new Uint16Array(size);
  else room.fill(0, 0, size);
  return room;
}

const names = ['name', 'qualified'] as const;
const declaredNames = ['declared', 'declared_in'] as const;

/** Names that begin with the text or are nearly so. */
function alikeIn(view: View, { parsed, reading, near }: Asked): { points: number; found: Found }[] {
  const { exact } = parsed;
  const { beginning, declared } = relevance;
  const begun = () =>
    (
      [
        ['name', beginning.name],
        ['qualified', beginning.qualified],
        ['declared', declared.beginning.name],
        ['declared_in', declared.beginning.qualified],
      ] as const
    ).map(([column, points]) => ({ points, found: view.token(column, exact, 'prefix') }));
  return [
    ...(isBeginning(parsed) ? begun() : []),
    ...(reading.nearlyExact ? [{ points: relevance.nearlyExact, found: near(view, exact) }] : []),
  ];
}

function once<T>(work: () => T): () => T {
  let done: { value: T } | null = null;
  return () => (done ??= { value: work() }).value;
}
