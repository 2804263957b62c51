import { setImmediate } from 'node:timers/promises';
import { nodeTypeSchema } from '../../model/graph.ts';
import type { GraphEdge, NodeType } from '../../model/graph.ts';
import type { Key, NodesWanted, PropertyGraph, Step } from '../../model/property-graph.ts';
import { costOf, edgeProperties, edgeTypesOf, isNowhere, nodeProperties, textsOf, typesOf } from './property-values.ts';
import type { Adjacency, RepositoryRange } from './adjacency.ts';
import { batchSize, type State } from './sqlite-walk-state.ts';

/** The labels of each type, which nodes share. */
const labels = new Map<NodeType, readonly string[]>(nodeTypeSchema.options.map((type) => [type, [type]]));
const labelsOf = (type: NodeType) => labels.get(type) ?? [type];
/** Nodes whose edges are followed before they are counted. */
const atOnce = 256;

/** The graph in terms of labels, types and properties, for queries; nodes and most edges are known by their keys. */
export function sqlitePropertyGraph(state: State): PropertyGraph {
  const { ranges, looked, keyOf, each, edgeOf, headOf, nodeOf, rangeOf, adjacencyOf, orderOf, matching } = state;
  const nodes = ranges.reduce((sum, { first_node, end_node }) => sum + end_node - first_node, 0);
  /** Edges that have no key: of contributors, and between repositories. */
  const keyless = new Map<string, GraphEdge>();

  const adjacencies = new Map<RepositoryRange, Adjacency>();
  /** What was read of a key's repository, without waiting. */
  const near = (key: number) => {
    const range = rangeOf(key);
    return range && adjacencies.get(range);
  };
  const adjacencyAt = async (key: number) => {
    const range = rangeOf(key);
    if (!range) return null;
    looked.add(range);
    const found = await adjacencyOf(range);
    adjacencies.set(range, found);
    return found;
  };

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
        return [{ key, labels: labelsOf(type) }];
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
        const adjacency = key === null ? null : await adjacencyAt(key);
        if (key !== null && adjacency) yield [{ key, labels: labelsOf(adjacency.typeOfNode(key)) }];
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
        const at = near(from) ?? (await adjacencyAt(from));
        const there = near(other) ?? (await adjacencyAt(other));
        if (!at || !there) continue;
        steps.push({
          from: places.get(from) ?? 0,
          edge: typeof edge === 'number' ? { key: edge, type: at.typeOf(edge) } : keyOfEdge(edge),
          other: { key: other, labels: labelsOf(there.typeOfNode(other)) },
        });
      }
      return steps;
    },

    async reached(key, direction, types, { min, max, spend }) {
      const over = { edgeTypes: edgeTypesOf(types), minConfidence: 0 };
      const seen = new Set<number>(min === 0 ? [Number(key)] : []);
      for (let frontier = [Number(key)], hops = 0; hops < max && frontier.length > 0; hops += 1) {
        const next: number[] = [];
        for (let first = 0; first < frontier.length; first += atOnce) {
          let edges = 0;
          const before = next.length;
          await each(frontier.slice(first, first + atOnce), direction, over, (_, other) => {
            edges += 1;
            if (seen.has(other)) return;
            seen.add(other);
            next.push(other);
          });
          spend(edges, next.length - before);
        }
        frontier = next;
      }
      const heads: Step['other'][] = [];
      for (const other of seen) {
        const adjacency = near(other) ?? (await adjacencyAt(other));
        if (adjacency) heads.push({ key: other, labels: labelsOf(adjacency.typeOfNode(other)) });
      }
      return heads;
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
