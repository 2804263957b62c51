import { Kysely, PostgresDialect } from 'kysely';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { DatabaseError, types } from 'pg';
import type { CustomTypesConfig, Pool } from 'pg';
import { StoreBusy, StoreUnavailable } from '../errors.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** How every engine reads values: counts as numbers, times as RFC 3339 in UTC, dates as they are written. */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid, format) => parsers.get(oid) ?? types.getTypeParser(oid, format),
};

/**
 * The queries' way to an engine, which differ only in their pool; what can't be reached throws `StoreUnavailable`. Nothing is asked
 * before `ready` has resolved.
 */
export function openDatabase(pool: Pool, ready: () => Promise<void> = () => Promise.resolve()): Database {
  // A connection that breaks, idle or in use, is replaced; who was using it is told by the query's own error. Unheard, these
  // would end the process.
  const heard = () => {};
  pool.on('error', heard).on('connect', (client) => client.on('error', heard));
  return new Kysely({ dialect: new PostgresDialect({ pool: reachable(pool, ready) }) });
}

const dateOf = types.getTypeParser(types.builtins.TIMESTAMPTZ) as (text: string) => Date;

const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, Number],
  [types.builtins.DATE, String],
  [types.builtins.TIMESTAMPTZ, (text) => dateOf(text).toISOString()],
]);

function reachable(pool: Pool, ready: () => Promise<void>): PostgresPool {
  return {
    async connect() {
      await ready();
      const client = await pool.connect().catch((error: unknown) => {
        if (isFull(error)) throw new StoreBusy('relational', { cause: error });
        // Whatever the reason, there is no connection: refused, timed out, wrong password, starting up.
        throw new StoreUnavailable('relational', { cause: error });
      });
      let broken = false;
      return {
        query: (async (text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<unknown>> => {
          try {
            return (await client.query(text, [...parameters])) as PostgresQueryResult<unknown>;
          } catch (error) {
            if (!isOutage(error)) throw error;
            broken = true;
            throw new StoreUnavailable('relational', { cause: error });
          }
        }) as PostgresPoolClient['query'],
        // One that gave no answer in time may still wait for it: nobody else shall get it.
        release: () => client.release(broken),
      };
    },
    end: () => pool.end(),
  };
}

/** Nobody gave a connection back in time; a new one that is not made in time has other words. */
const isFull = (error: unknown) =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect';

/**
 * By SQLSTATE: connection (08), server going down or starting (57P), no connection or lock left, time-out, no stack left (PGlite does
 * not give back what an error took of it: after some thousand only a new connection helps); by the driver: the rest.
 */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseError) return /^(08|57P|53300|55P03|57014|54001)/.test(error.code ?? '');
  return 'syscall' in error || /^(Connection terminated|Client has|Query read timeout)/.test(error.message);
}
