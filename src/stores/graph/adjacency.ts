import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { edgeTypeSchema, nodeTypeSchema } from '../../model/graph.ts';
import type { EdgeType, NodeType } from '../../model/graph.ts';
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
  /** How many edges count, of those between such nodes. */
  count(over: Over, isWanted: (node: number) => boolean): number;
  typeOf(edge: number): EdgeType;
  typeOfNode(node: number): NodeType;
}

/** Rows that are read before other work gets its turn. */
const batchSize = 5_000;

/** Works on one state of a repository's rows; null where another generation is there by now. */
async function onRows<T>(
  database: DatabaseSync,
  { key, generation }: RepositoryRange,
  read: () => Promise<T>,
): Promise<T | null> {
  database.exec('BEGIN');
  try {
    const held = database.prepare('SELECT generation FROM repositories WHERE key = ?').get(key);
    return held?.['generation'] === generation ? await read() : null;
  } finally {
    database.exec('ROLLBACK');
  }
}

/** The nodes of a repository, five bytes each. */
export interface NodeOrder {
  /** By type, then id. */
  keys: Uint32Array;
  isOf(node: number, types: ReadonlySet<NodeType>): boolean;
  typeOf(node: number): NodeType;
}

/** Reads it; null where another generation is there by now. */
export function readOrder(database: DatabaseSync, range: RepositoryRange): Promise<NodeOrder | null> {
  const { first_node: first, end_node: end } = range;
  return onRows(database, range, async () => {
    const keys = new Uint32Array(end - first);
    const types = new Uint8Array(end - first);
    const rows = database.prepare('SELECT key, type FROM nodes WHERE key >= ? AND key < ? ORDER BY type, id');
    let count = 0;
    for (const row of rows.iterate(first, end)) {
      if (count % batchSize === batchSize - 1) await setImmediate();
      const key = Number(row['key']);
      keys[count++] = key;
      types[key - first] = nodeTypeSchema.options.indexOf(row['type'] as NodeType);
    }
    if (count !== keys.length) throw new DamagedFile(`${keys.length - count} nodes are missing`);
    const typeOf = (node: number) => nodeTypeSchema.options[types[node - first] ?? 0] ?? 'Function';
    return { keys, typeOf, isOf: (node, wanted) => wanted.has(typeOf(node)) };
  });
}

/** Reads a repository's edges; null where another generation is there by now. */
export function readAdjacency(database: DatabaseSync, range: RepositoryRange): Promise<Adjacency | null> {
  return onRows(database, range, () => readRows(database, range));
}

async function readRows(database: DatabaseSync, range: RepositoryRange): Promise<Adjacency> {
  const { key, first_node: firstNode, first_edge: firstEdge } = range;
  const nodes = range.end_node - firstNode;
  const edges = range.end_edge - firstEdge;
  const ends = { out: new Uint32Array(edges), in: new Uint32Array(edges) };
  const types = new Uint8Array(edges);
  const confidences = new Float64Array(edges);
  const rows = database
    .prepare('SELECT key, type, from_key, to_key, confidence FROM edges WHERE key >= ? AND key < ?')
    .iterate(firstEdge, range.end_edge);
  let count = 0;
  for (const row of rows) {
    if (++count % batchSize === 0) await setImmediate();
    const edge = Number(row['key']) - firstEdge;
    ends.out[edge] = Number(row['from_key']) - firstNode;
    ends.in[edge] = Number(row['to_key']) - firstNode;
    types[edge] = codes.get(String(row['type'])) ?? 0;
    confidences[edge] = Number(row['confidence']);
  }
  if (count !== edges) throw new DamagedFile(`${edges - count} edges are missing`);
  const nodeTypes = new Uint8Array(nodes);
  const typed = database
    .prepare('SELECT key, type FROM nodes WHERE key >= ? AND key < ?')
    .iterate(firstNode, range.end_node);
  for (const row of typed) {
    if (++count % batchSize === 0) await setImmediate();
    nodeTypes[Number(row['key']) - firstNode] = nodeTypeSchema.options.indexOf(row['type'] as NodeType);
  }
  const shared = database
    .prepare(
      'SELECT n.key, n.id FROM repository_nodes r CROSS JOIN nodes n ON n.id = r.id WHERE r.repository_key = ? AND n.key >= ? AND n.key < ?',
    )
    .all(key, firstNode, range.end_node);
  const rowsOf = { out: sparseRows(ends.out, nodes), in: sparseRows(ends.in, nodes) };
  return {
    bytes: 25 * edges + 9 * nodes,
    shared: new Map(shared.map((row) => [Number(row['key']), String(row['id'])])),
    typeOf: (edge) => edgeTypeSchema.options[types[edge - firstEdge] ?? 0] ?? 'CALLS',
    typeOfNode: (node) => nodeTypeSchema.options[nodeTypes[node - firstNode] ?? 0] ?? 'Function',
    each(node, direction, { edgeTypes, minConfidence }, found) {
      const { starts, items } = rowsOf[direction];
      const others = direction === 'out' ? ends.in : ends.out;
      const wanted = maskOf(edgeTypes);
      const at = node - firstNode;
      for (let index = starts[at] ?? 0; index < (starts[at + 1] ?? 0); index++) {
        const edge = items[index] ?? 0;
        if ((wanted & (1 << (types[edge] ?? 0))) === 0 || (confidences[edge] ?? 0) < minConfidence) continue;
        found((others[edge] ?? 0) + firstNode, edge + firstEdge);
      }
    },
    count({ edgeTypes, minConfidence }, isWanted) {
      const wanted = maskOf(edgeTypes);
      let total = 0;
      for (let edge = 0; edge < edges; edge++) {
        if ((wanted & (1 << (types[edge] ?? 0))) === 0 || (confidences[edge] ?? 0) < minConfidence) continue;
        if (isWanted((ends.out[edge] ?? 0) + firstNode) && isWanted((ends.in[edge] ?? 0) + firstNode)) total++;
      }
      return total;
    },
  };
}

const codes = new Map<string, number>(edgeTypeSchema.options.map((type, code) => [type, code]));
const maskOf = (types: Over['edgeTypes']) => types.reduce((mask, type) => mask | (1 << (codes.get(type) ?? 0)), 0);

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
