import { Client, Transport } from '@elastic/elasticsearch';
import type { SearchQuery } from '../../src/stores/search/port.ts';
import { openElasticsearch } from '../../src/stores/search/elasticsearch.ts';
import type { SearchEngine } from './engine.ts';
import { listenerOf } from './server-process.ts';

const PREFIX = 'bench-stores';

/** The server at ELASTICSEARCH_TEST_URL, in indices of our own, which are deleted before and after. */
export async function elasticsearchSearch({ url }: { url: string }): Promise<SearchEngine> {
  const client = new Client({ node: url, requestTimeout: 60_000 });
  const indices = async () => Object.keys(await client.indices.get({ index: `${PREFIX}-*` }));
  const wipe = async () => {
    for (const index of await indices()) await client.indices.delete({ index });
  };
  await wipe();
  const store = await openElasticsearch({ url, indexPrefix: PREFIX, timeoutMs: 60_000 });
  const recorded = new Map<string, Parameters<Transport['request']>[0][]>();
  return {
    store,
    lanes: 2,
    serverPid: listenerOf(url),
    raw: {
      async search(query: SearchQuery) {
        const key = JSON.stringify(query);
        const sent = recorded.get(key) ?? (await record(() => store.everything.search(query)));
        recorded.set(key, sent);
        let answer: unknown = null;
        for (const request of sent) answer = await client.transport.request(request);
        return answer;
      },
    },
    async disk() {
      await client.indices.flush({ index: `${PREFIX}-*` });
      const { _all: all } = await client.indices.stats({ index: `${PREFIX}-*`, metric: 'store' });
      return (all.primaries?.store?.size_in_bytes ?? Number.NaN) / 1e6;
    },
    async close() {
      await store.close();
      await wipe();
      await client.close();
    },
  };
}

/** The requests that a question sends. */
async function record(ask: () => Promise<unknown>) {
  const sent: Parameters<Transport['request']>[0][] = [];
  const { request } = Transport.prototype;
  Transport.prototype.request = function (this: Transport, ...parameters: Parameters<Transport['request']>) {
    sent.push(structuredClone(parameters[0]));
    return request.apply(this, parameters);
  } as Transport['request'];
  try {
    await ask();
  } finally {
    Transport.prototype.request = request;
  }
  return sent;
}
