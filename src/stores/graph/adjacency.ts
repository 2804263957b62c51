import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { edgeTypeSchema } from '../../model/graph.ts';
import { DamagedFile } from '../sqlite.ts';
import type { Over } from './port.ts';

/** Where a repository's rows are, and of which generation. */
export interface RepositoryRange {
  key: number;
  name: string;
  generation: string;
  first_node: number;
  end_node: number;
  first_edge: number;
  end_edge: number;
  links: number;
}

/**
 * The edges inside one repository as typed arrays (compressed sparse rows): a walk over them asks no table. Nodes and edges are
 * known by their keys.
 */
export interface Adjacency {
  /** Of memory. */
  bytes: number;
  /** Ids of repositories and contributors, by key: from these, edges lead out of the repository too. */
  shared: ReadonlyMap<number, string>;
  /** Calls back with each edge at this node that counts, and what is at its other end. */
  each(node: number, direction: 'in' | 'out', over: Over, found: (other: number, edge: number) => void): void;
}

/** Rows that are read before other work gets its turn. */
const BATCH = 5_000;

/** Reads a repository's edges; null where another generation is there by now. */
export async function readAdjacency(database: DatabaseSync, range: RepositoryRange): Promise<Adjacency | null> {
  const { key, generation, first_node: firstNode, first_edge: firstEdge } = range;
  const nodes = range.end_node - firstNode;
  const edges = range.end_edge - firstEdge;
  const ends = { out: new Uint32Array(edges), in: new Uint32Array(edges) };
  const types = new Uint8Array(edges);
  const confidences = new Float64Array(edges);
  database.exec('BEGIN');
  try {
    const held = database.prepare('SELECT generation FROM repositories WHERE key = ?').get(key);
    if (held?.['generation'] !== generation) return null;
    const rows = database
      .prepare('SELECT key, type, from_key, to_key, confidence FROM edges WHERE key >= ? AND key < ?')
      .iterate(firstEdge, range.end_edge);
    let count = 0;
    for (const row of rows) {
      if (++count % BATCH === 0) await setImmediate();
      const edge = Number(row['key']) - firstEdge;
      ends.out[edge] = Number(row['from_key']) - firstNode;
      ends.in[edge] = Number(row['to_key']) - firstNode;
      types[edge] = codes.get(String(row['type'])) ?? 0;
      confidences[edge] = Number(row['confidence']);
    }
    if (count !== edges) throw new DamagedFile(`${edges - count} edges are missing`);
    const shared = database
      .prepare(
        'SELECT n.key, n.id FROM repository_nodes r CROSS JOIN nodes n ON n.id = r.id WHERE r.repository_key = ? AND n.key >= ? AND n.key < ?',
      )
      .all(key, firstNode, range.end_node);
    const rowsOf = { out: sparseRows(ends.out, nodes), in: sparseRows(ends.in, nodes) };
    return {
      bytes: 25 * edges + 8 * nodes,
      shared: new Map(shared.map((row) => [Number(row['key']), String(row['id'])])),
      each(node, direction, { edgeTypes, minConfidence }, found) {
        const { starts, items } = rowsOf[direction];
        const others = direction === 'out' ? ends.in : ends.out;
        const wanted = edgeTypes.reduce((mask, type) => mask | (1 << (codes.get(type) ?? 0)), 0);
        const at = node - firstNode;
        for (let index = starts[at] ?? 0; index < (starts[at + 1] ?? 0); index++) {
          const edge = items[index] ?? 0;
          if ((wanted & (1 << (types[edge] ?? 0))) === 0 || (confidences[edge] ?? 0) < minConfidence) continue;
          found((others[edge] ?? 0) + firstNode, edge + firstEdge);
        }
      },
    };
  } finally {
    database.exec('ROLLBACK');
  }
}

const codes = new Map<string, number>(edgeTypeSchema.options.map((type, code) => [type, code]));

/** Edges by the node at one end: those of node n are `items` from `starts[n]` to `starts[n + 1]`. */
function sparseRows(ends: Uint32Array, nodes: number): { starts: Uint32Array; items: Uint32Array } {
  const starts = new Uint32Array(nodes + 1);
  for (const node of ends) starts[node + 1] = (starts[node + 1] ?? 0) + 1;
  for (let node = 0; node < nodes; node++) starts[node + 1] = (starts[node + 1] ?? 0) + (starts[node] ?? 0);
  const items = new Uint32Array(ends.length);
  const next = starts.slice();
  for (const [edge, node] of ends.entries()) {
    const place = next[node] ?? 0;
    items[place] = edge;
    next[node] = place + 1;
  }
  return { starts, items };
}
