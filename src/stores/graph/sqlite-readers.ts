import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { EdgeType, NodeType } from '../../model/graph.ts';
import type { GraphReader, NeighborEdge, RepositoryGraph } from './port.ts';
import { EDGE, toEdge, toNode } from './sqlite-rows.ts';
import { createVisibility, type Sent, type Visible } from './sqlite-visible.ts';
import { createSqliteWalks } from './sqlite-walks.ts';
import { withTheirEdges } from './walk.ts';

/** Makes readers of the file, each of what it sees; they share what the walks keep. */
export function createSqliteReaders(file: string, database: DatabaseSync): (visible: Visible) => GraphReader {
  const prepare = createVisibility(database);
  const statements = prepare(SQL);
  const walks = createSqliteWalks(file, prepare);
  // SQLite counts what other connections have written, as all writing is; of this connection alone.
  const opened = randomUUID();
  const rangesOf = createRanges();
  const [begin, end] = [database.prepare('BEGIN'), database.prepare('ROLLBACK')];
  const inOneState: InOneState = (read) => {
    begin.run();
    try {
      return read();
    } finally {
      end.run();
    }
  };
  return (visible) => ({
    ...createReads(statements(visible), { opened, rangesOf, inOneState }),
    ...walks(visible),
    answer: async () => null,
  });
}

type Reads = Pick<GraphReader, 'state' | 'stateInside' | 'repositoryGraph' | 'neighbors' | 'node' | 'definitions'>;
type Select = Sent<keyof typeof SQL>;

/** From which line to which a function or class goes, by the key of its node. */
interface Range {
  key: number;
  line: number;
  endLine: number;
}
type RangesOf = (select: Select) => (repository: { name: string; key: number }, path: string) => readonly Range[];

/** Reads by several statements, which is also quicker than one by one: each alone takes and leaves the locks of the file. */
type InOneState = <T>(read: () => T) => T;

/** Files that are kept. */
const maxFiles = 2_000;

/** The ranges of a file; of those that were asked for last they are kept until something is written, since each is read from JSON. */
function createRanges(): RangesOf {
  const kept = new LRUCache<string, readonly Range[]>({ max: maxFiles });
  let version: unknown;
  return (select) => {
    const now = select.version.get()?.['data_version'];
    if (now !== version) kept.clear();
    version = now;
    return ({ name, key }, path) => {
      const known = kept.get(`${key} ${path}`);
      if (known !== undefined) return known;
      // Behind `#`, by which the ids of what a file holds go on, comes `$`.
      const ranges = select.ranges
        .all({ key, from: `${name}/${path}#`, before: `${name}/${path}$` })
        .map((row) => ({ key: Number(row['key']), line: Number(row['line']), endLine: Number(row['end_line']) }));
      kept.set(`${key} ${path}`, ranges);
      return ranges;
    };
  };
}

/** The repository level, and single nodes. */
function createReads(
  select: Select,
  { opened, rangesOf, inOneState }: { opened: string; rangesOf: RangesOf; inOneState: InOneState },
): Reads {
  return {
    state: async () => `${opened} ${String(select.version.get()?.['data_version'])}`,

    stateInside: async (repository) => {
      const row = select.stateInside.get(repository);
      return row === undefined ? null : Object.values(row).join(' ');
    },

    repositoryGraph: async () => {
      const counts = new Map<string, RepositoryGraph['counts'][number]>();
      const seen = select.repositories.all();
      for (const { name } of seen) {
        counts.set(String(name), { repository: String(name), nodes: {}, edges: {} });
      }
      for (const { repository, what, type, count } of select.counts.all()) {
        const entry = counts.get(String(repository));
        if (what === 'node' && entry) entry.nodes[type as NodeType] = Number(count);
        else if (entry) entry.edges[type as EdgeType] = Number(count);
      }
      // To look up the edges of each repository takes three times as long as to read on, in order.
      const isMost = 2 * seen.length > Number(seen[0]?.['held']);
      return {
        nodes: select.repositoryNodes.all().map(toNode),
        edges: (isMost ? select.edgesOfMost : select.edgesOfFew).all().map(toEdge),
        counts: [...counts.values()],
      };
    },

    neighbors: async (repository) => {
      const key = select.repository.get(repository)?.['key'];
      if (key === undefined) return null;
      return withTheirEdges(
        select.neighbors.all({ repository, key }).map((row) => ({
          node: toNode(row),
          direction: row['direction'] as NeighborEdge['direction'],
          edge: toEdge(row),
        })),
      );
    },

    node: async (id) => {
      const row = select.node.get(id);
      return row === undefined ? null : toNode(row);
    },

    definitions: async (files) => {
      const found = inOneState(() => {
        const rangesIn = rangesOf(select);
        return files.flatMap(({ repository: name, path, lines }) => {
          const key = select.repository.get(name)?.['key'];
          if (key === undefined) return [];
          return rangesIn({ name, key: Number(key) }, path)
            .filter(({ line, endLine }) => lines.some((each) => line <= each && each <= endLine))
            .flatMap(({ key: node }) => select.nodeAt.all(node).map(toNode));
        });
      });
      return found.sort((a, b) => (a.id < b.id ? -1 : 1));
    },
  };
}

const SEEN = 'WITH seen AS MATERIALIZED (SELECT key, name FROM repositories WHERE is_visible(name))';

const SQL = {
  version: 'PRAGMA data_version',
  repositories: `
    SELECT name, (SELECT count(*) FROM repositories) AS held FROM repositories WHERE is_visible(name) ORDER BY name`,
  repository: 'SELECT key FROM repositories WHERE name = ? AND is_visible(name)',
  // Where its rows are tells one load from the next, and whom its symbols are linked with which of its links are seen.
  stateInside: `
    SELECT generation, first_node, first_edge, links, (
      SELECT json_group_array(name) FROM (
        SELECT to_repository AS name FROM symbol_links WHERE from_repository = r.name AND is_visible(to_repository)
        UNION SELECT from_repository FROM symbol_links WHERE to_repository = r.name AND is_visible(from_repository)
        ORDER BY 1
      )
    ) AS linked
    FROM repositories r WHERE name = ? AND is_visible(name)`,
  counts: `
    SELECT r.name AS repository, c.what, c.type, c.count
    FROM repositories r CROSS JOIN counts c ON c.repository_key = r.key
    WHERE is_visible(r.name) ORDER BY 1, 2, 3`,
  // Of one contributor in several repositories, the node of the repository whose name comes first: SQLite takes it from there.
  repositoryNodes: `
    SELECT n.node, min(r.name) FROM repositories r CROSS JOIN repository_nodes n ON n.repository_key = r.key
    WHERE is_visible(r.name) GROUP BY n.id ORDER BY n.id`,
  edgesOfMost: `
    ${SEEN} SELECT ${EDGE}, from_id, to_id FROM repository_edges e
    WHERE +e.repository_key IN (SELECT key FROM seen) AND (e.link = 0 OR e.to_id IN (SELECT name FROM seen))
    ORDER BY e.type, from_id, to_id, link`,
  edgesOfFew: `
    ${SEEN} SELECT ${EDGE}, from_id, to_id FROM seen r CROSS JOIN repository_edges e ON e.repository_key = r.key
    WHERE e.link = 0 OR e.to_id IN (SELECT name FROM seen) ORDER BY e.type, from_id, to_id, link`,
  // Contributors as this repository has them; repositories have one node each.
  neighbors: `
    WITH near AS (
      SELECT 'out' AS direction, to_id AS other, e.* FROM repository_edges e WHERE from_id = :repository
      UNION ALL
      SELECT 'in', from_id, e.* FROM repository_edges e WHERE to_id = :repository AND from_id <> :repository
    )
    SELECT e.*, n.node FROM near e JOIN repository_nodes n ON n.id = e.other
    WHERE n.repository_key = :key OR (n.type = 'Repository' AND is_visible(n.id))
    ORDER BY e.type, n.id, e.direction`,
  ranges: `
    SELECT n.key, n.node ->> 'line' AS line, n.node ->> 'end_line' AS end_line
    FROM repositories r JOIN nodes n INDEXED BY nodes_id ON n.key >= r.first_node AND n.key < r.end_node
    WHERE r.key = :key AND is_visible(r.name) AND n.id >= :from AND n.id < :before AND n.type IN ('Class', 'Function')
    AND n.node ->> 'line' IS NOT NULL AND n.node ->> 'end_line' IS NOT NULL`,
  nodeAt: 'SELECT node FROM nodes WHERE key = ?',
  node: `
    WITH held AS MATERIALIZED (
      SELECT n.node, (SELECT name FROM repositories WHERE n.key >= first_node AND n.key < end_node) AS name
      FROM nodes n WHERE n.id = ?
    ) SELECT node FROM held WHERE is_visible(name) ORDER BY name LIMIT 1`,
};
