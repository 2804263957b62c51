import { Client } from '@elastic/elasticsearch';
import { createIndices } from './elasticsearch-indices.ts';
import { createElasticsearchReads } from './elasticsearch-reads.ts';
import { createState } from '../elasticsearch.ts';
import type { State } from './elasticsearch-state.ts';
import { createElasticsearchWrites } from './elasticsearch-writes.ts';
import type { SearchStore } from './port.ts';

/**
 * The search index in Elasticsearch. A replacement is written beside the old documents under a version of its own and shown by
 * one write of the state document. Indices carry the mapping's version in their names; the alias leads to the newest.
 */
export async function openElasticsearch({
  url,
  apiKey,
  indexPrefix = 'repo-intel',
  timeoutMs = 2_000,
}: {
  url: string;
  apiKey?: string | undefined;
  /** Begins the names of all indices. */
  indexPrefix?: string;
  /** Of a question; what writes has more time. */
  timeoutMs?: number | undefined;
}): Promise<SearchStore> {
  const client = new Client({
    node: url,
    requestTimeout: timeoutMs,
    // A question is asked again by the guard, if at all; what writes must not be sent twice.
    maxRetries: 0,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
  });
  const indices = createIndices(client, indexPrefix);
  const state = createState<State>(client, indices.state);
  return {
    engine: 'elasticsearch',
    ...createElasticsearchReads(client, indices, state),
    ...createElasticsearchWrites(client, indices, state),
    ping: () =>
      indices.reachable(async () => {
        await client.cluster.health({ wait_for_status: 'yellow', timeout: '5s' });
      }),

    close: () => client.close(),
  };
}
