import { isDeepStrictEqual } from 'node:util';
import { edgeTypeSchema, nodeTypeSchema, type NodeType } from '../../model/graph.ts';
import { cypher } from './cypher.ts';
import {
  countsOf,
  firstOfEach,
  toEdge,
  toNeighbor,
  toNode,
  type EdgeRow,
  type NeighborRow,
  type NodeProperties,
  type SnapshotRow,
} from './neo4j-rows.ts';
import type { Run, Transactions } from './neo4j-transactions.ts';
import type { GraphStore } from './port.ts';

/** A reader that meets a replacement reads again; more often than this in a row does not happen by chance. */
export const maxAttempts = 10;

type Reads = Pick<GraphStore, 'repositoryGraph' | 'neighbors' | 'node' | 'edges' | 'nodes'>;

/** Lists and single nodes; `scan` has the time that a walk over everything takes. */
export function createNeo4jReads({ ask, read }: Pick<Transactions, 'ask' | 'read'>, scan: Transactions['read']): Reads {
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
    return (await ask<SnapshotRow>('snapshots')).map(({ repository }) => repository);
  }

  return {
    repositoryGraph: () =>
      read(async (run) => {
        for (let attempt = 1; ; attempt++) {
          // All sent at once, and answered one after another.
          const [snapshots, nodes, edges, versions] = await Promise.all([
            run<SnapshotRow>(cypher('snapshots')),
            run<{ node: NodeProperties }>(cypher('repository-nodes')),
            run<EdgeRow>(cypher('repository-edges')),
            run<{ version: string }>(cypher('shown-versions')),
          ]);
          const unchanged = isDeepStrictEqual(
            snapshots.map(({ version }) => version),
            versions.map(({ version }) => version),
          );
          if (!unchanged && attempt < maxAttempts) continue;
          return {
            nodes: firstOfEach(nodes.map(({ node }) => toNode(node))),
            edges: edges.map(toEdge),
            counts: snapshots.map(({ repository, counts }) => countsOf(repository, counts)),
          };
        }
      }),

    neighbors: async (repository) => {
      for (let attempt = 1; ; attempt++) {
        const [found] = await ask<{ neighbors: NeighborRow[]; valid: boolean }>('neighbors', { repository });
        if (found === undefined) return null;
        if (found.valid || attempt === maxAttempts) return found.neighbors.map(toNeighbor);
      }
    },

    node: async (id) => {
      const [found] = await ask<{ node: NodeProperties }>('node', { id });
      return found === undefined ? null : toNode(found.node);
    },

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
