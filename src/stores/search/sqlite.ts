import type { DatabaseSync } from 'node:sqlite';
import type { SearchDocument } from '../../model/search-document.ts';
import { batches, oneAtATime } from '../batches.ts';
import { openDatabase } from '../sqlite.ts';
import { startWriterThread, type WriterThread } from '../writer-thread.ts';
import type { SearchHit, SearchStore } from './port.ts';
import { isPrefix, parseQuery, resolveWords, type Lookup, type ResolvedToken } from './query.ts';
import { searchStatement, type WordToFind } from './sqlite-query.ts';
import { searchSchema } from './sqlite-schema.ts';
import { nearestTerms } from './typos.ts';

/** How many documents travel to the writer before other work gets its turn. */
const BATCH = 500;

/** The search index in one SQLite file: read in this thread, written in a thread of its own, each replacement one transaction. */
export async function openSqliteSearch({ file }: { file: string }): Promise<SearchStore> {
  const database = openDatabase(file, searchSchema);
  const vocabulary = prepareVocabulary(database);
  const generations = database.prepare('SELECT name, generation FROM repositories ORDER BY name');
  const documentOf = database.prepare('SELECT document FROM documents WHERE key = ?');
  const exclusively = oneAtATime();
  let started: WriterThread | null = null;
  const writer = () => (started ??= startWriterThread(new URL('./sqlite-writer.ts', import.meta.url), { file }));

  return {
    engine: 'sqlite',

    replaceRepository: ({ repository, generation, documents }) =>
      exclusively(async () => {
        const thread = writer();
        if (!(await thread.call('begin', { repository, generation }))) return;
        try {
          for await (const batch of batches(documents, BATCH)) await thread.call('documents', batch);
          await thread.call('commit');
        } catch (error) {
          await thread.call('rollback');
          throw error;
        }
      }),

    removeRepository: (repository) => exclusively(async () => (await writer().call('remove', repository)) === true),

    generations: async () => new Map(generations.all().map((row) => [String(row['name']), String(row['generation'])])),

    search: async (query) => {
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
    },

    ping: async () => {
      generations.get();
    },

    close: () =>
      exclusively(async () => {
        await started?.close();
        if (database.isOpen) database.close();
      }),
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
