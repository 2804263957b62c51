import { fields, type Field } from './document-tokens.ts';
import type { SearchQuery } from './port.ts';
import { isBeginning, isPrefix, type ParsedQuery } from './query.ts';
import { relevance, wordShare } from './score.ts';

/** A token as typed, or the terms that it may mean. */
type Meant = string | readonly string[];

/** A word of a query ready to be looked for. */
export type WordToFind =
  | { kind: 'found'; tokens: readonly string[]; joined: Meant | null }
  | { kind: 'mistyped'; tokens: readonly Meant[]; joined: Meant | null };

/** The statement for a query and its parameters; `scored` rows are what matches, `total` counts them. */
export function searchStatement(
  query: SearchQuery,
  parsed: ParsedQuery,
  words: readonly WordToFind[],
): { page: string; count: string; parameters: Record<string, string | number> } {
  const { text, exact } = parsed;
  const parameters: Record<string, string | number> = {};
  const bind = (value: string | number) => {
    const name = `p${Object.keys(parameters).length}`;
    parameters[name] = value;
    return `:${name}`;
  };
  const filters = filterConditions(query, bind);
  const direction = query.order === 'asc' ? 'ASC' : 'DESC';
  const scored = text === '' ? everything(filters) : matching(filters);
  const least = query.minScore === undefined ? '' : `WHERE score >= ${bind(query.minScore)}`;
  const order = {
    // Of everything, the relevance is the same: ordered by boost, so that an index serves it.
    composite_score: `${text === '' ? 'boost' : 'score'} ${direction}, name, id`,
    relevance: `relevance ${direction}, name, id`,
    name: `name ${direction}, id`,
  }[query.sort];
  return {
    count: `${scored} SELECT count(*) AS total FROM scored ${least}`,
    page: `${scored} SELECT key, relevance, score FROM scored ${least} ORDER BY ${order} LIMIT :limit OFFSET :offset`,
    parameters,
  };

  function everything(where: readonly string[]): string {
    return `WITH scored AS (
      SELECT key, name, id, boost, ${relevance.exact} AS relevance, round(${relevance.exact} * boost, 3) AS score
      FROM documents WHERE ${['hidden = 0', ...where].join(' AND ')})`;
  }

  function matching(where: readonly string[]): string {
    const asText = bind(text);
    const found = (expression: string) => `SELECT rowid FROM words WHERE words MATCH ${bind(expression)}`;
    const sameKey = found(`{name qualified} : ${quote(exact)}`);
    const beginning = isBeginning(parsed) ? found(`{name qualified} : ${quote(exact)} *`) : null;
    const matched = [beginning ?? sameKey];
    const all = words.map(anywhere);
    if (all.length > 0 && all.every((expression) => expression !== null)) {
      matched.push(found(all.map((each) => `(${each})`).join(' AND ')));
    }
    const points = words.length === 0 ? '0' : words.map((word) => wordPoints(word, words.length)).join(' + ');
    const best =
      beginning === null
        ? points
        : `max(CASE WHEN d.key IN (${beginning}) THEN ${relevance.beginning} ELSE 0 END, ${points})`;
    return `WITH
      matched (key) AS (${matched.join(' UNION ')}),
      fitting AS (
        SELECT d.key, d.name, d.id, d.boost, CASE
          WHEN d.name = ${asText} OR d.qualified_name = ${asText} THEN ${relevance.exact}
          WHEN d.key IN (${sameKey}) THEN ${relevance.sameKey}
          ELSE ${best} END AS relevance
        FROM matched m CROSS JOIN documents d ON d.key = m.key
        WHERE ${['d.hidden = 0', ...where].join(' AND ')}),
      scored AS (SELECT key, name, id, relevance, round(relevance * boost, 3) AS score FROM fitting)`;
  }

  /** What a word adds: by the best way in which it is found. */
  function wordPoints(word: WordToFind, count: number): string {
    const near = nearly(word);
    const inOne = near === null ? [] : [`WHEN ${isFound(near)} THEN ${wordShare(relevance.word.nearly, count)}`];
    if (word.kind === 'mistyped') {
      const points = wordShare(relevance.word.typo, count);
      return near === null ? String(points) : `(CASE ${inOne.join(' ')} ELSE ${points} END)`;
    }
    const ways = [...fields.filter((field) => field !== 'text'), 'anywhere' as const].flatMap((place) =>
      (['whole', 'prefix'] as const).map((how) => {
        const expression = foundIn(word, place === 'anywhere' ? null : place, how);
        const points = wordShare(relevance.word[place][how], count);
        return place === 'anywhere' && how === 'prefix'
          ? `ELSE ${points}`
          : `WHEN ${isFound(expression)} THEN ${points}`;
      }),
    );
    // After the name's own ways, which are better.
    return `(CASE ${ways.toSpliced(2, 0, ...inOne).join(' ')} END)`;
  }

  function isFound(expression: string): string {
    return `d.key IN (SELECT rowid FROM words WHERE words MATCH ${bind(expression)})`;
  }
}

function filterConditions(query: SearchQuery, bind: (value: string | number) => string): string[] {
  const conditions: string[] = [];
  const lists = { type: query.types, repository: query.repositories, language: query.languages };
  for (const [column, values] of Object.entries(lists)) {
    if (values !== undefined)
      conditions.push(`${column} IN (SELECT value FROM json_each(${bind(JSON.stringify(values))}))`);
  }
  return conditions;
}

/** Everything that a word may match, in FTS5's language; null when nothing can. */
function anywhere(word: WordToFind): string | null {
  const ways = [word.kind === 'found' ? foundIn(word, null, 'prefix') : eachMeant(word.tokens), nearly(word)];
  const able = ways.filter((way) => way !== null);
  return able.length === 0 ? null : able.map((way) => `(${way})`).join(' OR ');
}

function eachMeant(tokens: readonly Meant[]): string | null {
  const all = tokens.map((token) => (typeof token === 'string' ? term(token, 'prefix') : oneOf(token)));
  return all.every((each) => each !== null) ? all.join(' AND ') : null;
}

/** The names that the word in one may mean, where it is mistyped. */
function nearly({ joined }: WordToFind): string | null {
  return joined === null || typeof joined === 'string' ? null : oneOf(joined);
}

function oneOf(terms: readonly string[]): string | null {
  return terms.length === 0 ? null : `name : (${terms.map(quote).join(' OR ')})`;
}

function foundIn(
  { tokens, joined }: WordToFind & { kind: 'found' },
  field: Field | null,
  how: 'whole' | 'prefix',
): string {
  const all = tokens.map((token) => term(token, how)).join(' AND ');
  const here = field === null ? `(${all})` : `${field} : (${all})`;
  // Only names are indexed by what their parts give in one.
  return typeof joined === 'string' && (field === null || field === 'name')
    ? `${here} OR name : ${term(joined, how)}`
    : here;
}

function term(token: string, how: 'whole' | 'prefix'): string {
  return how === 'prefix' && isPrefix(token) ? `${quote(token)} *` : quote(token);
}

function quote(token: string): string {
  return `"${token}"`;
}
