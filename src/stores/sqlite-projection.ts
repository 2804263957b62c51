import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { oneAtATime } from './batches.ts';
import type { FileEngine } from './projection-file.ts';
import { connectTo, openDatabase, type Schema } from './sqlite.ts';
import { startWriterThread, type WriterThread } from './writer-thread.ts';

/** What every store has that keeps its repositories, of one generation each, in a table `repositories (name, generation, …)`. */
interface Shared extends FileEngine {
  engine: 'sqlite';
  /** False where it holds nothing of it. */
  removeRepository(repository: string): Promise<boolean>;
  /** By repository. */
  generations(): Promise<Map<string, string>>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** One SQLite file that is read in this thread and written in a thread of its own, each replacement one transaction. */
export interface Projection {
  database: DatabaseSync;
  shared: Shared;
  /** Nothing happens where this generation is held already; `write` hands the thread what there is. */
  replace(
    begin: { repository: string; generation: string },
    write: (thread: WriterThread) => Promise<void>,
  ): Promise<void>;
  /** Calls a method of the writer when its turn has come. */
  write(method: string, argument: unknown): Promise<unknown>;
  /** Reads on a connection of its own: it sees one state of the store, and holds nobody else to it. */
  scan<T>(read: (database: DatabaseSync) => Iterable<T>, options: { turnEvery: number }): AsyncGenerator<T>;
}

/** `writer` is a script that calls `answerReplacements`; `readers` are ended with the store. */
export function openProjection({
  file,
  schema,
  writer: script,
  readers,
}: {
  file: string;
  schema: Schema;
  writer: URL;
  readers?: { close(): Promise<unknown>; terminate(): Promise<unknown> };
}): Projection {
  const database = openDatabase(file, schema);
  const generations = database.prepare('SELECT name, generation FROM repositories ORDER BY name');
  const exclusively = oneAtATime();
  let started: WriterThread | null = null;
  const writer = () => (started ??= startWriterThread(script, { file }));
  const write: Projection['write'] = (method, argument) => exclusively(() => writer().call(method, argument));

  return {
    database,

    shared: {
      engine: 'sqlite',
      removeRepository: async (repository) => (await write('remove', repository)) === true,
      generations: async () =>
        new Map(generations.all().map((row) => [String(row['name']), String(row['generation'])])),
      ping: async () => {
        generations.get();
      },
      close: () =>
        exclusively(async () => {
          await Promise.all([started?.close(), readers?.close()]);
          if (database.isOpen) database.close();
        }),
      setWhole: async (whole) => {
        await write('setWhole', whole);
      },
      abandon: async () => {
        await Promise.all([started?.terminate(), readers?.terminate()]);
        if (database.isOpen) database.close();
      },
    },

    replace: (begin, hand) =>
      exclusively(async () => {
        const thread = writer();
        if (!(await thread.call('begin', begin))) return;
        try {
          await hand(thread);
          await thread.call('commit');
        } catch (error) {
          await thread.call('rollback');
          throw error;
        }
      }),

    write,

    async *scan(read, { turnEvery }) {
      const own = connectTo(file, schema);
      try {
        own.exec('BEGIN');
        let count = 0;
        for (const item of read(own)) {
          if (count++ % turnEvery === 0) await setImmediate();
          yield item;
        }
      } finally {
        own.close();
      }
    },
  };
}
