import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** A new database on a PostgreSQL server. */
export interface OwnDatabase {
  url: string;
  /** Asks it past every store. */
  query(statement: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
}

export async function ownDatabase(server: string): Promise<OwnDatabase> {
  const name = `repo_intel_test_${randomUUID().replaceAll('-', '_')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await ask(server, `CREATE DATABASE ${name}`);
  return {
    url,
    query: (statement, values) => ask(url, statement, values),
    remove: async () => void (await ask(server, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

async function ask(connectionString: string, statement: string, values?: unknown[]) {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
