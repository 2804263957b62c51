import { EdgeValue, NodeValue } from '../../model/property-graph.ts';
import type { Key, Step, Value } from '../../model/property-graph.ts';
import { QueryFailure } from './failure.ts';
import { batched, batchSize } from './execution.ts';
import type { Execution, Operator, Rows } from './execution.ts';
import type { Row } from './scope.ts';
import { typeOf } from './values.ts';

/** Which edges are followed from a node that is there. */
export interface Expansion {
  from: number;
  to: number;
  /** The other end is there too: only edges to it count. */
  toIsBound: boolean;
  slot: number;
  /** So is the edge. */
  isBound: boolean;
  types: readonly string[] | null;
  /** As seen from `from`. */
  direction: 'in' | 'out' | 'both';
  /** From the end of the pattern to its beginning. */
  isReversed: boolean;
  /** Places of edges of the same MATCH, none of which is met again. */
  others: readonly number[];
  /** What each edge of several has to fulfil. */
  holds: ((row: Row, edge: EdgeValue) => boolean) | null;
  length: { min: number; max: number } | null;
}

interface Found {
  edge: EdgeValue;
  other: NodeValue;
}

/** The edges at these nodes, by the node. */
async function edgesAt(
  nodes: readonly NodeValue[],
  { direction, types }: Pick<Expansion, 'direction' | 'types'>,
  execution: Execution,
) {
  const { graph, effort } = execution;
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const keys = [...byKey.keys()];
  const found = new Map<Key, Found[]>(keys.map((key) => [key, []]));
  for (const way of direction === 'both' ? (['out', 'in'] as const) : [direction]) {
    const steps = await graph.steps(keys, way, types);
    effort.spend(steps.length);
    for (const { from, edge, other } of steps as readonly Step[]) {
      const node = byKey.get(keys[from] ?? '');
      // An edge to itself goes out and in, and is one.
      if (!node || (direction === 'both' && way === 'in' && other.key === node.key)) continue;
      const end = execution.node(other);
      const value =
        way === 'out' ? new EdgeValue(edge.key, edge.type, node, end) : new EdgeValue(edge.key, edge.type, end, node);
      found.get(node.key)?.push({ edge: value, other: end });
    }
  }
  await effort.turn();
  return found;
}

/** The node at a place; null where an OPTIONAL MATCH found none. */
function nodeAt(row: Row, slot: number): NodeValue | null {
  const value = row[slot] ?? null;
  if (value === null || value instanceof NodeValue) return value;
  throw new QueryFailure(
    'TypeError',
    'InvalidArgumentType',
    `A pattern begins at a node, and not at a ${typeOf(value)}.`,
  );
}

const isAmong = (edge: EdgeValue, row: Row, slots: readonly number[]) =>
  slots.some((slot) => {
    const other = row[slot] ?? null;
    return Array.isArray(other) ? other.some((each) => isSame(each, edge)) : isSame(other, edge);
  });

const isSame = (value: Value, edge: EdgeValue) => value instanceof EdgeValue && value.key === edge.key;

/** Follows one edge. */
export function expand(expansion: Expansion, detail: string, execution: Execution): Operator {
  const { from, to, toIsBound, slot, isBound, others } = expansion;
  async function* found(rows: Rows): AsyncIterable<Row> {
    for await (const batch of rows) {
      const nodes = batch.map((row) => nodeAt(row, from));
      const edges = await edgesAt(
        nodes.filter((node) => node !== null),
        expansion,
        execution,
      );
      for (const [index, row] of batch.entries()) {
        const end = toIsBound ? nodeAt(row, to) : null;
        for (const { edge, other } of edges.get(nodes[index]?.key ?? '') ?? []) {
          if (toIsBound && other.key !== end?.key) continue;
          if ((isBound && !isSame(row[slot] ?? null, edge)) || isAmong(edge, row, others)) continue;
          execution.effort.spend(1);
          const copy = [...row];
          copy[slot] = edge;
          copy[to] = other;
          yield copy;
        }
      }
    }
  }
  return { name: toIsBound ? 'ExpandInto' : 'Expand', detail, run: (rows) => batched(found(rows)) };
}

/** A way that may go on. */
interface Way {
  row: Row;
  node: NodeValue;
  edges: readonly EdgeValue[];
}

/** Follows edges one after another, from `min` to `max` of them, none twice. */
export function expandMany(
  expansion: Expansion,
  { min, max }: { min: number; max: number },
  detail: string,
  execution: Execution,
): Operator {
  const { from, to, toIsBound, slot, isBound, isReversed, others, holds } = expansion;
  const { effort } = execution;

  function isEnd({ row, node, edges }: Way): boolean {
    if (edges.length < min || (toIsBound && nodeAt(row, to)?.key !== node.key)) return false;
    if (!isBound) return true;
    const given = row[slot] ?? null;
    const inOrder = isReversed ? edges.toReversed() : edges;
    return (
      Array.isArray(given) &&
      given.length === edges.length &&
      inOrder.every((edge, index) => isSame(given[index] ?? null, edge))
    );
  }

  function ended({ row, node, edges }: Way): Row {
    effort.spend(1);
    const copy = [...row];
    copy[slot] = isReversed ? edges.toReversed() : [...edges];
    copy[to] = node;
    return copy;
  }

  async function onwards(ways: readonly Way[]): Promise<Way[]> {
    const edges = await edgesAt(
      ways.map(({ node }) => node),
      expansion,
      execution,
    );
    if (holds) await execution.read([...edges.values()].flat().map(({ edge }) => edge));
    const further: Way[] = [];
    for (const way of ways) {
      for (const { edge, other } of edges.get(way.node.key) ?? []) {
        if (way.edges.some(({ key }) => key === edge.key) || isAmong(edge, way.row, others)) continue;
        if (holds && !holds(way.row, edge)) continue;
        effort.spend(1);
        further.push({ row: way.row, node: other, edges: [...way.edges, edge] });
      }
    }
    return further;
  }

  async function* found(rows: Rows): AsyncIterable<Row> {
    for await (const batch of rows) {
      const starts = batch.flatMap((row): Way[] => {
        const node = nodeAt(row, from);
        return node ? [{ row, node, edges: [] }] : [];
      });
      for (const way of starts) if (isEnd(way)) yield ended(way);
      // Depth first, many at a time: what waits is no more than a few batches for each step.
      const waiting = [starts];
      for (let ways = waiting.pop(); ways; ways = waiting.pop()) {
        const now = ways.slice(0, batchSize);
        if (ways.length > batchSize) waiting.push(ways.slice(batchSize));
        const isLast = (now[0]?.edges.length ?? max) + 1 >= max;
        if ((now[0]?.edges.length ?? max) < max) {
          const further = await onwards(now);
          effort.keep(further.length);
          for (const way of further) if (isEnd(way)) yield ended(way);
          if (isLast) effort.keep(-further.length);
          else if (further.length > 0) waiting.push(further);
        }
        if (now[0] && now[0].edges.length > 0) effort.keep(-now.length);
      }
    }
  }
  return { name: 'VarLengthExpand', detail, run: (rows) => batched(found(rows)) };
}

/** Told of the edges that are followed, and of the nodes that are held. */
type Spend = (edges: number, nodes: number) => void;

/** A node that a row leads to, and all that it has led to so far. */
interface Reached {
  row: Row;
  node: NodeValue;
  seen: Set<Key>;
}

/**
 * Finds each node to which edges lead from one to another, from `min` (0 or 1) to `max` of them, once, by its shortest way: what
 * `expandMany` finds in every way that there is. Along directed edges the shortest way meets no edge twice, so both find the same nodes.
 */
export function expandToEach(
  expansion: Expansion,
  { min, max }: { min: number; max: number },
  detail: string,
  execution: Execution,
): Operator {
  const { from, to, toIsBound, holds, types, direction } = expansion;
  const { effort } = execution;

  function* ended(reached: readonly Pick<Reached, 'row' | 'node'>[]): Iterable<Row> {
    for (const { row, node } of reached) {
      if (toIsBound && nodeAt(row, to)?.key !== node.key) continue;
      effort.spend(1);
      const copy = [...row];
      copy[to] = node;
      yield copy;
    }
  }

  async function onwards(reached: readonly Reached[]): Promise<Reached[]> {
    const nodes = reached.map(({ node }) => node);
    const edges = await edgesAt(nodes, expansion, execution);
    if (holds) await execution.read([...edges.values()].flat().map(({ edge }) => edge));
    const further: Reached[] = [];
    for (const { row, node, seen } of reached) {
      for (const { edge, other } of edges.get(node.key) ?? []) {
        if (seen.has(other.key) || (holds && !holds(row, edge))) continue;
        effort.spend(1);
        seen.add(other.key);
        further.push({ row, node: other, seen });
      }
    }
    effort.keep(further.length);
    return further;
  }

  /** By the graph itself, which goes on from keys to keys. */
  async function* foundByGraph(
    rows: Rows,
    reach: (node: NodeValue, spend: Spend) => Promise<readonly Step['other'][]>,
  ): AsyncIterable<Row> {
    for await (const batch of rows) {
      for (const row of batch) {
        const node = nodeAt(row, from);
        if (!node) continue;
        let kept = 0;
        const spend = (edges: number, nodes: number) => {
          effort.spend(edges + nodes);
          effort.keep(nodes);
          kept += nodes;
        };
        const others = await reach(node, spend);
        yield* ended(others.map((other) => ({ row, node: execution.node(other) })));
        effort.keep(-kept);
        await effort.turn();
      }
    }
  }

  async function* found(rows: Rows): AsyncIterable<Row> {
    for await (const batch of rows) {
      let kept = 0;
      let reached = batch.flatMap((row): Reached[] => {
        const node = nodeAt(row, from);
        return node ? [{ row, node, seen: new Set(min === 0 ? [node.key] : []) }] : [];
      });
      if (min === 0) yield* ended(reached);
      for (let hops = 1; hops <= max && reached.length > 0; hops += 1) {
        const further: Reached[] = [];
        for (let first = 0; first < reached.length; first += batchSize)
          for (const each of await onwards(reached.slice(first, first + batchSize))) further.push(each);
        yield* ended(further);
        kept += further.length;
        reached = further;
      }
      effort.keep(-kept);
    }
  }
  const { graph } = execution;
  const isByGraph = graph.reached !== undefined && direction !== 'both' && holds === null;
  const reach = async ({ key }: NodeValue, spend: Spend) =>
    (isByGraph && (await graph.reached?.(key, direction, types, { min, max, spend }))) || [];
  return {
    name: 'VarLengthExpand(Pruning)',
    detail,
    run: (rows) => batched(isByGraph ? foundByGraph(rows, reach) : found(rows)),
  };
}
