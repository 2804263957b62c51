import { setImmediate } from 'node:timers/promises';
import type { GraphEdge } from '../../model/graph.ts';
import type { GraphReader, NeighborEdge, Outgoing } from './port.ts';
import { repositoryOf } from '../../model/repository-of.ts';
import { sqlitePropertyGraph } from './sqlite-property-graph.ts';
import { batchSize, createStates, type State } from './sqlite-walk-state.ts';
import type { PrepareVisible, Visible } from './sqlite-visible.ts';
import { byOrigin, byTypeAndEnds, compareIds, countsByDepth, reach, shortestPath } from './walk.ts';

type Walks = Pick<GraphReader, 'query' | 'inside' | 'edgesInside' | 'adjacent' | 'outgoing' | 'impact' | 'path'>;

/** What goes from node to node, over an adjacency for each repository that is read when it is first asked for. */
export function createSqliteWalks(file: string, prepare: PrepareVisible): (visible: Visible) => Walks {
  const states = createStates(file, prepare);
  return (visible) => {
    const onOneState = states(visible);
    return {
      query: (work) =>
        onOneState(async (state) => {
          const answer = await work(sqlitePropertyGraph(state));
          state.check();
          return answer;
        }),
      inside: (asked) => onOneState((state) => inside(state, asked)),
      edgesInside: (asked) => onOneState((state) => edgesInside(state, asked)),
      adjacent: (asked) => onOneState((state) => adjacent(state, asked)),
      outgoing: (asked) => onOneState((state) => outgoing(state, asked)),
      impact: (asked) => onOneState((state) => impact(state, asked)),
      path: (asked) => onOneState((state) => path(state, asked)),
    };
  };
}

async function inside(
  { ranges, looked, orderOf, each, edgeOf, check, headOf, nodeOf }: State,
  { repository, nodeTypes, offset, limit, ...over }: Parameters<Walks['inside']>[0],
): ReturnType<Walks['inside']> {
  const range = ranges.find(({ name }) => name === repository);
  if (!range) return null;
  looked.add(range);
  const order = await orderOf(range);
  const types = new Set(nodeTypes);
  const matching = order.keys.filter((key) => order.isOf(key, types));
  const keys = [...matching.subarray(offset, offset + limit)];
  const found: { other: number; way: 'in' | 'out'; edge: number | GraphEdge }[] = [];
  await each(keys, 'in', over, (_, other, edge) => found.push({ other, way: 'in', edge }));
  // One between two nodes of this repository is found from its end.
  await each(keys, 'out', over, (_, other, edge) => {
    if (other < range.first_node || other >= range.end_node) found.push({ other, way: 'out', edge });
  });
  check();
  const shown = found.filter(({ other }) => types.has(headOf(other).type));
  const links = shown.flatMap(({ other, edge }) =>
    typeof edge !== 'number' && isSymbolLink(edge) ? [{ other, edge }] : [],
  );
  const outside = new Map(links.map(({ other }) => [headOf(other).id, other]));
  return {
    nodes: keys.map(nodeOf),
    edges: shown
      .filter(
        ({ other, way, edge }) =>
          // What leads from repository to repository is a link.
          way === 'in' && (typeof edge === 'number' || headOf(other).type === 'Contributor'),
      )
      .map(({ edge }) => edgeOf(edge))
      .toSorted(byTypeAndEnds),
    links: links.map(({ edge }) => edge).toSorted(byTypeAndEnds),
    outside: [...outside].toSorted(([a], [b]) => compareIds(a, b)).map(([, other]) => nodeOf(other)),
    total: matching.length,
  };
}

async function edgesInside(
  { ranges, looked, orderOf, adjacencyOf, linkEndsOf, keyOf, each, check, headOf }: State,
  { repository, nodeTypes, ...over }: Parameters<Walks['edgesInside']>[0],
): ReturnType<Walks['edgesInside']> {
  const range = ranges.find(({ name }) => name === repository);
  if (!range) return null;
  looked.add(range);
  const [order, adjacency] = [await orderOf(range), await adjacencyOf(range)];
  const types = new Set(nodeTypes);
  const isWanted = (key: number) => order.isOf(key, types);
  // Those with no key: of contributors to the repository itself, and of what others are linked with.
  const own = keyOf(repository);
  const ends = [...new Set([...(own === null ? [] : [own]), ...linkEndsOf(range).keys()])].filter(isWanted);
  const more = new Set<string>();
  for (const way of ['in', 'out'] as const)
    await each(ends, way, over, (_, other, edge) => {
      if (typeof edge === 'number' || !types.has(headOf(other).type)) return;
      if (isSymbolLink(edge) || (way === 'in' && headOf(other).type === 'Contributor'))
        more.add(`${edge.type} ${edge.from} ${edge.to}`);
    });
  const total = adjacency.count(over, isWanted) + more.size;
  check();
  return total;
}

async function adjacent(
  { keyOf, each, edgeOf, check, headOf, nodeOf }: State,
  { id, nodeTypes, direction, offset, limit, ...over }: Parameters<Walks['adjacent']>[0],
): ReturnType<Walks['adjacent']> {
  const key = keyOf(id);
  if (key === null) return null;
  const found: { other: number; direction: NeighborEdge['direction']; edge: number | GraphEdge }[] = [];
  for (const way of ['out', 'in'] as const) {
    if (direction !== undefined && direction !== way) continue;
    await each([key], way, over, (_, other, edge) => {
      if (way === 'out' || other !== key) found.push({ other, direction: way, edge });
    });
  }
  const described: { other: number; id: string; direction: NeighborEdge['direction']; edge: GraphEdge }[] = [];
  for (const [index, { other, direction: way, edge }] of found.entries()) {
    if (index % batchSize === batchSize - 1) await setImmediate();
    const head = headOf(other);
    if (nodeTypes.includes(head.type)) described.push({ other, id: head.id, direction: way, edge: edgeOf(edge) });
  }
  check();
  const sorted = described.toSorted(
    (a, b) =>
      compareIds(a.edge.type, b.edge.type) ||
      b.edge.weight - a.edge.weight ||
      compareIds(a.id, b.id) ||
      compareIds(b.direction, a.direction),
  );
  const byId = Map.groupBy(sorted, (each) => each.id);
  const neighbors = [...byId.values()].slice(offset, offset + limit).map((edges) => ({
    node: nodeOf(edges[0]?.other ?? 0),
    edges: edges.map(({ direction: way, edge }) => ({ direction: way, edge })),
  }));
  return { neighbors, total: byId.size };
}

async function outgoing(
  { keyOf, each, edgeOf, check, headOf, nodeOf }: State,
  { ids, nodeTypes, ...over }: Parameters<Walks['outgoing']>[0],
): ReturnType<Walks['outgoing']> {
  const keys = [...new Set(ids)].flatMap((id) => keyOf(id) ?? []).filter((key) => headOf(key).type !== 'Contributor');
  const found: { other: number; edge: number | GraphEdge }[] = [];
  await each(keys, 'out', over, (_, other, edge) => found.push({ other, edge }));
  const described: Outgoing[] = [];
  for (const [index, { other, edge }] of found.entries()) {
    if (index % batchSize === batchSize - 1) await setImmediate();
    if (nodeTypes.includes(headOf(other).type)) described.push({ edge: edgeOf(edge), to: nodeOf(other) });
  }
  check();
  return described.toSorted(byOrigin);
}

async function impact(
  { keyOf, steps, check, headOf, nodeOf }: State,
  { id, nodeTypes, depth, offset, limit, ...over }: Parameters<Walks['impact']>[0],
): ReturnType<Walks['impact']> {
  const key = keyOf(id);
  if (key === null) return null;
  const { depths, truncated } = await reach([key], { over, depth, steps });
  const heads: { key: number; id: string; depth: number }[] = [];
  for (const [reached, at] of depths) {
    if (heads.length % batchSize === batchSize - 1) await setImmediate();
    const head = headOf(reached);
    if (nodeTypes.includes(head.type)) heads.push({ key: reached, id: head.id, depth: at });
  }
  check();
  return {
    affected: heads
      .toSorted((a, b) => a.depth - b.depth || compareIds(a.id, b.id))
      .slice(offset, offset + limit)
      .map((head) => ({ node: nodeOf(head.key), depth: head.depth })),
    total: heads.length,
    depths: countsByDepth(heads),
    truncated,
  };
}

async function path(
  { keyOf, steps, check, nodeOf }: State,
  { from, to, longest, ...over }: Parameters<Walks['path']>[0],
): ReturnType<Walks['path']> {
  const [start, end] = [keyOf(from), keyOf(to)];
  if (start === null || end === null) return null;
  const found = await shortestPath([start], new Set([end]), { over, longest, steps });
  check();
  return found && { nodes: found.keys.map(nodeOf), edges: found.edges };
}

/** Begins or ends at a symbol; of the edges with no key all others join repositories and contributors. */
const isSymbolLink = ({ from, to }: GraphEdge) => from !== repositoryOf(from) || to !== repositoryOf(to);
