import neo4j from 'neo4j-driver';
import { openNeo4j } from '../../../src/stores/graph/neo4j.ts';
import { graphStoreContract } from '../../contract/graph-store.ts';
import { onEngine } from '../../support/engines.ts';

onEngine('neo4j', (url) => {
  graphStoreContract('neo4j', async () => {
    await wipe(url());
    return openNeo4j({ url: url() });
  });
});

async function wipe(url: string): Promise<void> {
  const driver = neo4j.driver(url);
  const session = driver.session();
  try {
    await session.run('MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS');
  } finally {
    await session.close();
    await driver.close();
  }
}
