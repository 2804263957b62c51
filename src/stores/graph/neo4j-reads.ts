import { isDeepStrictEqual } from 'node:util';
import { int } from 'neo4j-driver';
import { cypher } from './cypher.ts';
import {
  countsOf,
  firstOfEach,
  ownersIn,
  toEdge,
  toNeighbor,
  toNode,
  type EdgeRow,
  type NeighborRow,
  type NodeProperties,
  type SnapshotRow,
  type Within,
} from './neo4j-rows.ts';
import type { Transactions } from './neo4j-transactions.ts';
import type { GraphReader } from './port.ts';
import { withTheirEdges } from './walk.ts';

/** A reader that meets a replacement reads again; more often than this in a row does not happen by chance. */
export const maxAttempts = 10;

type Reads = Pick<GraphReader, 'state' | 'stateInside' | 'repositoryGraph' | 'neighbors' | 'node' | 'definitions'>;

/** The repository level, and single nodes. */
export function createNeo4jReads({ ask, read }: Pick<Transactions, 'ask' | 'read'>, within: Within): Reads {
  return {
    state: async () => JSON.stringify(await ask('state', { within })),

    stateInside: async (repository) => {
      const [found] = await ask('state-inside', { repository, within });
      return found === undefined ? null : JSON.stringify(found);
    },

    repositoryGraph: () =>
      read(async (run) => {
        for (let attempt = 1; ; attempt++) {
          // All sent at once, and answered one after another.
          const [snapshots, nodes, edges, [after]] = await Promise.all([
            run<SnapshotRow>(cypher('snapshots'), { within }),
            run<{ node: NodeProperties }>(cypher('repository-nodes'), { within }),
            run<EdgeRow>(cypher('repository-edges'), { within }),
            run<{ versions: string[] }>(cypher('shown-versions'), { within }),
          ]);
          const unchanged = isDeepStrictEqual(
            snapshots.map(({ version }) => version),
            after?.versions,
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
        const [found] = await ask<{ neighbors: NeighborRow[]; valid: boolean }>('neighbors', { repository, within });
        if (found === undefined) return null;
        if (found.valid || attempt === maxAttempts) return withTheirEdges(found.neighbors.map(toNeighbor));
      }
    },

    node: async (id) => {
      const [found] = await ask<{ node: NodeProperties }>('node', { id, within: ownersIn(within, id) });
      return found === undefined ? null : toNode(found.node);
    },

    definitions: async (files) => {
      const asked = files.map(({ repository, path, lines }) => ({
        repository,
        prefix: `${repository}/${path}#`,
        lines: lines.map((line) => int(line)),
      }));
      // Of what is seen, those alone that are asked for: there may be very many.
      const seen =
        within && [...new Set(files.map(({ repository }) => repository))].filter((one) => within.includes(one));
      if (asked.length === 0 || seen?.length === 0) return [];
      const found = await ask<{ node: NodeProperties }>('definitions', { files: asked, within: seen });
      return found.map(({ node }) => toNode(node));
    },
  };
}
