import neo4j, { type Driver, type ManagedTransaction, type RecordShape, type Session } from 'neo4j-driver';
import { StoreUnavailable } from '../errors.ts';
import { cypher } from './cypher.ts';

/** Runs one statement in a transaction. */
export type Run = <R extends RecordShape>(statement: string, parameters?: Record<string, unknown>) => Promise<R[]>;

export type Transactions = ReturnType<typeof createTransactions>;

/**
 * Transactions that say `StoreUnavailable` when the server does not answer in time; those that write try again what is only
 * passing, for as long as their driver does. The first one makes the schema: so a service starts, and answers what it can, while
 * Neo4j is away.
 */
export function createTransactions(driver: Driver, timeoutMs: number) {
  let schema: Promise<void> | null = null;

  const runIn =
    (transaction: Pick<ManagedTransaction, 'run'>): Run =>
    async <R extends RecordShape>(statement: string, parameters: Record<string, unknown> = {}) =>
      (await transaction.run<R>(statement, parameters)).records.map((record) => record.toObject());

  async function within<T>(timeout: number, work: (session: Session) => Promise<T>): Promise<T> {
    const session = driver.session();
    const late = Promise.withResolvers<never>();
    // The server's own limit comes first, where it still answers.
    const timer = setTimeout(() => late.reject(new StoreUnavailable('graph')), timeout + 500);
    try {
      return await Promise.race([work(session), late.promise]);
    } catch (error) {
      throw isUnavailable(error) ? new StoreUnavailable('graph', { cause: error }) : error;
    } finally {
      clearTimeout(timer);
      // Not waited for: where the server is silent it would not come back.
      session.close().catch(() => undefined);
    }
  }

  async function createSchema(): Promise<void> {
    for (const statement of cypher('schema').split(/;$/m)) {
      if (statement.trim() === '') continue;
      await within(timeoutMs, (session) => session.executeWrite((transaction) => transaction.run(statement)));
    }
  }

  async function prepared(): Promise<void> {
    schema ??= createSchema();
    try {
      await schema;
    } catch (error) {
      schema = null;
      throw error;
    }
  }

  async function askText<R extends RecordShape>(
    statement: string,
    parameters: Record<string, unknown>,
    maxMs = timeoutMs,
  ): Promise<R[]> {
    await prepared();
    const timeout = Math.min(maxMs, timeoutMs);
    return within(timeout, async (session) => {
      const { records } = await session.run<R>(statement, parameters, { timeout });
      return records.map((record) => record.toObject());
    });
  }

  return {
    /** One statement, by its name, alone. */
    ask: <R extends RecordShape>(name: string, parameters: Record<string, unknown> = {}): Promise<R[]> =>
      askText<R>(cypher(name), parameters),
    /** One that was put together here. */
    askText,
    /** Not tried again by itself. */
    read: async <T>(work: (run: Run) => Promise<T>): Promise<T> => {
      await prepared();
      return within(timeoutMs, async (session) => {
        // Not waited for: it travels with what is run in it.
        const transaction = session.beginTransaction({ timeout: timeoutMs });
        const result = await work(runIn(transaction));
        await transaction.commit();
        return result;
      });
    },
    write: async <T>(work: (run: Run) => Promise<T>): Promise<T> => {
      await prepared();
      return within(timeoutMs, (session) =>
        session.executeWrite((transaction) => work(runIn(transaction)), { timeout: timeoutMs }),
      );
    },
  };
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof neo4j.Neo4jError)) return false;
  return (
    error.retryable ||
    // The driver gives this one no code.
    error.message.startsWith('Connection acquisition timed out') ||
    error.code.startsWith('Neo.TransientError') ||
    error.code.startsWith('Neo.ClientError.Transaction.TransactionTimedOut') ||
    error.code.startsWith('Neo.ClientError.Security')
  );
}
