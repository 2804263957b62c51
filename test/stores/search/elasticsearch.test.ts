import { randomUUID } from 'node:crypto';
import { Client } from '@elastic/elasticsearch';
import { openElasticsearch } from '../../../src/stores/search/elasticsearch.ts';
import { searchStoreContract } from '../../contract/search-store.ts';
import { onEngine } from '../../support/engines.ts';

onEngine('elasticsearch', (url) => {
  const prefix = `test-${randomUUID()}`;
  let opened = 0;
  searchStoreContract('elasticsearch', async () => {
    await wipe(url(), prefix);
    return openElasticsearch({ url: url(), indexPrefix: `${prefix}-${++opened}` });
  });
  after(() => wipe(url(), prefix));
});

/** Deletes the indices by name: a cluster may forbid to delete by pattern. */
async function wipe(url: string, prefix: string): Promise<void> {
  const client = new Client({ node: url });
  const indices = Object.keys(await client.indices.get({ index: `${prefix}*` }));
  for (const index of indices) await client.indices.delete({ index });
  await client.close();
}
