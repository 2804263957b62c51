import { setImmediate } from 'node:timers/promises';
import type { GraphEdge } from '../../model/graph.ts';
import type { Key, NodesWanted, PropertyGraph, Step } from '../../model/property-graph.ts';
import { costOf, edgeProperties, edgeTypesOf, isNowhere, nodeProperties, textsOf, typesOf } from './property-values.ts';
import type { Adjacency, NodeOrder, RepositoryRange } from './adjacency.ts';
import { batchSize, type State } from './sqlite-walk-state.ts';

/** The graph in terms of labels, types and properties, for queries; nodes and most edges are known by their keys. */
export function sqlitePropertyGraph(state: State): PropertyGraph {
  const { ranges, looked, keyOf, each, edgeOf, headOf, nodeOf, rangeOf, adjacencyOf, orderOf, matching } = state;
  const nodes = ranges.reduce((sum, { first_node, end_node }) => sum + end_node - first_node, 0);
  /** Edges that have no key: of contributors, and between repositories. */
  const keyless = new Map<string, GraphEdge>();

  const keptBy = <T>(read: (range: RepositoryRange) => Promise<T>) => {
    const known = new Map<RepositoryRange, T>();
    return async (key: number): Promise<T | null> => {
      const range = rangeOf(key);
      if (!range) return null;
      const kept = known.get(range);
      if (kept !== undefined) return kept;
      looked.add(range);
      const found = await read(range);
      known.set(range, found);
      return found;
    };
  };
  const orderAt = keptBy<NodeOrder>(orderOf);
  const adjacencyAt = keptBy<Adjacency>(adjacencyOf);

  async function* ofOne(
    range: RepositoryRange,
    wanted: NodesWanted,
    seen: Set<string>,
  ): AsyncIterable<Step['other'][]> {
    looked.add(range);
    const order = await orderOf(range);
    const types = new Set(typesOf(wanted.label));
    const texts = Object.entries(textsOf(wanted));
    for (let at = 0; at < order.keys.length; at += batchSize) {
      await setImmediate();
      const keys = [...order.keys.subarray(at, at + batchSize)].filter((key) => order.isOf(key, types));
      const found = texts.length === 0 ? keys : matching(keys, texts);
      yield found.flatMap((key) => {
        const type = order.typeOf(key);
        // A contributor is here once for each repository, and counts where it is first.
        if (type === 'Contributor') {
          const { id } = headOf(key);
          if (seen.has(id)) return [];
          seen.add(id);
        }
        return [{ key, labels: [type] }];
      });
    }
  }

  return {
    cost: (wanted) => costOf(wanted, { nodes, repositories: ranges.length }),

    async *nodes(wanted) {
      if (isNowhere(wanted)) return;
      const id = wanted.equal.get('id');
      if (typeof id === 'string') {
        const key = keyOf(id);
        const order = key === null ? null : await orderAt(key);
        if (key !== null && order) yield [{ key, labels: [order.typeOf(key)] }];
        return;
      }
      const repository = wanted.equal.get('repository');
      const seen = new Set<string>();
      for (const range of ranges)
        if (repository === undefined || range.name === repository) yield* ofOne(range, wanted, seen);
    },

    async steps(keys, direction, types) {
      const places = new Map(keys.map((key, place) => [Number(key), place]));
      const found: { from: number; other: number; edge: number | GraphEdge }[] = [];
      const over = { edgeTypes: edgeTypesOf(types), minConfidence: 0 };
      await each(keys.map(Number), direction, over, (from, other, edge) => found.push({ from, other, edge }));
      const steps: Step[] = [];
      for (const { from, other, edge } of found) {
        const [order, adjacency] = [await orderAt(other), await adjacencyAt(from)];
        if (!order || !adjacency) continue;
        steps.push({
          from: places.get(from) ?? 0,
          edge: typeof edge === 'number' ? { key: edge, type: adjacency.typeOf(edge) } : keyOfEdge(edge),
          other: { key: other, labels: [order.typeOf(other)] },
        });
      }
      return steps;
    },

    nodeProperties: (keys) => read(keys, (key) => nodeProperties(nodeOf(Number(key)))),
    edgeProperties: (keys) =>
      read(keys, (key) => edgeProperties(edgeOf(typeof key === 'number' ? key : (keyless.get(key) ?? Number.NaN)))),
  };

  function keyOfEdge(edge: GraphEdge): Step['edge'] {
    const key = `${edge.type} ${edge.from} ${edge.to}`;
    keyless.set(key, edge);
    return { key, type: edge.type };
  }
}

async function read<T>(keys: readonly Key[], one: (key: Key) => T): Promise<T[]> {
  const found: T[] = [];
  for (const key of keys) {
    if (found.length % batchSize === batchSize - 1) await setImmediate();
    found.push(one(key));
  }
  return found;
}
