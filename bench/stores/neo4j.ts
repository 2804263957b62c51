import { readFileSync } from 'node:fs';
import neo4j, { type Session } from 'neo4j-driver';
import { openNeo4j } from '../../src/stores/graph/neo4j.ts';
import type { GraphEngine } from './engine.ts';
import { diskOf, listenerOf } from './server-process.ts';

/** The server at NEO4J_TEST_URL, which must hold nothing, or be wiped first. */
export async function neo4jGraph({ url, wipe }: { url: string; wipe: boolean }): Promise<GraphEngine> {
  const driver = neo4j.driver(url, undefined, { disableLosslessIntegers: true });
  const empty = 'MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS';
  const session = driver.session();
  try {
    const { records } = await session.run('MATCH (n) RETURN count(n) AS count');
    if (records[0]?.get('count') !== 0) {
      if (!wipe) throw new Error('Neo4j is not empty: give --wipe to delete all that it holds.');
      await session.run(empty);
    }
  } finally {
    await session.close();
  }
  const store = await openNeo4j({ url, timeoutMs: 60_000 });
  const serverPid = listenerOf(url);
  const within = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const reading = driver.session();
    try {
      return await work(reading);
    } finally {
      await reading.close();
    }
  };
  return {
    store,
    lanes: 4,
    serverPid,
    raw: {
      neighbors: (repository) => within((reading) => reading.run(statement('neighbors'), { repository, within: null })),
      repositoryGraph: () =>
        within(async (reading) => {
          const transaction = reading.beginTransaction();
          const names = ['snapshots', 'repository-nodes', 'repository-edges'];
          const answers = await Promise.all(names.map((name) => transaction.run(statement(name), { within: null })));
          await transaction.commit();
          return answers;
        }),
    },
    disk: async () => (serverPid === null ? null : diskOf(serverPid, /^.*\/(databases|transactions)\/neo4j(?=\/)/)),
    close: async () => {
      await store.close();
      const last = driver.session();
      await last.run(empty);
      await last.close();
      await driver.close();
    },
  };
}

const statements = new Map<string, string>();

function statement(name: string): string {
  const text = statements.get(name) ?? readFileSync(new URL(`../../cypher/${name}.cypher`, import.meta.url), 'utf8');
  statements.set(name, text);
  return text;
}
