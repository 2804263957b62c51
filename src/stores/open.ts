import { join } from 'node:path';
import type { Config } from '../config.ts';
import { openDisk } from './disk-space.ts';
import type { Disk } from './disk-space.ts';
import type { EphemeralStore } from './ephemeral/port.ts';
import type { GraphStore } from './graph/port.ts';
import type { RelationalStore } from './relational/port.ts';
import type { SearchStore } from './search/port.ts';
import type { SourceStore } from './source/port.ts';

/** The stores, open. */
export interface Stores {
  graph: GraphStore;
  search: SearchStore;
  source: SourceStore;
  relational: RelationalStore;
  ephemeral: EphemeralStore;
  /** That the data folder lies on. */
  disk: Disk;
  close(): Promise<void>;
}

/** The settings that choose the engines; and for how long Redis, and a question to another server, is waited for, where that is not as ever. */
export type StoreConfig = Pick<Config, 'dataDir'> &
  Partial<Pick<Config, 'databaseUrl' | 'redisUrl' | 'neo4j' | 'elasticsearch' | 'minFreeBytes'>> & {
    redisPatienceMs?: number;
    timeoutMs?: number;
  };

/** Whether a store is embedded, so that its data folder belongs to one process alone. */
export function isEmbedded({ databaseUrl, redisUrl, neo4j, elasticsearch }: StoreConfig): boolean {
  return !(databaseUrl && redisUrl && neo4j && elasticsearch);
}

/**
 * Opens the stores: each on the server whose URL is set, else embedded in the data folder. An engine's driver is imported
 * only where it is used, so that a start waits for none of the others.
 */
export async function openStores(config: StoreConfig): Promise<Stores> {
  const opening = [openRelational(config), openGraph(config), openSearch(config), openSource(config)] as const;
  try {
    const [relational, graph, search, source] = await Promise.all(opening);
    const ephemeral = await openEphemeral(config, relational);
    return {
      graph,
      search,
      source,
      relational,
      ephemeral,
      disk: openDisk(config.dataDir, config.minFreeBytes),
      // The meters flush into the ledger, so they close first.
      async close() {
        await ephemeral.close();
        await Promise.all([relational.close(), graph.close(), search.close(), source.close()]);
      },
    };
  } catch (error) {
    for (const opened of await Promise.allSettled(opening)) {
      if (opened.status === 'fulfilled') await opened.value.close();
    }
    throw error;
  }
}

/** Where the embedded relational store keeps its files; not there before the first start. */
export const relationalFolder = ({ dataDir }: Pick<StoreConfig, 'dataDir'>) => join(dataDir, 'postgres');

async function openRelational({ databaseUrl, dataDir, timeoutMs }: StoreConfig): Promise<RelationalStore> {
  if (databaseUrl) {
    const [{ openPostgres }, { guardRelational }] = await Promise.all([
      import('./relational/postgres.ts'),
      import('./guarded.ts'),
    ]);
    return guardRelational(await openPostgres({ url: databaseUrl, timeoutMs }), timeoutMs);
  }
  return (await import('./relational/pglite.ts')).openPglite({ folder: relationalFolder({ dataDir }) });
}

/** Where metered calls are written down on their way to the ledger. */
export const journalFolder = ({ dataDir }: Pick<StoreConfig, 'dataDir'>) => join(dataDir, 'usage');

async function openGraph({ neo4j, dataDir, timeoutMs }: StoreConfig): Promise<GraphStore> {
  if (neo4j) {
    const [{ openNeo4j }, { guardGraph }] = await Promise.all([import('./graph/neo4j.ts'), import('./guarded.ts')]);
    return guardGraph(await openNeo4j({ ...neo4j, timeoutMs }), timeoutMs);
  }
  const [{ openSqliteGraph: open }, { graphSchema: schema }, { healGraph }] = await Promise.all([
    import('./graph/sqlite.ts'),
    import('./graph/sqlite-schema.ts'),
    import('./healed.ts'),
  ]);
  return healGraph({ file: join(dataDir, 'graph.sqlite'), schema, open });
}

async function openSearch({ elasticsearch, dataDir, timeoutMs }: StoreConfig): Promise<SearchStore> {
  if (elasticsearch) {
    const [{ openElasticsearch }, { guardSearch }] = await Promise.all([
      import('./search/elasticsearch.ts'),
      import('./guarded.ts'),
    ]);
    return guardSearch(await openElasticsearch({ ...elasticsearch, timeoutMs }), timeoutMs);
  }
  const [{ openSqliteSearch: open }, { searchSchema: schema }, { healSearch }] = await Promise.all([
    import('./search/sqlite.ts'),
    import('./search/sqlite-schema.ts'),
    import('./healed.ts'),
  ]);
  return healSearch({ file: join(dataDir, 'search.sqlite'), schema, open });
}

async function openSource({ elasticsearch, dataDir, timeoutMs }: StoreConfig): Promise<SourceStore> {
  if (elasticsearch) {
    const [{ openElasticsearchSource }, { guardSource }] = await Promise.all([
      import('./source/elasticsearch.ts'),
      import('./guarded.ts'),
    ]);
    return guardSource(await openElasticsearchSource({ ...elasticsearch, timeoutMs }), timeoutMs);
  }
  const [{ openSqliteSource: open }, { sourceSchema: schema }, { healSource }] = await Promise.all([
    import('./source/sqlite.ts'),
    import('./source/sqlite-schema.ts'),
    import('./healed.ts'),
  ]);
  return healSource({ file: join(dataDir, 'source.sqlite'), schema, open });
}

async function openEphemeral(
  { redisUrl, redisPatienceMs: patienceMs, dataDir }: StoreConfig,
  { usage }: RelationalStore,
): Promise<EphemeralStore> {
  const from = { ledger: usage, folder: journalFolder({ dataDir }) };
  if (redisUrl) return (await import('./ephemeral/redis.ts')).openRedis({ url: redisUrl, patienceMs, ...from });
  return (await import('./ephemeral/embedded.ts')).openEmbeddedEphemeral(from);
}
