import type { DatabaseSync } from 'node:sqlite';
import type { SearchDocument } from '../../model/search-document.ts';
import { highlights } from './highlight.ts';
import { MAX_FACET_VALUES, type SearchStore } from './port.ts';
import { isPrefix, maxTypos, mayRelax, parseQuery, resolveWords, type Lookup } from './query.ts';
import { scoreOf } from './score.ts';
import { searchStatements } from './sqlite-query.ts';
import { isWord } from './tokens.ts';
import { nearestTerms } from './typos.ts';

/** Searches in this database, in this thread. */
export function searchIn(database: DatabaseSync): SearchStore['search'] {
  const vocabulary = prepareVocabulary(database);
  const documentOf = database.prepare('SELECT document FROM documents WHERE key = ?');

  return async (query) => {
    const parsed = parseQuery(query.text);
    const words = await resolveWords(parsed.words, async (lookups) => lookups.map(vocabulary.has));
    // From here to the last row nothing else runs in this thread, and BEGIN holds one state of the file.
    database.exec('BEGIN');
    try {
      const statements = (relaxed: boolean) => searchStatements(query, parsed, words, vocabulary.near, relaxed);
      const totalOf = ({ count, parameters }: ReturnType<typeof statements>) =>
        Number(database.prepare(count).get(parameters)?.['total']);
      let asked = statements(false);
      let total = totalOf(asked);
      if (total === 0 && mayRelax(words)) total = totalOf((asked = statements(true)));
      const { limit, offset } = query;
      const { page, parameters } = asked;
      const rows = total > offset && limit > 0 ? database.prepare(page).all({ ...parameters, limit, offset }) : [];
      const hits = rows.map(({ key, relevance }) => {
        const document = JSON.parse(String(documentOf.get(Number(key))?.['document'])) as SearchDocument;
        const points = Number(relevance);
        return {
          document,
          relevance: points,
          ...scoreOf(document, points),
          highlights: highlights(document, words),
        };
      });
      const facets = asked.facets.map(({ name, sql }) => {
        const values = database.prepare(sql).all({ ...parameters, values: MAX_FACET_VALUES });
        return [name, values.map(({ value, count }) => ({ value: String(value), count: Number(count) }))];
      });
      return { hits, total, facets: Object.fromEntries(facets) };
    } finally {
      database.exec('ROLLBACK');
    }
  };
}

function prepareVocabulary(database: DatabaseSync) {
  const match = database.prepare('SELECT 1 FROM words WHERE words MATCH ? LIMIT 1');
  const terms = database.prepare(
    'SELECT term FROM terms WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?',
  );
  return {
    has: ({ field, token }: Lookup) => {
      const beginning = isPrefix(token) ? `"${token}" *` : `"${token}"`;
      return match.get(field === null ? beginning : `${field} : ${beginning}`) !== undefined;
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
