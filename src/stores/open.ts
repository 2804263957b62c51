import { join } from 'node:path';
import type { Config } from '../config.ts';
import { openEmbeddedEphemeral } from './ephemeral/embedded.ts';
import type { EphemeralStore } from './ephemeral/port.ts';
import type { GraphStore } from './graph/port.ts';
import { openSqliteGraph } from './graph/sqlite.ts';
import { openPglite } from './relational/pglite.ts';
import type { RelationalStore } from './relational/port.ts';
import type { SearchStore } from './search/port.ts';
import { openSqliteSearch } from './search/sqlite.ts';

/** The four stores, open. */
export interface Stores {
  graph: GraphStore;
  search: SearchStore;
  relational: RelationalStore;
  ephemeral: EphemeralStore;
  close(): Promise<void>;
}

/** Opens the four stores: each on the server whose URL is set, else embedded in the data folder. */
export async function openStores(config: Pick<Config, 'dataDir'>): Promise<Stores> {
  const [relational, graph, search] = await Promise.all([
    openPglite({ folder: join(config.dataDir, 'postgres') }),
    openSqliteGraph({ file: join(config.dataDir, 'graph.sqlite') }),
    openSqliteSearch({ file: join(config.dataDir, 'search.sqlite') }),
  ]);
  const ephemeral = await openEmbeddedEphemeral({ ledger: relational.usage });
  return {
    graph,
    search,
    relational,
    ephemeral,
    // The meters flush into the ledger, so they close first.
    async close() {
      await ephemeral.close();
      await Promise.all([relational.close(), graph.close(), search.close()]);
    },
  };
}
