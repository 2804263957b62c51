import type { SQLOutputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Found } from '../../search/text/found.ts';
import { compileAll } from '../../search/text/pattern.ts';
import { batches, oneAtATime, whileGathering } from '../batches.ts';
import type { FileEngine } from '../projection-file.ts';
import { connectTo, openDatabase, unsealed } from '../sqlite.ts';
import { createThreadPool } from '../thread-pool.ts';
import { startWriterThread, type WriterThread } from '../writer-thread.ts';
import { textOf, SearchTooLong, SEARCH_LIMIT_MS, type SourceBlob, type SourceStore, type StoredFile } from './port.ts';
import { fileOf } from './sqlite-file.ts';
import { sourceSchema } from './sqlite-schema.ts';

/** Compressed bytes that travel to the writer before other work gets its turn. */
const BATCH_BYTES = 256 * 1024;
/** Who searches by a slow expression holds one of these. */
const READERS = 2;

/** The text of the repositories in one SQLite file, searched and written in threads of their own; each replacement is one transaction. */
export async function openSqliteSource({
  file,
  limitMs = SEARCH_LIMIT_MS,
}: {
  file: string;
  limitMs?: number;
}): Promise<SourceStore & FileEngine> {
  const database = openDatabase(file, sourceSchema);
  const generations = database.prepare('SELECT name, generation, kept FROM repositories ORDER BY name');
  const fileAt = database.prepare(`
    SELECT f.path, f.language, f.test, f.left_out, b.content
    FROM repositories r JOIN files f ON f.repository_key = r.key JOIN blobs b ON b.key = f.blob_key
    WHERE r.name = ? AND f.path = ?`);
  const exclusively = oneAtATime();
  let writing: WriterThread | null = null;
  const writer = () => (writing ??= startWriterThread(new URL('./sqlite-writer.ts', import.meta.url), { file }));
  const readers = createThreadPool({
    start: () => startWriterThread(new URL('./sqlite-reader.ts', import.meta.url), { file }),
    size: READERS,
    limitMs,
    tooLong: () => new SearchTooLong(),
  });

  return {
    engine: 'sqlite',

    replaceRepository: ({ repository, generation, isKept, blobs }) =>
      exclusively(async () => {
        const thread = writer();
        if (!(await thread.call('begin', { repository, generation, isKept }))) return;
        try {
          await whileGathering(batches(blobs, BATCH_BYTES, weightOf), (batch) => thread.call('blobs', batch));
          await thread.call('commit');
        } catch (error) {
          await thread.call('rollback');
          throw error;
        }
      }),

    removeRepository: (repository) => exclusively(async () => (await writer().call('remove', repository)) === true),

    generations: async () => new Map(generations.all().map((row) => [String(row['name']), String(row['generation'])])),

    async *files(repository) {
      // One state of the store, and nobody else is held to it.
      const own = connectTo(file, sourceSchema);
      try {
        own.exec('BEGIN');
        for (const row of own.prepare(FILES_OF_ONE).iterate(repository)) {
          await setImmediate();
          yield fileIn(row);
        }
      } finally {
        own.close();
      }
    },

    within(names) {
      const visible = new Set(names);
      const repositories = JSON.stringify([...visible]);
      return {
        kept: async () =>
          new Map(
            generations
              .all()
              .filter(({ name }) => visible.has(String(name)))
              .map(({ name, kept }) => [String(name), kept === 1]),
          ),
        async read(repository, path) {
          const row = visible.has(repository) ? fileAt.get(repository, path) : undefined;
          return row === undefined ? null : fileIn(row);
        },
        async search(query) {
          compileAll(query.expression);
          return readers.run(async (thread) => (await thread.call('search', { query, repositories })) as Found);
        },
      };
    },

    ping: async () => {
      generations.get();
    },

    close: () =>
      exclusively(async () => {
        await Promise.all([writing?.close(), readers.close()]);
        if (database.isOpen) database.close();
      }),

    setWhole: (whole) =>
      exclusively(async () => {
        await writer().call('setWhole', whole);
      }),

    abandon: async () => {
      await Promise.all([writing?.terminate(), readers.terminate()]);
      if (database.isOpen) database.close();
    },
  };
}

const FILES_OF_ONE = `
  SELECT f.path, f.language, f.test, f.left_out, b.content
  FROM repositories r JOIN files f ON f.repository_key = r.key JOIN blobs b ON b.key = f.blob_key
  WHERE r.name = ?`;

const weightOf = ({ content, files }: SourceBlob) => content.length + 100 * files.length;

function fileIn(row: Record<string, SQLOutputValue>): StoredFile & { text: string } {
  return { ...fileOf(row), text: textOf(unsealed(row['content'])) };
}
