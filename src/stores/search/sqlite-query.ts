import type { Field } from './document-tokens.ts';
import type { FacetName, SearchQuery } from './port.ts';
import {
  isBeginning,
  isPrefix,
  leastWords,
  mayBeMistyped,
  phraseTokens,
  waysOf,
  type Clause,
  type ParsedQuery,
  type ResolvedWord,
  type Way,
} from './query.ts';
import { leastUnits, relevance, TEXT_UNITS } from './score.ts';
import { stem } from './tokens.ts';

/** The terms of names that a mistyped token may mean, nearest first. */
type Near = (token: string) => readonly string[];

/** Statements for one query, and their parameters; `page` also says how many rows there are before and behind it. */
export interface SearchStatements {
  page: string;
  count: string;
  facets: { name: FacetName; sql: string }[];
  parameters: Record<string, string | number>;
}

const facetColumns: Record<FacetName, string> = { type: 'type', language: 'language', repo: 'repository' };

/** The statements for a query; `relaxed` where not all words must be found, null when nothing can be. */
export function searchStatements(
  query: SearchQuery,
  parsed: ParsedQuery,
  words: readonly ResolvedWord[],
  near: Near,
  relaxed: boolean,
): SearchStatements {
  const parameters: Record<string, string | number> = {};
  const bind = (value: string | number) => {
    const name = `p${Object.keys(parameters).length}`;
    parameters[name] = value;
    return `:${name}`;
  };
  const found = (expression: string) => `SELECT rowid FROM words WHERE words MATCH ${bind(expression)}`;
  const { text, exact } = parsed;
  const conditions = ['d.hidden = 0', ...filterConditions(query, bind, found)].join(' AND ');
  const scored = text === '' ? everything() : matching();
  const least = query.minScore === undefined ? '' : `WHERE score >= ${bind(leastUnits(query.minScore))}`;
  const direction = query.order === 'asc' ? 'ASC' : 'DESC';
  const order = {
    composite_score: `score ${direction}, name, id`,
    relevance: `relevance ${direction}, name, id`,
    name: `name ${direction}, id`,
  }[query.sort];
  return {
    count: `${scored} SELECT count(*) AS total FROM scored ${least}`,
    page: `${scored} SELECT key, relevance FROM scored ${least} ORDER BY ${order} LIMIT :limit OFFSET :offset`,
    facets: (query.facets ?? []).map((name) => ({ name, sql: facet(facetColumns[name]) })),
    parameters,
  };

  function facet(column: string): string {
    const known = `${least === '' ? 'WHERE' : `${least} AND`} ${column} IS NOT NULL`;
    return `${scored} SELECT ${column} AS value, count(*) AS count FROM scored ${known}
      GROUP BY ${column} ORDER BY count DESC, value LIMIT :values`;
  }

  /** Of everything, the relevance is the same: what an index orders by is the score. */
  function everything(): string {
    return `WITH scored AS (
      SELECT d.key, d.name, d.id, d.type, d.language, d.repository, ${relevance.exact} AS relevance,
        d.static + ${relevance.exact * TEXT_UNITS} AS score
      FROM documents d WHERE ${conditions})`;
  }

  function matching(): string {
    const asText = bind(text);
    const sameKey = found(`{name qualified} : ${quote(exact)}`);
    const named = namedAlike();
    const ways = words.map((word) => waysOf(word, words.length).map((way) => ({ ...way, expression: either(way) })));
    const widest = ways.map((each) => or(each.filter((way) => way.widest).map(({ expression }) => expression)));
    const required = widest.filter((_, i) => words[i]?.optional === false);
    const all = relaxed || required.length === 0 ? null : and(required);
    const matched = [sameKey, ...named.map(({ keys }) => keys)];
    if (relaxed) matched.push(most(required));
    else if (all !== null) matched.push(found(all));
    const points = ways.map((each, i) => wordPoints(each, all, all !== null && words[i]?.optional === false));
    const sum = points.length === 0 ? '0' : points.join(' + ');
    const alike = named.map(({ keys, points }) => `WHEN d.key IN (${keys}) THEN ${points}`);
    const best = alike.length === 0 ? sum : `max(CASE ${alike.join(' ')} ELSE 0 END, ${sum})`;
    return `WITH
      matched (key) AS (${matched.join(' UNION ')}),
      fitting AS (
        SELECT d.key, d.name, d.id, d.type, d.language, d.repository, d.static, CASE
          WHEN d.name = ${asText} OR d.qualified_name = ${asText} THEN ${relevance.exact}
          WHEN d.key IN (${sameKey}) THEN ${relevance.sameKey}
          ELSE ${best} END AS relevance
        FROM matched m CROSS JOIN documents d ON d.key = m.key
        WHERE ${conditions}),
      scored AS (SELECT *, relevance * ${TEXT_UNITS} + static AS score FROM fitting)`;
  }

  /** Names that begin with the text or are nearly so, the best first. */
  function namedAlike(): { points: number; keys: string }[] {
    const ways: { points: number; keys: string }[] = [];
    if (isBeginning(parsed)) {
      for (const field of ['name', 'qualified'] as const)
        ways.push({ points: relevance.beginning[field], keys: found(`${field} : ${quote(exact)} *`) });
    }
    const meant = mayBeMistyped(parsed, words) ? oneOf(near(exact)) : null;
    if (meant !== null) ways.push({ points: relevance.nearlyExact, keys: found(meant) });
    return ways;
  }

  /** What has enough of the words. */
  function most(required: readonly (string | null)[]): string {
    const each = required.flatMap((expression) => (expression === null ? [] : [found(expression)]));
    const rows = each.length === 0 ? 'SELECT NULL AS rowid WHERE 0' : each.join(' UNION ALL ');
    return `SELECT rowid FROM (${rows}) GROUP BY rowid HAVING count(*) >= ${bind(leastWords(required.length))}`;
  }

  /** What a word adds, by the best way in which it is found; only what has all words is looked at. */
  function wordPoints(ways: (Way & { expression: string | null })[], all: string | null, everywhere: boolean): string {
    const able = ways.filter(({ expression }) => expression !== null);
    const last = everywhere ? able.at(-1) : undefined;
    const cases = (last ? able.slice(0, -1) : able).map(({ points, expression }) => {
      const among = all === null ? String(expression) : `(${expression}) AND (${all})`;
      return `WHEN d.key IN (${found(among)}) THEN ${points}`;
    });
    const rest = String(last?.points ?? 0);
    return cases.length === 0 ? rest : `(CASE ${cases.join(' ')} ELSE ${rest} END)`;
  }

  function either({ clauses }: Way): string | null {
    return or(clauses.map((clause) => expressionOf(clause, near)));
  }
}

/** In FTS5's language; null when nothing can match. */
function expressionOf(clause: Clause, near: Near): string | null {
  if (clause.how === 'nearly') {
    return and(clause.tokens.map(({ token, known }) => (known ? term(token, 'prefix') : oneOf(near(token)))));
  }
  const { how, field, tokens } = clause;
  const terms = how === 'phrase' ? quote(tokens.join(' ')) : tokens.map((token) => term(token, how)).join(' AND ');
  return inField(field, terms);
}

function inField(field: Field | 'anywhere', terms: string): string {
  return field === 'anywhere' ? terms : `${field} : (${terms})`;
}

function oneOf(terms: readonly string[]): string | null {
  return terms.length === 0 ? null : `name : (${terms.map(quote).join(' OR ')})`;
}

function and(expressions: readonly (string | null)[]): string | null {
  return expressions.every((each) => each !== null) ? expressions.map((each) => `(${each})`).join(' AND ') : null;
}

function or(expressions: readonly (string | null)[]): string | null {
  const able = expressions.filter((each) => each !== null);
  return able.length === 0 ? null : able.map((each) => `(${each})`).join(' OR ');
}

function filterConditions(
  query: SearchQuery,
  bind: (value: string | number) => string,
  found: (expression: string) => string,
): string[] {
  const values = (list: readonly string[]) => `(SELECT value FROM json_each(${bind(JSON.stringify(list))}))`;
  const small = (list: readonly string[]) => values(list.map((each) => each.toLowerCase()));
  const conditions: string[] = [];
  if (query.types) conditions.push(`d.type IN ${values(query.types)}`);
  if (query.repositories) conditions.push(`d.repository IN ${values(query.repositories)}`);
  if (query.languages) conditions.push(`d.language IN ${small(query.languages)}`);
  if (query.frameworks)
    conditions.push(`EXISTS (SELECT 1 FROM json_each(d.frameworks) WHERE value IN ${small(query.frameworks)})`);
  for (const path of query.paths ?? []) {
    const tokens = phraseTokens(path);
    if (tokens.length === 0) continue;
    const terms = tokens.map((token, i) => term(token, i === tokens.length - 1 ? 'prefix' : 'whole'));
    conditions.push(`d.key IN (${found(`path : (${terms.join(' AND ')})`)})`);
  }
  for (const [phrases, is] of [
    [query.phrases, 'IN'],
    [query.without, 'NOT IN'],
  ] as const) {
    for (const phrase of phrases ?? []) {
      const tokens = phraseTokens(phrase);
      if (tokens.length > 0) conditions.push(`d.key ${is} (${found(quote(tokens.join(' ')))})`);
    }
  }
  return conditions;
}

function term(token: string, how: 'whole' | 'prefix'): string {
  return how === 'prefix' && isPrefix(token) ? `${quote(stem(token))} *` : quote(token);
}

function quote(token: string): string {
  return `"${token}"`;
}
