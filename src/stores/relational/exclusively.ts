import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { StoreUnavailable } from '../errors.ts';

/**
 * Runs work while no other process on this server runs work of the same name. The lock lives in a connection of its own, so
 * it ends with the process that holds it, however that ends; a machine that vanished is noticed within a minute.
 */
export async function exclusively<T>(server: ClientConfig, name: string, work: () => Promise<T>): Promise<T> {
  const client = new Client({ ...server, keepAlive: true });
  // Without the connection the lock is gone, and giving it back below fails and says so.
  client.on('error', () => {});
  const ask = async (statement: string, values?: string[]) => {
    try {
      await client.query(statement, values);
    } catch (error) {
      throw new StoreUnavailable('relational', { cause: error });
    }
  };
  try {
    await client.connect().catch((error: unknown) => {
      throw new StoreUnavailable('relational', { cause: error });
    });
    await ask('SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3');
    await ask('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    const result = await work();
    await ask('SELECT pg_advisory_unlock_all()');
    return result;
  } finally {
    await client.end().catch(() => {});
  }
}
