import type { DatabaseSync } from 'node:sqlite';
import { batches, whileGathering } from '../batches.ts';
import type { FileEngine } from '../projection-file.ts';
import { openProjection } from '../sqlite-projection.ts';
import type { GraphStore } from './port.ts';
import { EDGE, toEdge, toNode } from './sqlite-rows.ts';
import { createSqliteReaders } from './sqlite-readers.ts';
import { graphSchema } from './sqlite-schema.ts';
import type { NodeRow } from './sqlite-writer.ts';

/** How many rows travel to the writer, or are read by a scan, before other work gets its turn. */
const batchSize = 1000;
const scanned = { turnEvery: batchSize };

/** The graph in one SQLite file: read in this thread, written in a thread of its own, each replacement one transaction. */
export async function openSqliteGraph({ file }: { file: string }): Promise<GraphStore & FileEngine> {
  const writer = new URL('./sqlite-writer.ts', import.meta.url);
  const { database, shared, replace, write, scan } = openProjection({ file, schema: graphSchema, writer });
  const linkGenerations = database.prepare('SELECT repository, generation FROM link_generations');
  const reader = createSqliteReaders(file, database);

  return {
    ...shared,

    replaceRepository: ({ repository, generation, nodes, edges }) =>
      replace({ repository, generation }, async (thread) => {
        await whileGathering(batches(nodes, batchSize), (batch) =>
          thread.call(
            'nodes',
            batch.map((node): NodeRow => [node.type, node.id, JSON.stringify(node)]),
          ),
        );
        await whileGathering(batches(edges, batchSize), (batch) => thread.call('edges', batch));
      }),

    replaceLinks: async (links) => {
      await write('links', links);
    },

    linkGenerations: async () =>
      new Map(linkGenerations.all().map((row) => [String(row['repository']), String(row['generation'])])),

    everything: reader(null),
    within: (repositories) => reader(new Set(repositories)),

    edges: ({ repository, types } = {}) =>
      scan(function* (own) {
        const statement = own.prepare(EDGES_OF_ONE);
        for (const { key, name, first_edge, end_edge } of repositories(own, repository)) {
          const filter = { key, name, first_edge, end_edge, types: types === undefined ? null : JSON.stringify(types) };
          for (const edge of statement.iterate(filter)) yield toEdge(edge);
        }
      }, scanned),

    nodes: ({ repository, types } = {}) =>
      scan(function* (own) {
        const filter = { types: types === undefined ? null : JSON.stringify(types) };
        const ownNodes = own.prepare(NODES_OF_ONE);
        for (const { first_node, end_node } of repositories(own, repository)) {
          for (const row of ownNodes.iterate({ first_node, end_node, ...filter })) yield toNode(row);
        }
        if (types !== undefined && !types.includes('Contributor')) return;
        const key = repository === undefined ? null : (own.prepare(REPOSITORY).get(repository)?.['key'] ?? -1);
        for (const row of own.prepare(CONTRIBUTORS).iterate({ key })) yield toNode(row);
      }, scanned),
  };
}

const REPOSITORY = 'SELECT key FROM repositories WHERE name = ?';

const EDGES_OF_ONE = `
  SELECT ${EDGE}, f.id AS from_id, t.id AS to_id
  FROM edges e CROSS JOIN nodes f ON f.key = e.from_key CROSS JOIN nodes t ON t.key = e.to_key
  WHERE e.key >= :first_edge AND e.key < :end_edge AND (:types IS NULL OR e.type IN (SELECT value FROM json_each(:types)))
  UNION ALL
  SELECT ${EDGE}, from_id, to_id FROM repository_edges e
  WHERE repository_key = :key AND (:types IS NULL OR e.type IN (SELECT value FROM json_each(:types)))
  UNION ALL
  SELECT ${EDGE}, from_id, to_id FROM symbol_links e
  WHERE from_repository = :name AND (:types IS NULL OR e.type IN (SELECT value FROM json_each(:types)))
  ORDER BY 1, 7, 8`;

const NODES_OF_ONE = `
  SELECT node FROM nodes
  WHERE key >= :first_node AND key < :end_node AND type <> 'Contributor'
    AND (:types IS NULL OR type IN (SELECT value FROM json_each(:types)))
  ORDER BY type, id`;

// Of one contributor in several repositories, the node of the repository whose name comes first.
const CONTRIBUTORS = `
  SELECT id, node FROM (
    SELECT n.id, n.node, row_number() OVER (PARTITION BY n.id ORDER BY r.name) AS place
    FROM repository_nodes n JOIN repositories r ON r.key = n.repository_key
    WHERE n.type = 'Contributor' AND (:key IS NULL OR n.repository_key = :key)
  ) WHERE place = 1 ORDER BY id`;

/** The repositories to scan, by name. */
function repositories(database: DatabaseSync, repository: string | undefined) {
  return database
    .prepare(
      'SELECT key, name, first_node, end_node, first_edge, end_edge FROM repositories WHERE :name IS NULL OR name = :name ORDER BY name',
    )
    .all({ name: repository ?? null }) as (Record<
    'key' | 'first_node' | 'end_node' | 'first_edge' | 'end_edge',
    number
  > & { name: string })[];
}
