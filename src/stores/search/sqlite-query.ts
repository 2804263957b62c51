import { fields, type Field } from './document-tokens.ts';
import type { SearchQuery } from './port.ts';
import { isPrefix, type ParsedQuery } from './query.ts';
import { relevance, wordShare } from './score.ts';

/** A word of a query ready to be looked for: as typed, or each token as the terms that it may mean. */
export type WordToFind =
  | { kind: 'found'; tokens: readonly string[]; joined: string | null }
  | { kind: 'mistyped'; tokens: readonly (string | readonly string[])[] };

/** The statement for a query and its parameters; `scored` rows are what matches, `total` counts them. */
export function searchStatement(
  query: SearchQuery,
  { text, exact }: ParsedQuery,
  words: readonly WordToFind[],
): { page: string; count: string; parameters: Record<string, string | number> } {
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
    page: `${scored} SELECT key, relevance, score FROM scored ${least} ORDER BY ${order} LIMIT ${query.limit} OFFSET ${query.offset}`,
    parameters,
  };

  function everything(where: readonly string[]): string {
    return `WITH scored AS (
      SELECT key, name, id, boost, ${relevance.exact} AS relevance, round(${relevance.exact} * boost, 3) AS score
      FROM documents WHERE ${['hidden = 0', ...where].join(' AND ')})`;
  }

  function matching(where: readonly string[]): string {
    const asText = bind(text);
    const sameKey = `SELECT rowid FROM words WHERE words MATCH ${bind(`{name qualified} : ${quote(exact)}`)}`;
    const matched = [sameKey];
    const all = words.map(anywhere);
    if (all.length > 0 && all.every((expression) => expression !== null)) {
      matched.push(`SELECT rowid FROM words WHERE words MATCH ${bind(all.map((each) => `(${each})`).join(' AND '))}`);
    }
    const points = words.map((word) => wordPoints(word, words.length)).join(' + ');
    return `WITH
      matched (key) AS (${matched.join(' UNION ')}),
      fitting AS (
        SELECT d.key, d.name, d.id, d.boost, CASE
          WHEN d.name = ${asText} OR d.qualified_name = ${asText} THEN ${relevance.exact}
          WHEN d.key IN (${sameKey}) THEN ${relevance.sameKey}
          ELSE ${points === '' ? '0' : points} END AS relevance
        FROM matched m CROSS JOIN documents d ON d.key = m.key
        WHERE ${['d.hidden = 0', ...where].join(' AND ')}),
      scored AS (SELECT key, name, id, relevance, round(relevance * boost, 3) AS score FROM fitting)`;
  }

  /** What a word adds: by the best way in which it is found. */
  function wordPoints(word: WordToFind, count: number): string {
    if (word.kind === 'mistyped') return String(wordShare(relevance.word.typo, count));
    const ways = [...fields.filter((field) => field !== 'text'), 'anywhere' as const].flatMap((place) =>
      (['whole', 'prefix'] as const).map((how) => {
        const expression = foundIn(word, place === 'anywhere' ? null : place, how);
        const points = wordShare(relevance.word[place][how], count);
        return place === 'anywhere' && how === 'prefix'
          ? `ELSE ${points}`
          : `WHEN d.key IN (SELECT rowid FROM words WHERE words MATCH ${bind(expression)}) THEN ${points}`;
      }),
    );
    return `(CASE ${ways.join(' ')} END)`;
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
  if (word.kind === 'found') return foundIn(word, null, 'prefix');
  const tokens = word.tokens.map((token) =>
    typeof token === 'string'
      ? term(token, 'prefix')
      : token.length === 0
        ? null
        : `name : (${token.map(quote).join(' OR ')})`,
  );
  return tokens.every((token) => token !== null) ? tokens.join(' AND ') : null;
}

function foundIn(
  { tokens, joined }: { tokens: readonly string[]; joined: string | null },
  field: Field | null,
  how: 'whole' | 'prefix',
): string {
  const all = tokens.map((token) => term(token, how)).join(' AND ');
  const here = field === null ? `(${all})` : `${field} : (${all})`;
  // Only names are indexed by what their parts give in one.
  return joined !== null && (field === null || field === 'name') ? `${here} OR name : ${term(joined, how)}` : here;
}

function term(token: string, how: 'whole' | 'prefix'): string {
  return how === 'prefix' && isPrefix(token) ? `${quote(token)} *` : quote(token);
}

function quote(token: string): string {
  return `"${token}"`;
}
