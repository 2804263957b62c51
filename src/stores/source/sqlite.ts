import type { SQLOutputValue } from 'node:sqlite';
import { compileAll } from '../../search/text/pattern.ts';
import type { Commit } from '../../model/commit.ts';
import type { LineHistory } from '../../model/snapshot.ts';
import type { Found } from '../../search/text/found.ts';
import { batches, whileGathering } from '../batches.ts';
import type { FileEngine } from '../projection-file.ts';
import { DamagedFile, jsonIn, unsealed } from '../sqlite.ts';
import { openProjection } from '../sqlite-projection.ts';
import { openSearchThreads } from './search-threads.ts';
import { textOf, maxSearchMs, type FoundCommits, type SourceBlob, type SourceStore, type StoredFile } from './port.ts';
import { openBlocks } from './sqlite-commits.ts';
import { fileOf } from './sqlite-file.ts';
import type { Search } from './sqlite-reader.ts';
import { sourceSchema } from './sqlite-schema.ts';

/** Compressed bytes that travel to the writer before other work gets its turn. */
const maxBatchBytes = 256 * 1024;

/** Commits that travel together. */
const maxBatchCommits = 512;

/** The text and the commits of the repositories in one SQLite file, searched and written in threads of their own; each replacement is one transaction. */
export async function openSqliteSource({
  file,
  limitMs = maxSearchMs,
}: {
  file: string;
  limitMs?: number;
}): Promise<SourceStore & FileEngine> {
  const entry = new URL('./sqlite-reader.ts', import.meta.url);
  const readers = openSearchThreads<Parameters<Search>[0], ReturnType<Search>>(entry, {
    limitMs,
    workerData: { file },
  });
  const writer = new URL('./sqlite-writer.ts', import.meta.url);
  const ends = { close: readers.close, terminate: readers.close };
  const { database, shared, replace, scan } = openProjection({ file, schema: sourceSchema, writer, readers: ends });
  const repositories = database.prepare('SELECT name, kept FROM repositories ORDER BY name');
  const historyAt = database.prepare(`
    SELECT f.history FROM repositories r JOIN files f ON f.repository_key = r.key WHERE r.name = ? AND f.path = ?`);
  const fileAt = database.prepare(`${FILES_OF_ONE} AND f.path = ?`);

  const search = async <Answer extends Found | FoundCommits>(task: Parameters<Search>[0]): Promise<Answer> => {
    const isOptional = 'query' in task && task.query.isOptional === true;
    const answer = await readers.search((look) => look(task), isOptional);
    if ('damage' in answer) throw new DamagedFile(answer.damage);
    return answer as Answer;
  };

  return {
    ...shared,

    replaceRepository: ({ repository, generation, isKept, blobs, commits }) => {
      const begin = { repository, generation, isKept };
      return replace(begin, async (thread) => {
        await whileGathering(batches(blobs, maxBatchBytes, weightOf), (batch) => thread.call('blobs', batch));
        await whileGathering(batches<Commit>(commits, maxBatchCommits), (batch) => thread.call('commits', batch));
      });
    },

    files: (repository) =>
      scan(
        function* (own) {
          for (const row of own.prepare(FILES_OF_ONE).iterate(repository)) yield fileIn(row);
        },
        { turnEvery: 1 },
      ),

    history: (repository) =>
      scan(
        function* (own) {
          const commitIn = openBlocks(own);
          for (const row of own.prepare(COMMITS_OF_ONE).iterate(repository)) yield commitIn(row);
        },
        { turnEvery: 50 },
      ),

    within(names) {
      const visible = new Set(names);
      const visibleNames = JSON.stringify([...visible]);
      return {
        kept: async () =>
          new Map(
            repositories
              .all()
              .filter(({ name }) => visible.has(String(name)))
              .map(({ name, kept }) => [String(name), kept === 1]),
          ),
        async read(repository, path) {
          const row = visible.has(repository) ? fileAt.get(repository, path) : undefined;
          return row === undefined ? null : fileIn(row);
        },
        async histories(files) {
          return files.map(({ repository, path }) =>
            visible.has(repository) ? historyIn(historyAt.get(repository, path)) : undefined,
          );
        },
        async search(query) {
          compileAll(query.expression);
          return search<Found>({ query, repositories: visibleNames });
        },
        commits: (query) => search<FoundCommits>({ commits: query, repositories: visibleNames }),
      };
    },
  };
}

const FILES_OF_ONE = `
  SELECT f.path, f.language, f.test, f.left_out, f.history, b.content
  FROM repositories r JOIN files f ON f.repository_key = r.key JOIN blobs b ON b.key = f.blob_key
  WHERE r.name = ?`;

const COMMITS_OF_ONE = `
  SELECT c.block_key, c.line FROM repositories r JOIN commits c ON c.repository_key = r.key WHERE r.name = ?
  ORDER BY c.block_key, c.line`;

const weightOf = ({ content, files }: SourceBlob) => content.length + 100 * files.length;

function fileIn(row: Record<string, SQLOutputValue>): StoredFile & { text: string } {
  const history = historyIn(row);
  return { ...fileOf(row), ...(history && { history }), text: textOf(unsealed(row['content'])) };
}

function historyIn(row: Record<string, SQLOutputValue> | undefined): LineHistory | undefined {
  const history = row?.['history'] ?? null;
  return history === null ? undefined : (jsonIn(textOf(unsealed(history))) as LineHistory);
}
