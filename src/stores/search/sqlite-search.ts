import type { DatabaseSync } from 'node:sqlite';
import type { SearchDocument } from '../../model/search-document.ts';
import type { SearchHit, SearchStore } from './port.ts';
import { isPrefix, parseQuery, resolveWords, type Lookup, type ResolvedToken } from './query.ts';
import { searchStatement, type WordToFind } from './sqlite-query.ts';
import { nearestTerms } from './typos.ts';

/** Searches in this database, in this thread. */
export function searchIn(database: DatabaseSync): SearchStore['search'] {
  const vocabulary = prepareVocabulary(database);
  const documentOf = database.prepare('SELECT document FROM documents WHERE key = ?');

  return async (query) => {
    const parsed = parseQuery(query.text);
    const resolved = await resolveWords(parsed.words, async (lookups) => lookups.map(vocabulary.has));
    // From here to the last row nothing else runs in this thread, and BEGIN holds one state of the file.
    database.exec('BEGIN');
    try {
      const meant = ({ token, known }: ResolvedToken) => (known ? token : vocabulary.near(token));
      const words = resolved.map((word): WordToFind => {
        const joined = word.joined === null ? null : meant(word.joined);
        return word.kind === 'found' ? { ...word, joined } : { ...word, joined, tokens: word.tokens.map(meant) };
      });
      const { page, count, parameters } = searchStatement(query, parsed, words);
      const total = Number(database.prepare(count).get(parameters)?.['total']);
      const { limit, offset } = query;
      const rows = total > offset && limit > 0 ? database.prepare(page).all({ ...parameters, limit, offset }) : [];
      const hits = rows.map(({ key, relevance, score }): SearchHit => ({
        document: JSON.parse(String(documentOf.get(Number(key))?.['document'])) as SearchDocument,
        score: Number(score),
        relevance: Number(relevance),
      }));
      return { hits, total };
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
    near(token: string): string[] {
      const [first = ''] = token;
      const length = Array.from(token).length;
      const rows = terms.all(first, after(first), length - 2, length + 2);
      return nearestTerms(
        token,
        rows.map(({ term }) => String(term)),
      );
    },
  };
}

/** The character that follows, by code point; no text can hold the surrogates' range. */
function after(character: string): string {
  const next = (character.codePointAt(0) ?? 0) + 1;
  return String.fromCodePoint(next === 0xd800 ? 0xe000 : Math.min(next, 0x10ffff));
}
