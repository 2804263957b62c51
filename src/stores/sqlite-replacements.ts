import type { DatabaseSync } from 'node:sqlite';
import { setWhole, type Schema } from './sqlite.ts';
import { answerCalls } from './writer-thread.ts';

/** How a projection's writer replaces what its file holds of a repository. */
export interface Replacing<Row extends { generation: unknown }, Begin extends { repository: string }, Replacement> {
  /** What is held of a repository. */
  held(repository: string): Row | undefined;
  /** Takes the old away and prepares for the new. */
  begin(begin: Begin, old: Row | undefined): Replacement;
  /** Writes a batch, by the name of its method. */
  batches: Readonly<Record<string, (replacement: Replacement, batch: never) => void>>;
  /** Writes what is left. */
  end(replacement: Replacement): void;
  remove(old: Row, repository: string): void;
  /** What else it does, each in a transaction of its own. */
  others?: Readonly<Record<string, (argument: never) => void>>;
}

/** Answers the calls of `openProjection`: a replacement is one transaction from `begin` to `commit` or `rollback`. */
export function answerReplacements<
  Row extends { generation: unknown },
  Begin extends { repository: string; generation: string },
  Replacement,
>(database: DatabaseSync, schema: Schema, replacing: Replacing<Row, Begin, Replacement>): void {
  let current: { replacement: Replacement } | null = null;

  const underWay = () => {
    if (current === null) throw new Error('No replacement is under way.');
    return current.replacement;
  };
  const rollBack = () => {
    // A full disk has undone it already.
    if (database.isTransaction) database.exec('ROLLBACK');
  };
  const inTransaction = <T>(work: () => T): T => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const value = work();
      database.exec('COMMIT');
      return value;
    } catch (error) {
      rollBack();
      throw error;
    }
  };
  const mapped = <From, To>(from: Readonly<Record<string, From>>, to: (each: From) => To) =>
    Object.fromEntries(Object.entries(from).map(([name, each]) => [name, to(each)]));

  answerCalls({
    ...mapped(replacing.batches, (write) => (batch: never) => write(underWay(), batch)),
    ...mapped(replacing.others ?? {}, (work) => (argument: never) => inTransaction(() => work(argument))),

    /** False when this generation is held already: then there is nothing to do and no transaction. */
    begin(begin: Begin): boolean {
      database.exec('BEGIN IMMEDIATE');
      const old = replacing.held(begin.repository);
      if (old?.generation === begin.generation) {
        rollBack();
        return false;
      }
      current = { replacement: replacing.begin(begin, old) };
      return true;
    },

    commit(): void {
      replacing.end(underWay());
      database.exec('COMMIT');
      current = null;
    },

    rollback(): void {
      current = null;
      rollBack();
    },

    remove: (repository: string): boolean =>
      inTransaction(() => {
        const old = replacing.held(repository);
        if (old !== undefined) replacing.remove(old, repository);
        return old !== undefined;
      }),

    setWhole(whole: boolean): void {
      setWhole(database, schema, whole);
    },

    close(): void {
      database.close();
    },
  });
}
