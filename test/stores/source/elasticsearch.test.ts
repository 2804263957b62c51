import { randomUUID } from 'node:crypto';
import { Client } from '@elastic/elasticsearch';
import { openElasticsearchSource } from '../../../src/stores/source/elasticsearch.ts';
import type { SourceStore } from '../../../src/stores/source/port.ts';
import { sourceStoreContract } from '../../contract/source-store.ts';
import { unavailableContract } from '../../contract/unavailable.ts';
import { onEngine } from '../../support/engines.ts';

onEngine('elasticsearch', (url) => {
  const prefix = `test-${randomUUID()}`;
  let opened = 0;
  after(async () => {
    const client = new Client({ node: url() });
    for (const { index } of await client.cat.indices({ index: `${prefix}*`, format: 'json' }))
      await client.indices.delete({ index: index ?? '' });
    await client.close();
  });

  // The time of one question depends on who else runs on the machine: here the answers count.
  sourceStoreContract('elasticsearch', (more) =>
    openElasticsearchSource({ url: url(), indexPrefix: `${prefix}-${++opened}`, timeoutMs: 120_000, ...more }),
  );

  unavailableContract<SourceStore>(
    url,
    (at) => openElasticsearchSource({ url: at, indexPrefix: `${prefix}-away`, timeoutMs: 2_000 }),
    {
      questions: {
        ping: (store) => store.ping(),
        kept: (store) => store.within(['koa']).kept(),
        read: (store) => store.within(['koa']).read('koa', 'a'),
        search: (store) =>
          store.within(['koa']).search({ expression: { op: 'language', names: ['go'] }, offset: 0, limit: 1 }),
      },
      ofLoads: { generations: (store) => store.generations() },
      timeoutMs: 2_000,
    },
  );
});
