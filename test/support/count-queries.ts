import { Client } from 'pg';

/** How many statements that match were sent to PostgreSQL, in the process or on a server, while this was done. */
export async function countQueries(of: RegExp, work: () => Promise<void>): Promise<number> {
  let count = 0;
  const query = Client.prototype.query as (...call: unknown[]) => unknown;
  Client.prototype.query = function (this: Client, ...call: unknown[]) {
    if (typeof call[0] === 'string' && of.test(call[0])) count += 1;
    return query.apply(this, call);
  } as typeof Client.prototype.query;
  try {
    await work();
  } finally {
    Client.prototype.query = query as typeof Client.prototype.query;
  }
  return count;
}
