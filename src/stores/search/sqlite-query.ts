import type { Field } from './document-tokens.ts';
import { EVERY, filterMarks, textMark } from './marks.ts';
import type { FacetName, SearchFilters, SearchQuery } from './port.ts';
import {
  howOf,
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

/** What a query asks of this engine. */
export interface Asked {
  query: SearchQuery;
  parsed: ParsedQuery;
  words: readonly ResolvedWord[];
  /** The terms of names that a mistyped token may mean, nearest first. */
  near: (token: string) => readonly string[];
}

/** Statements for one query, and their parameters. */
export interface SearchStatements {
  page: string;
  count: string;
  facets: { name: FacetName; sql: string }[];
  parameters: Record<string, string | number>;
}

export const facetColumns = { type: 'type', language: 'language', repo: 'repository' } as const satisfies Record<
  FacetName,
  string
>;

/** What all matches of a class are found by, in FTS5's language, and how much they are worth. */
export interface MatchClass {
  points: number;
  expression: string;
}

/**
 * The matches of a query of one word at most by what they are worth, the best first. Each class also has what later ones find, but
 * for the order; together they are all.
 */
export function matchClasses(asked: Asked): MatchClass[] {
  const { query, parsed, words, near } = asked;
  const classes =
    parsed.text === ''
      ? [{ points: relevance.exact, expression: `marks : ${quote(EVERY)}` }]
      : [
          { points: relevance.exact, expression: inField('marks', quote(textMark(parsed.text))) },
          { points: relevance.sameKey, expression: named(parsed) },
          ...alike(asked),
          ...words.flatMap((word) =>
            waysOf(word, words.length).flatMap(({ points, clauses }) => {
              const expression = either(clauses, near);
              return expression === null ? [] : [{ points, expression }];
            }),
          ),
        ];
  return classes
    .map(({ points, expression }) => ({ points, expression: within(query, expression) }))
    .sort((a, b) => b.points - a.points);
}

/** All matches of a query, in FTS5's language. */
export function allMatches(asked: Asked): string {
  const { query, parsed, words, near } = asked;
  if (parsed.text === '') return within(query, `marks : ${quote(EVERY)}`);
  const widest = words
    .filter(({ optional }) => !optional)
    .map((word) => or(waysOf(word, words.length).map((way) => (way.widest ? either(way.clauses, near) : null))));
  const all = widest.length === 0 ? null : and(widest);
  return within(query, or([named(parsed), ...alike(asked).map(({ expression }) => expression), all]));
}

/** The statements for any query; `relaxed` where not all words must be found. */
export function searchStatements(asked: Asked, relaxed: boolean): SearchStatements {
  const { query, parsed, words, near } = asked;
  const parameters: Record<string, string | number> = {};
  const bind = (value: string | number) => {
    const name = `p${Object.keys(parameters).length}`;
    parameters[name] = value;
    return `:${name}`;
  };
  const found = (expression: string) => `SELECT rowid FROM words WHERE words MATCH ${bind(expression)}`;
  const scored = parsed.text === '' ? everything() : matching();
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
    const narrowed = within(query, null);
    return `WITH scored AS (
      SELECT d.key, d.name, d.id, d.type, d.language, d.repository, ${relevance.exact} AS relevance,
        d.static + ${relevance.exact * TEXT_UNITS} AS score
      FROM documents d WHERE d.hidden = 0 ${narrowed === '' ? '' : `AND d.key IN (${found(narrowed)})`})`;
  }

  function matching(): string {
    const asText = bind(parsed.text);
    const sameKey = found(within(query, named(parsed)));
    const likely = alike(asked).map(({ points, expression }) => ({ points, keys: found(within(query, expression)) }));
    const ways = words.map((word) =>
      waysOf(word, words.length).map((way) => ({ ...way, expression: either(way.clauses, near) })),
    );
    const widest = ways.map((each) => or(each.filter((way) => way.widest).map(({ expression }) => expression)));
    const required = widest.filter((_, i) => words[i]?.optional === false);
    const all = relaxed || required.length === 0 ? null : and(required);
    const matched = [sameKey, ...likely.map(({ keys }) => keys)];
    if (relaxed) matched.push(most(required));
    else if (all !== null) matched.push(found(within(query, all)));
    const points = ways.map((each, i) => wordPoints(each, all, all !== null && words[i]?.optional === false));
    const sum = points.length === 0 ? '0' : points.join(' + ');
    const cases = likely.map(({ keys, points }) => `WHEN d.key IN (${keys}) THEN ${points}`);
    const best = cases.length === 0 ? sum : `max(CASE ${cases.join(' ')} ELSE 0 END, ${sum})`;
    return `WITH
      matched (key) AS (${matched.join(' UNION ')}),
      fitting AS (
        SELECT d.key, d.name, d.id, d.type, d.language, d.repository, d.static, CASE
          WHEN d.name = ${asText} OR d.qualified_name = ${asText} THEN ${relevance.exact}
          WHEN d.key IN (${sameKey}) THEN ${relevance.sameKey}
          ELSE ${best} END AS relevance
        FROM matched m CROSS JOIN documents d ON d.key = m.key),
      scored AS (SELECT *, relevance * ${TEXT_UNITS} + static AS score FROM fitting)`;
  }

  /** What has enough of the words. */
  function most(required: readonly (string | null)[]): string {
    const each = required.flatMap((expression) => (expression === null ? [] : [found(within(query, expression))]));
    const rows = each.length === 0 ? 'SELECT NULL AS rowid WHERE 0' : each.join(' UNION ALL ');
    return `SELECT rowid FROM (${rows}) GROUP BY rowid HAVING count(*) >= ${bind(leastWords(required.length))}`;
  }

  /** What a word adds, by the best way in which it is found; only what has all words is looked at. */
  function wordPoints(ways: (Way & { expression: string | null })[], all: string | null, everywhere: boolean): string {
    const able = ways.filter(({ expression }) => expression !== null);
    const last = everywhere ? able.at(-1) : undefined;
    const cases = (last ? able.slice(0, -1) : able).map(({ points, expression }) => {
      const among = all === null ? String(expression) : `(${expression}) AND (${all})`;
      return `WHEN d.key IN (${found(within(query, among))}) THEN ${points}`;
    });
    const rest = String(last?.points ?? 0);
    return cases.length === 0 ? rest : `(CASE ${cases.join(' ')} ELSE ${rest} END)`;
  }
}

/** Names and qualified names that are the text but for case and separators. */
function named({ exact }: ParsedQuery): string {
  return `{name qualified} : ${quote(exact)}`;
}

/** Names that begin with the text or are nearly so, the best first. */
function alike({ parsed, words, near }: Asked): MatchClass[] {
  const classes: MatchClass[] = [];
  const { exact } = parsed;
  if (isBeginning(parsed)) {
    for (const field of ['name', 'qualified'] as const)
      classes.push({ points: relevance.beginning[field], expression: `${field} : ${quote(exact)} *` });
  }
  const meant = mayBeMistyped(parsed, words) ? oneOf(near(exact)) : null;
  if (meant !== null) classes.push({ points: relevance.nearlyExact, expression: meant });
  return classes;
}

/** The same, narrowed by the filters; without a base everything that they let through, empty where there are none. */
function within(query: SearchQuery, base: string | null): string {
  const { phrases = [], without = [], excluded = {} } = query;
  const wanted = [
    ...(base === null ? [] : [base]),
    ...markExpressions(query),
    ...pathExpressions(query),
    ...phrasesOf(phrases),
  ];
  const unwanted = [...phrasesOf(without), ...markExpressions(excluded), ...pathExpressions(excluded)];
  if (wanted.length === 0 && unwanted.length > 0) wanted.push(`marks : ${quote(EVERY)}`);
  return [and(wanted), ...unwanted.map((each) => `(${each})`)].join(' NOT ');
}

function markExpressions(filters: SearchFilters): string[] {
  return filterMarks(filters).map((marks) => inField('marks', or(marks.map(quote)) ?? quote(NOTHING)));
}

function pathExpressions({ paths = [] }: SearchFilters): string[] {
  return paths.map(phraseTokens).flatMap((tokens) => {
    const terms = tokens.map((token, i) => term(token, howOf('prefix', i, tokens)));
    return terms.length === 0 ? [] : [inField('path', terms.join(' AND '))];
  });
}

/** No document has this one. */
const NOTHING = `${EVERY}nothing`;

function phrasesOf(texts: readonly string[]): string[] {
  return texts.map(phraseTokens).flatMap((tokens) => (tokens.length === 0 ? [] : [quote(tokens.join(' '))]));
}

function either(clauses: readonly Clause[], near: Asked['near']): string | null {
  return or(clauses.map((clause) => expressionOf(clause, near)));
}

/** In FTS5's language; null when nothing can match. */
function expressionOf(clause: Clause, near: Asked['near']): string | null {
  if (clause.how === 'nearly') {
    return and(clause.tokens.map(({ token, known }) => (known ? term(token, 'prefix') : oneOf(near(token)))));
  }
  const { how, field, tokens } = clause;
  const terms =
    how === 'phrase'
      ? quote(tokens.join(' '))
      : tokens.map((token, i) => term(token, howOf(how, i, tokens))).join(' AND ');
  return field === 'anywhere' ? terms : inField(field, terms);
}

function inField(field: Field | 'marks', terms: string): string {
  return `${field} : (${terms})`;
}

function oneOf(terms: readonly string[]): string | null {
  return or(terms.map((each) => `name : ${quote(each)}`));
}

function and(expressions: readonly (string | null)[]): string | null {
  return expressions.every((each) => each !== null) ? expressions.map((each) => `(${each})`).join(' AND ') : null;
}

function or(expressions: readonly (string | null)[]): string | null {
  const able = expressions.filter((each) => each !== null);
  return able.length === 0 ? null : able.map((each) => `(${each})`).join(' OR ');
}

function term(token: string, how: 'whole' | 'prefix'): string {
  return how === 'prefix' && isPrefix(token) ? `${quote(stem(token))} *` : quote(token);
}

function quote(token: string): string {
  return `"${token}"`;
}
