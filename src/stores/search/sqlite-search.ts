import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { SearchDocument } from '../../model/search-document.ts';
import { highlights } from './highlight.ts';
import { MAX_FACET_VALUES } from './port.ts';
import type { FacetName, FacetValue, SearchHit, SearchResult, SearchStore } from './port.ts';
import { isPrefix, maxTypos, mayRelax, parseQuery, resolveWords, type Lookup, type ResolvedWord } from './query.ts';
import { prepareRelevance } from './relevance-of.ts';
import { scoreOf } from './score.ts';
import { prepareBest } from './sqlite-best.ts';
import { ordered, type Match } from './sqlite-few.ts';
import {
  allMatches,
  facetColumns,
  matchClasses,
  searchStatements,
  type Asked,
  type SearchStatements,
} from './sqlite-query.ts';
import { isWord } from './tokens.ts';
import { nearestTerms } from './typos.ts';

/** So many matches are read and ordered here. */
const FEW = 1_000;

/** Searches in this database, in this thread. */
export function searchIn(database: DatabaseSync): SearchStore['search'] {
  const vocabulary = prepareVocabulary(database);
  const facetStatements = prepareFacets(database);
  const documentOf = database.prepare('SELECT document FROM documents WHERE key = ?');

  const best = prepareBest(database);
  const firstOf = database.prepare('SELECT rowid FROM words WHERE words MATCH ? LIMIT ?');
  const documentAt = (key: number) => JSON.parse(String(documentOf.get(key)?.['document'])) as SearchDocument;
  const hitAt =
    (words: readonly ResolvedWord[]) =>
    (key: number, relevance: number): SearchHit =>
      hitOf({ document: documentAt(key), relevance }, words);

  /** All matches, where they are few; else how many. What is likely is tried first: each time, terms with a beginning are merged. */
  function matchesOf(all: string, { words }: Asked): number[] | number {
    const likelyMany = words.length === 1 && words[0]?.tokens.length === 1;
    const total = likelyMany ? best.countOf(all) : 0;
    if (total > FEW) return total;
    const keys = firstOf.all(all, FEW + 1).map(({ rowid }) => Number(rowid));
    return keys.length > FEW ? best.countOf(all) : keys;
  }

  /** Of all matches; null where not all words must be found. */
  function few(asked: Asked, keys: readonly number[]): SearchResult | null {
    const { query, parsed, words, near } = asked;
    if (keys.length === 0 && mayRelax(words)) return null;
    const relevanceOf = prepareRelevance(parsed, words, near);
    const matches = keys.map((key) => {
      const document = documentAt(key);
      return { document, relevance: relevanceOf(document) };
    });
    const { page, total, facets } = ordered(matches, query);
    // What is below the lowest score does not count as found.
    if (total === 0 && mayRelax(words)) return null;
    return { hits: page.map((match) => hitOf(match, words)), total, facets };
  }

  /** What a query of one word asks first: its best matches. */
  function bestFirst(asked: Asked, all: string, total: number): SearchResult {
    const { query, words } = asked;
    const { offset, limit } = query;
    const page = total > offset && limit > 0 ? best.best(asked, matchClasses(asked), offset + limit).slice(offset) : [];
    const hit = hitAt(words);
    const facets = (query.facets ?? []).map((name) => [name, facetOf(facetStatements[name], { all })]);
    return { hits: page.map(({ key, relevance }) => hit(key, relevance)), total, facets: Object.fromEntries(facets) };
  }

  function anyOrder(asked: Asked): SearchResult {
    const { query, words } = asked;
    const totalOf = ({ count, parameters }: SearchStatements) =>
      Number(database.prepare(count).get(parameters)?.['total']);
    let statements = searchStatements(asked, false);
    let total = totalOf(statements);
    if (total === 0 && mayRelax(words)) total = totalOf((statements = searchStatements(asked, true)));
    const { limit, offset } = query;
    const { page, parameters, facets } = statements;
    const rows = total > offset && limit > 0 ? database.prepare(page).all({ ...parameters, limit, offset }) : [];
    const hit = hitAt(words);
    return {
      hits: rows.map(({ key, relevance }) => hit(Number(key), Number(relevance))),
      total,
      facets: Object.fromEntries(facets.map(({ name, sql }) => [name, facetOf(database.prepare(sql), parameters)])),
    };
  }

  return async (query) => {
    const parsed = parseQuery(query.text);
    const words = await resolveWords(parsed.words, async (lookups) => lookups.map(vocabulary.has));
    // From here to the last row nothing else runs in this thread, and BEGIN holds one state of the file.
    database.exec('BEGIN');
    try {
      const asked = { query, parsed, words, near: once(vocabulary.near) };
      const byScore = query.sort === 'composite_score' && query.order === 'desc' && query.minScore === undefined;
      const all = allMatches(asked);
      const matches = matchesOf(all, asked);
      const found = typeof matches === 'number' ? null : few(asked, matches);
      if (found !== null) return found;
      return typeof matches === 'number' && byScore && words.length < 2
        ? bestFirst(asked, all, matches)
        : anyOrder(asked);
    } finally {
      database.exec('ROLLBACK');
    }
  };
}

function hitOf({ document, relevance }: Match, words: readonly ResolvedWord[]): SearchHit {
  return { document, relevance, ...scoreOf(document, relevance), highlights: highlights(document, words) };
}

function facetOf(statement: StatementSync, parameters: Record<string, string | number>): FacetValue[] {
  const rows = statement.all({ ...parameters, values: MAX_FACET_VALUES });
  return rows.map(({ value, count }) => ({ value: String(value), count: Number(count) }));
}

function prepareFacets(database: DatabaseSync): Record<FacetName, StatementSync> {
  const prepare = (column: string) =>
    database.prepare(`
      SELECT d.${column} AS value, count(*) AS count FROM words CROSS JOIN documents d ON d.key = words.rowid
      WHERE words MATCH :all AND d.${column} IS NOT NULL
      GROUP BY d.${column} ORDER BY count DESC, value LIMIT :values`);
  const { type, language, repo } = facetColumns;
  return { type: prepare(type), language: prepare(language), repo: prepare(repo) };
}

/** The same, asked once for each token. */
function once(near: Asked['near']): Asked['near'] {
  const known = new Map<string, readonly string[]>();
  return (token) => {
    const terms = known.get(token) ?? near(token);
    known.set(token, terms);
    return terms;
  };
}

function prepareVocabulary(database: DatabaseSync) {
  const match = database.prepare('SELECT 1 FROM words WHERE words MATCH ? LIMIT 1');
  const terms = database.prepare(
    'SELECT term FROM terms WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?',
  );
  return {
    has: ({ field, token }: Lookup) => {
      const has = (expression: string) =>
        match.get(field === null ? expression : `${field} : ${expression}`) !== undefined;
      // All terms with a beginning are merged before the first row; a term alone is not.
      return has(`"${token}"`) || (isPrefix(token) && has(`"${token}" *`));
    },
    /** The first letter is taken as typed right: it narrows the terms to look at to one range. */
    near(token: string): readonly string[] {
      const letters = Array.from(token);
      const most = maxTypos(token);
      const begun = letters.slice(0, isWord(token) ? 1 : 2).join('');
      const rows = most === 0 ? [] : terms.all(begun, after(begun), letters.length - most, letters.length + most);
      return nearestTerms(
        token,
        rows.map(({ term }) => String(term)),
      );
    },
  };
}

/** What follows all that begins so, by code point; no text can hold the surrogates' range. */
function after(begun: string): string {
  const letters = Array.from(begun);
  const next = (letters.pop()?.codePointAt(0) ?? 0) + 1;
  return letters.join('') + String.fromCodePoint(next === 0xd800 ? 0xe000 : Math.min(next, 0x10ffff));
}
