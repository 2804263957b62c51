import { edgeTypeSchema, nodeTypeSchema, type NodeType } from '../../model/graph.ts';
import { maxAttempts } from './neo4j-reads.ts';
import { cypher } from './cypher.ts';
import { firstOfEach, toEdge, toNode, type EdgeRow, type NodeProperties, type SnapshotRow } from './neo4j-rows.ts';
import type { Run, Transactions } from './neo4j-transactions.ts';
import type { GraphStore } from './port.ts';

type Scans = Pick<GraphStore, 'edges' | 'nodes'>;

/** All nodes and all edges, for exports; `scan` has the time that a walk over everything takes. */
export function createNeo4jScans({ ask, read }: Pick<Transactions, 'ask' | 'read'>, scan: Transactions['read']): Scans {
  /** Reads what belongs to one version; null when the repository is not held. */
  async function readVersion<T>(
    repository: string,
    work: (run: Run, version: string) => Promise<T>,
  ): Promise<T | null> {
    return read(async (run) => {
      const shown = async () => (await run<SnapshotRow>(cypher('snapshot'), { repository }))[0]?.version ?? null;
      for (let attempt = 1, version = await shown(); attempt <= maxAttempts && version !== null; attempt++) {
        const found = await work(run, version);
        const now = await shown();
        if (now === version) return found;
        version = now;
      }
      return null;
    });
  }

  async function repositories(only: string | undefined): Promise<string[]> {
    if (only !== undefined) return [only];
    return (await ask<SnapshotRow>('snapshots', { within: null })).map(({ repository }) => repository);
  }

  return {
    async *edges({ repository, types = edgeTypeSchema.options } = {}) {
      for (const name of await repositories(repository)) {
        const rows = await readVersion(name, (run, version) =>
          run<EdgeRow>(cypher('version-edges'), { version, types }),
        );
        for (const row of rows ?? []) yield toEdge(row);
      }
    },

    async *nodes({ repository, types = nodeTypeSchema.options } = {}) {
      const of = (name: string, wanted: readonly NodeType[]) =>
        readVersion(name, (run, version) =>
          run<{ node: NodeProperties }>(cypher('version-nodes'), { version, types: wanted }),
        );
      const own = types.filter((type) => type !== 'Contributor');
      for (const name of await repositories(repository)) {
        for (const { node } of (await of(name, own)) ?? []) yield toNode(node);
      }
      if (!types.includes('Contributor')) return;
      const contributors =
        repository === undefined
          ? await scan((run) => run<{ node: NodeProperties }>(cypher('contributors')))
          : await of(repository, ['Contributor']);
      yield* firstOfEach((contributors ?? []).map(({ node }) => toNode(node)));
    },
  };
}
