import neo4j from 'neo4j-driver';
import { answerDirectly } from './neo4j-direct.ts';
import { createNeo4jReads } from './neo4j-reads.ts';
import { createNeo4jScans } from './neo4j-scans.ts';
import { createTransactions } from './neo4j-transactions.ts';
import { createNeo4jWalks } from './neo4j-walks.ts';
import { createNeo4jWrites } from './neo4j-writes.ts';
import type { Within } from './neo4j-rows.ts';
import type { GraphReader, GraphStore } from './port.ts';

/** For what walks over a whole repository, and for a batch of a load. */
const maxLongCallMs = 60_000;
/** A load waits so long for a server that starts, or changes its leader. */
const maxLoadRetryMs = 15_000;

/**
 * The graph in Neo4j. A replacement is written beside the old nodes under a version of its own and shown at once by moving the
 * repository's :Snapshot to it; then the old version is deleted. Readers check that the version is still shown after they read.
 */
export async function openNeo4j({
  url,
  user = 'neo4j',
  password,
  timeoutMs = 3_000,
}: {
  url: string;
  user?: string;
  /** Without one, the server must not ask who is there. */
  password?: string | undefined;
  /** Of a question; what loads or walks over a repository has more time. */
  timeoutMs?: number | undefined;
}): Promise<GraphStore> {
  const auth = password === undefined ? undefined : neo4j.auth.basic(user, password);
  const driver = (connectMs: number, retryMs: number) =>
    neo4j.driver(url, auth, {
      disableLosslessIntegers: true,
      connectionTimeout: connectMs,
      connectionAcquisitionTimeout: connectMs,
      maxTransactionRetryTime: retryMs,
      // A connection that lay idle may lead nowhere by now.
      connectionLivenessCheckTimeout: 10_000,
      userAgent: 'repo-intel',
    });
  // A request must know soon, a load must succeed: each has connections of its own, which wait as long as it may.
  const drivers = {
    requests: driver(timeoutMs, 0),
    loads: driver(Math.max(timeoutMs, maxLoadRetryMs), maxLoadRetryMs),
  };
  const requests = createTransactions(drivers.requests, timeoutMs);
  const loads = createTransactions(drivers.loads, maxLongCallMs);
  const reader = (within: Within): GraphReader => ({
    ...createNeo4jReads(requests, within),
    ...createNeo4jWalks(requests.read, within),
    answer: (query) => answerDirectly(requests.askText, within, query),
  });
  return {
    engine: 'neo4j',
    ...createNeo4jWrites(loads.write),
    ...createNeo4jScans(requests, loads.read),
    everything: reader(null),
    within: reader,
    ping: async () => {
      await requests.ask('snapshot', { repository: '' });
    },
    close: async () => void (await Promise.all([drivers.requests.close(), drivers.loads.close()])),
  };
}
