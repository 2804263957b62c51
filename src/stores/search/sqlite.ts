import { batches, whileGathering } from '../batches.ts';
import type { FileEngine } from '../projection-file.ts';
import { openProjection } from '../sqlite-projection.ts';
import { startWriterThread, type WriterThread } from '../writer-thread.ts';
import type { SearchReader, SearchResult, SearchStore } from './port.ts';
import { documentIn } from './sqlite-document.ts';
import { searchSchema } from './sqlite-schema.ts';
import type { Search } from './sqlite-search.ts';

/** How many documents travel to the writer before other work gets its turn. */
const batchSize = 500;

/**
 * The search index in one SQLite file, searched and written in threads of their own, each replacement one transaction. Among a
 * million documents a search takes some tens of milliseconds, and what is mistyped more: this thread goes on to answer others.
 */
export async function openSqliteSearch({ file }: { file: string }): Promise<SearchStore & FileEngine> {
  let reading: WriterThread | null = null;
  const reader = () => (reading ??= startWriterThread(new URL('./sqlite-reader.ts', import.meta.url), { file }));
  const { shared, replace, scan } = openProjection({
    file,
    schema: searchSchema,
    writer: new URL('./sqlite-writer.ts', import.meta.url),
    readers: { close: async () => reading?.close(), terminate: async () => reading?.terminate() },
  });

  const search = async (asked: Search) => (await reader().call('search', asked)) as SearchResult;

  const page: SearchReader['documents'] = async ({ repository, offset, limit }) => {
    const rows = scan((own) => own.prepare(PAGE_OF_ONE).iterate({ repository, offset, limit }), {
      turnEvery: batchSize,
    });
    const [first, ...more] = await Array.fromAsync(rows);
    if (first === undefined) return null;
    const found = [first, ...more].filter(({ id }) => id !== null);
    return { documents: found.map(documentIn), total: Number(first['total']), generation: String(first['generation']) };
  };

  return {
    ...shared,

    replaceRepository: ({ repository, generation, documents }) =>
      replace({ repository, generation }, (thread) =>
        whileGathering(batches(documents, batchSize), (batch) => thread.call('documents', batch)),
      ),

    documents: (repository) =>
      scan(
        function* (own) {
          for (const row of own.prepare(DOCUMENTS_OF_ONE).iterate(repository)) yield documentIn(row);
        },
        { turnEvery: batchSize },
      ),

    everything: { search: (query) => search({ query, repositories: null }), documents: page },

    within: (names) => {
      const seen = new Set(names);
      const repositories = JSON.stringify([...seen].sort());
      return {
        search: (query) => search({ query, repositories }),
        documents: async (query) => (seen.has(query.repository) ? page(query) : null),
      };
    },
  };
}

const DOCUMENTS_OF_ONE = `
  SELECT d.id, d.name, d.document
  FROM repositories r CROSS JOIN documents d ON d.key >= r.first_document AND d.key < r.end_document
  WHERE r.name = ?`;

// One row without a document where there are none there.
const PAGE_OF_ONE = `
  SELECT r.generation, r.end_document - r.first_document AS total, d.id, d.name, d.document
  FROM repositories r
  LEFT JOIN documents d ON d.key >= r.first_document + :offset AND d.key < min(r.end_document, r.first_document + :offset + :limit)
  WHERE r.name = :repository ORDER BY d.key`;
