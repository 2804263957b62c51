import { phraseFields, type Anywhere, type AnyField } from '../../search/ranking/document-tokens.ts';
import { filterMarks, textMark } from './marks.ts';
import type { SearchFilters } from '../../search/ranking/query.ts';
import type { QuotedIn, SearchQuery } from './port.ts';
import { fieldsOf, howOf, isPrefix, phraseTokens, type Clause } from '../../search/ranking/query.ts';
import { add, intersect, isEmpty, membersOf, noBits, subtract, unite, type Bits } from './segments/bits.ts';
import { columns, type Column } from './segments/postings.ts';
import type { Columns, Segment } from './segments/segment.ts';
import { stem } from '../../search/ranking/tokens.ts';
import type { Visible } from './sqlite-visible.ts';

/** Documents of a segment; null where there is none. Nobody changes them. */
export type Found = Readonly<Bits> | null;

/** One segment as one query sees it: what was looked up once is not looked up again. */
export interface View {
  readonly segment: Segment;
  /** What is there for who asks. */
  readonly visible: Readonly<Bits>;
  /** That is all of it. */
  readonly isWhole: boolean;
  /** Those that have the token, or one that begins so, in this column or in any field. */
  token(column: Column | Anywhere, token: string, how: 'whole' | 'prefix'): Found;
  /** `near` gives those with names that a mistyped token may mean. */
  clause(clause: Clause, near: (token: string) => Found): Found;
  /** In whose text the query stands as it is typed. */
  quoted(places: readonly QuotedIn[] | undefined): Found;
  /** What the filters let through; of what is visible. */
  allowed(query: SearchQuery): Found;
}

/** Looks into what is visible of a segment; `idOf` reads the id of a document by its key. */
export function viewOf({ segment, documents: visible, isWhole }: Visible, idOf: (key: number) => string): View {
  const looked = new Map<string, Columns>();
  const anywhere = new Map<string, Found>();

  function find(term: string, how: 'whole' | 'prefix') {
    const key = `${how} ${term}`;
    let found = looked.get(key);
    if (found === undefined) looked.set(key, (found = segment.find(term, how)));
    return found;
  }

  function token(column: Column | Anywhere, token: string, wanted: 'whole' | 'prefix'): Found {
    const how = isPrefix(token) ? wanted : 'whole';
    const term = how === 'prefix' ? stem(token) : token;
    const found = find(term, how);
    if (!isGroup(column)) return found[columns.indexOf(column)] ?? null;
    const key = `${column} ${how} ${term}`;
    let all = anywhere.get(key);
    if (all === undefined)
      anywhere.set(key, (all = anyOf(fieldsOf[column].map((field) => found[columns.indexOf(field)] ?? null))));
    return all;
  }

  const inField = (field: AnyField | Anywhere, tokens: readonly string[], how: 'whole' | 'prefix') =>
    allOf(tokens.map((each, i) => token(field, each, howOf(how, i, tokens))));

  function clause(clause: Clause, near: (token: string) => Found): Found {
    if (clause.how === 'nearly') {
      return allOf(
        clause.tokens.map((each) => (each.known ? token('anywhere', each.token, 'prefix') : near(each.token))),
      );
    }
    if (clause.how === 'phrase') return phrase([clause.field], clause.tokens);
    return inField(clause.field, clause.tokens, clause.how);
  }

  function phrase(places: readonly AnyField[], tokens: readonly string[]): Found {
    return anyOf(
      places.map((place) => {
        const all = allOf(tokens.map((each) => token(place, each, 'whole')));
        return all === null || tokens.length === 1 ? all : segment.inOrder(place, tokens, all);
      }),
    );
  }

  /** Each of what narrows a search. */
  function narrowing(filters: SearchFilters): Found[] {
    const marks = filterMarks(filters).map((list) => anyOf(list.map((mark) => token('marks', mark, 'whole'))));
    const paths = (filters.paths ?? []).map(phraseTokens).filter(({ length }) => length > 0);
    const inPath = paths.map((tokens) =>
      anyOf([inField('path', tokens, 'prefix'), inField('declared_path', tokens, 'prefix')]),
    );
    return [...marks, ...inPath];
  }

  const phrases = (texts: readonly string[] = []) =>
    texts
      .map(phraseTokens)
      .filter(({ length }) => length > 0)
      .map((tokens) => phrase(phraseFields, tokens));

  const quoted = (places: readonly QuotedIn[] = []) => {
    const those = noBits(segment.size);
    for (const { id, repository, path, name } of places) {
      const alike = allOf([
        ...narrowing({ ...(name === null && { types: ['File'] }), repositories: [repository], paths: [path] }),
        ...(name === null ? [] : [token('marks', textMark(name), 'whole')]),
      ]);
      // A path is found by its parts, which others may have too: the id decides.
      for (const number of alike === null ? [] : membersOf(alike))
        if (idOf(segment.keys[number] ?? 0) === id) add(those, number);
    }
    return isEmpty(those) ? null : those;
  };

  return {
    segment,
    visible,
    isWhole,
    token,
    clause,
    quoted,
    allowed(query) {
      const inFields = phrases(query.phrases);
      const anywhere = inFields.length === 0 ? [] : [anyOf([allOf(inFields), quoted(query.quoted)])];
      const wanted = allOf([visible, ...narrowing(query), ...anywhere]);
      if (wanted === null) return null;
      const unwanted = anyOf([...phrases(query.without), ...narrowing(query.excluded ?? {})]);
      return unwanted === null ? wanted : subtract(wanted.slice(), unwanted);
    },
  };
}

const isGroup = (column: Column | Anywhere): column is Anywhere => Object.hasOwn(fieldsOf, column);

/** What is in any. */
export function anyOf(each: readonly Found[]): Found {
  const [first = null, ...more] = each.filter((found) => found !== null);
  if (first === null || more.length === 0) return first;
  const all = first.slice();
  for (const found of more) unite(all, found);
  return all;
}

/** What is in all; of nothing, nothing. */
export function allOf(each: readonly Found[]): Found {
  const [first = null, ...more] = each;
  if (first === null || more.includes(null)) return null;
  if (more.length === 0) return isEmpty(first) ? null : first;
  const all = first.slice();
  for (const found of more) if (found !== null) intersect(all, found);
  return isEmpty(all) ? null : all;
}
