import { setImmediate } from 'node:timers/promises';
import { batches, oneAtATime, whileGathering } from '../batches.ts';
import type { FileEngine } from '../projection-file.ts';
import { connectTo, openDatabase } from '../sqlite.ts';
import { startWriterThread, type WriterThread } from '../writer-thread.ts';
import type { SearchResult, SearchStore } from './port.ts';
import { documentIn } from './sqlite-document.ts';
import { searchSchema } from './sqlite-schema.ts';
import type { Search } from './sqlite-search.ts';

/** How many documents travel to the writer before other work gets its turn. */
const BATCH = 500;

/**
 * The search index in one SQLite file, searched and written in threads of their own, each replacement one transaction. Among a
 * million documents a search takes some tens of milliseconds, and what is mistyped more: this thread goes on to answer others.
 */
export async function openSqliteSearch({ file }: { file: string }): Promise<SearchStore & FileEngine> {
  const database = openDatabase(file, searchSchema);
  const generations = database.prepare('SELECT name, generation FROM repositories ORDER BY name');
  const exclusively = oneAtATime();
  let [writing, reading]: (WriterThread | null)[] = [null, null];
  const writer = () => (writing ??= startWriterThread(new URL('./sqlite-writer.ts', import.meta.url), { file }));
  const reader = () => (reading ??= startWriterThread(new URL('./sqlite-reader.ts', import.meta.url), { file }));

  const search = async (asked: Search) => (await reader().call('search', asked)) as SearchResult;

  return {
    engine: 'sqlite',

    replaceRepository: ({ repository, generation, documents }) =>
      exclusively(async () => {
        const thread = writer();
        if (!(await thread.call('begin', { repository, generation }))) return;
        try {
          await whileGathering(batches(documents, BATCH), (batch) => thread.call('documents', batch));
          await thread.call('commit');
        } catch (error) {
          await thread.call('rollback');
          throw error;
        }
      }),

    removeRepository: (repository) => exclusively(async () => (await writer().call('remove', repository)) === true),

    generations: async () => new Map(generations.all().map((row) => [String(row['name']), String(row['generation'])])),

    async *documents(repository) {
      // One state of the store, and nobody else is held to it.
      const own = connectTo(file, searchSchema);
      try {
        own.exec('BEGIN');
        let count = 0;
        for (const row of own.prepare(DOCUMENTS_OF_ONE).iterate(repository)) {
          if (count++ % BATCH === 0) await setImmediate();
          yield documentIn(row);
        }
      } finally {
        own.close();
      }
    },

    everything: { search: (query) => search({ query, repositories: null }) },

    within: (names) => {
      const repositories = JSON.stringify([...new Set(names)].sort());
      return { search: (query) => search({ query, repositories }) };
    },

    ping: async () => {
      generations.get();
    },

    close: () =>
      exclusively(async () => {
        await Promise.all([writing?.close(), reading?.close()]);
        if (database.isOpen) database.close();
      }),

    setWhole: (whole) =>
      exclusively(async () => {
        await writer().call('setWhole', whole);
      }),

    abandon: async () => {
      await Promise.all([writing?.terminate(), reading?.terminate()]);
      if (database.isOpen) database.close();
    },
  };
}

const DOCUMENTS_OF_ONE = `
  SELECT d.id, d.name, d.document
  FROM repositories r CROSS JOIN documents d ON d.key >= r.first_document AND d.key < r.end_document
  WHERE r.name = ?`;
