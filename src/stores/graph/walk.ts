import type { GraphEdge } from '../../model/graph.ts';
import type { Neighbor, NeighborEdge, Outgoing, Over } from './port.ts';

/** How an engine goes from nodes to nodes; a key is what it finds a node by. */
export interface Steps<Key> {
  /** What the edges lead to (`out`), or come from (`in`); a node may come more than once. */
  next(keys: readonly Key[], direction: 'in' | 'out', over: Over): Promise<Iterable<Key>>;
  /** The edges that lead to one node, with where they come from. */
  edgesTo(key: Key, over: Over): Promise<readonly { key: Key; edge: GraphEdge }[]>;
}

/** A walk that has reached so many nodes goes no further. */
const maxReached = 50_000;

/** The depth of every node from which edges lead to the starts or to what they contain. */
export async function reach<Key extends string | number>(
  starts: readonly Key[],
  { over, depth, steps }: { over: Over; depth: number; steps: Steps<Key> },
): Promise<{ depths: Map<Key, number>; truncated: boolean }> {
  const depths = new Map<Key, number>(starts.map((key) => [key, 0]));
  for (let frontier = starts; frontier.length > 0;)
    frontier = added(depths, 0, await steps.next(frontier, 'out', { edgeTypes: ['CONTAINS'], minConfidence: 0 }));
  const own = [...depths.keys()];
  let frontier: readonly Key[] = own;
  for (let level = 1; level <= depth && frontier.length > 0; level++) {
    if (depths.size - own.length > maxReached) return { depths: without(depths, own), truncated: true };
    frontier = added(depths, level, await steps.next(frontier, 'in', over));
  }
  return { depths: without(depths, own), truncated: false };
}

/** The shortest way from one of the starts to one of the ends; null when there is none of this length. */
export async function shortestPath<Key extends string | number>(
  starts: readonly Key[],
  ends: ReadonlySet<Key>,
  { over, longest, steps }: { over: Over; longest: number; steps: Steps<Key> },
): Promise<{ keys: Key[]; edges: GraphEdge[] } | null> {
  const depths = new Map<Key, number>(starts.map((key) => [key, 0]));
  let frontier = starts;
  let end = starts.find((key) => ends.has(key));
  for (let level = 1; end === undefined && level <= longest && frontier.length > 0; level++) {
    frontier = added(depths, level, await steps.next(frontier, 'out', over));
    end = frontier.find((key) => ends.has(key));
  }
  if (end === undefined) return null;
  const keys = [end];
  const edges: GraphEdge[] = [];
  for (let key = end, level = depths.get(end) ?? 0; level > 0; level--) {
    const before = (await steps.edgesTo(key, over))
      .filter((each) => depths.get(each.key) === level - 1)
      .reduce((first, each) => (comesFirst(each.edge, first.edge) ? each : first));
    key = before.key;
    keys.unshift(key);
    edges.unshift(before.edge);
  }
  return { keys, edges };
}

/** How many at each depth, from 1 to the greatest. */
export function countsByDepth(items: readonly { depth: number }[]): number[] {
  const counts: number[] = [];
  for (const { depth } of items) {
    while (counts.length < depth) counts.push(0);
    counts[depth - 1] = (counts[depth - 1] ?? 0) + 1;
  }
  return counts;
}

/** Each neighbor once, where it first comes, with all its edges. */
export function withTheirEdges(rows: readonly (NeighborEdge & Pick<Neighbor, 'node'>)[]): Neighbor[] {
  const neighbors = new Map<string, Neighbor>();
  for (const { node, ...edge } of rows) {
    const neighbor = neighbors.get(node.id);
    if (neighbor) neighbor.edges.push(edge);
    else neighbors.set(node.id, { node, edges: [edge] });
  }
  return [...neighbors.values()];
}

/** By code point, as every engine does; JavaScript's own order is by UTF-16 unit. */
export function compareIds(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The order of every list of edges. */
export const byTypeAndEnds = (a: GraphEdge, b: GraphEdge) =>
  compareIds(a.type, b.type) || compareIds(a.from, b.from) || compareIds(a.to, b.to);

/** That of what leads from several nodes: the heaviest of a type first. */
export const byOrigin = ({ edge: a }: Outgoing, { edge: b }: Outgoing) =>
  compareIds(a.from, b.from) || compareIds(a.type, b.type) || b.weight - a.weight || compareIds(a.to, b.to);

function comesFirst(a: GraphEdge, b: GraphEdge): boolean {
  return (compareIds(a.from, b.from) || compareIds(a.type, b.type)) < 0;
}

/** Those that are new, at this depth. */
function added<Key extends string | number>(depths: Map<Key, number>, depth: number, keys: Iterable<Key>): Key[] {
  const fresh: Key[] = [];
  for (const key of keys) {
    if (depths.has(key)) continue;
    depths.set(key, depth);
    fresh.push(key);
  }
  return fresh;
}

function without<Key extends string | number>(depths: Map<Key, number>, keys: readonly Key[]): Map<Key, number> {
  for (const key of keys) depths.delete(key);
  return depths;
}
