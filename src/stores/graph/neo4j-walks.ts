import { int, type RecordShape } from 'neo4j-driver';
import { isDeepStrictEqual } from 'node:util';
import type { NodeType } from '../../model/graph.ts';
import { cypher } from './cypher.ts';
import {
  firstOfEach,
  toEdge,
  toNode,
  ownersIn,
  type EdgeRow,
  type NeighborRow,
  type NodeProperties,
  type Within,
} from './neo4j-rows.ts';
import { neo4jPropertyGraph } from './neo4j-property-graph.ts';
import { maxAttempts } from './neo4j-reads.ts';
import type { Run, Transactions } from './neo4j-transactions.ts';
import type { GraphReader, NeighborEdge, Outgoing, Over } from './port.ts';
import { byOrigin, byTypeAndEnds, compareIds, countsByDepth, reach, shortestPath, type Steps } from './walk.ts';

/** Nodes that one statement is told of. */
const batchSize = 5_000;

/** A neighbor with its edges. */
interface AdjacentRow extends RecordShape {
  node: NodeProperties;
  edges: (EdgeRow & NeighborEdge)[];
}

interface HeadRow extends RecordShape {
  element: string;
  id: string;
  type: NodeType;
  version: string;
}

type Walks = Pick<GraphReader, 'query' | 'inside' | 'edgesInside' | 'adjacent' | 'outgoing' | 'impact' | 'path'>;

/** What goes from node to node: each step a statement for all nodes that it starts from. */
export function createNeo4jWalks(read: Transactions['read'], within: Within): Walks {
  /** Works on one state of the store: again where the versions that are shown, in order of their repositories, are others then. */
  const onOneState = <T>(work: (run: Run, versions: readonly string[]) => Promise<T>): Promise<T> =>
    read(async (run) => {
      const shown = async () =>
        (await run<{ versions: string[] }>(cypher('shown-versions'), { within }))[0]?.versions ?? [];
      let before = await shown();
      for (let attempt = 1; ; attempt++) {
        const found = await work(run, before);
        const after = await shown();
        if (isDeepStrictEqual(before, after) || attempt === maxAttempts) return found;
        before = after;
      }
    });

  return {
    query: (work) =>
      onOneState((run, versions) => work(neo4jPropertyGraph(run, within, versions, (id) => starts(run, id, within)))),

    inside: ({ repository, nodeTypes, offset, limit, ...over }) =>
      onOneState(async (run) => {
        if (within?.includes(repository) === false) return null;
        const [snapshot] = await run<{ version: string }>(cypher('snapshot'), { repository });
        if (snapshot === undefined) return null;
        const of = { version: snapshot.version, nodeTypes };
        const nodes = await run<{ node: NodeProperties }>(cypher('inside-nodes'), {
          ...of,
          ...integers({ offset, limit }),
        });
        const ids = nodes.map(({ node }) => node.id);
        const edges = await run<EdgeRow>(cypher('inside-edges'), { ...of, ...parameters(over), ids });
        const linked = await run<NeighborRow>(cypher('inside-links'), { ...of, ...parameters(over), ids, within });
        const [count] = await run<{ total: number }>(cypher('inside-total'), of);
        const outside = linked.map(({ node }) => toNode(node)).toSorted((a, b) => compareIds(a.id, b.id));
        return {
          nodes: nodes.map(({ node }) => toNode(node)),
          // An id that was a parameter is ordered by UTF-16 unit there.
          edges: edges.map(toEdge).toSorted(byTypeAndEnds),
          links: linked.map(toEdge).toSorted(byTypeAndEnds),
          outside: firstOfEach(outside),
          total: count?.total ?? 0,
        };
      }),

    edgesInside: ({ repository, nodeTypes, ...over }) =>
      onOneState(async (run) => {
        if (within?.includes(repository) === false) return null;
        const [snapshot] = await run<{ version: string }>(cypher('snapshot'), { repository });
        if (snapshot === undefined) return null;
        const of = { version: snapshot.version, nodeTypes, within, ...parameters(over) };
        return (await run<{ total: number }>(cypher('edges-inside'), of))[0]?.total ?? 0;
      }),

    adjacent: ({ id, nodeTypes, direction, offset, limit, ...over }) =>
      onOneState(async (run) => {
        const elements = await starts(run, id, within);
        if (elements.length === 0) return null;
        const of = { elements, nodeTypes, direction: direction ?? null, within, ...parameters(over) };
        const rows = await run<AdjacentRow>(cypher('adjacent'), { ...of, ...integers({ offset, limit }) });
        const [count] = await run<{ total: number }>(cypher('adjacent-total'), of);
        const neighbors = rows.map(({ node, edges }) => ({
          node: toNode(node),
          edges: edges.map((row) => ({ direction: row.direction, edge: toEdge(row) })),
        }));
        return { neighbors, total: count?.total ?? 0 };
      }),

    outgoing: ({ ids, nodeTypes, ...over }) =>
      onOneState(async (run) => {
        const found: Outgoing[] = [];
        for (const part of parts([...new Set(ids)])) {
          const of = { ids: part, nodeTypes, within, ...parameters(over) };
          const rows = await run<EdgeRow & { node: NodeProperties }>(cypher('outgoing'), of);
          for (const row of rows) found.push({ edge: toEdge(row), to: toNode(row.node) });
        }
        return found.toSorted(byOrigin);
      }),

    impact: ({ id, nodeTypes, depth, offset, limit, ...over }) =>
      onOneState(async (run, versions) => {
        const elements = await starts(run, id, within);
        if (elements.length === 0) return null;
        const { depths, truncated } = await reach(elements, { over, depth, steps: stepsOf(run, within) });
        const places = new Map(versions.map((version, place) => [version, place]));
        const heads: { element: string; id: string; depth: number; place: number }[] = [];
        for (const part of parts([...depths.keys()])) {
          const rows = await run<HeadRow>(cypher('walk-heads'), { elements: part });
          for (const { element, id: of, type, version } of rows) {
            if (!nodeTypes.includes(type)) continue;
            heads.push({ element, id: of, depth: depths.get(element) ?? 0, place: places.get(version) ?? 0 });
          }
        }
        // Contributors have a node in each repository.
        const byId = heads.toSorted((a, b) => compareIds(a.id, b.id) || a.depth - b.depth || a.place - b.place);
        const all = firstOfEach(byId).toSorted((a, b) => a.depth - b.depth || compareIds(a.id, b.id));
        const page = all.slice(offset, offset + limit);
        const nodes = await nodesOf(
          run,
          page.map(({ element }) => element),
        );
        return {
          affected: page.flatMap(({ depth: at }, index) => {
            const node = nodes[index];
            return node ? [{ node, depth: at }] : [];
          }),
          total: all.length,
          depths: countsByDepth(all),
          truncated,
        };
      }),

    path: ({ from, to, longest, ...over }) =>
      onOneState(async (run) => {
        const [start, end] = [await starts(run, from, within), await starts(run, to, within)];
        if (start.length === 0 || end.length === 0) return null;
        const found = await shortestPath(start, new Set(end), { over, longest, steps: stepsOf(run, within) });
        return found && { nodes: await nodesOf(run, found.keys), edges: found.edges };
      }),
  };
}

function stepsOf(run: Run, within: Within): Steps<string> {
  return {
    async next(keys, direction, over) {
      const next = new Set<string>();
      for (const elements of parts(keys)) {
        const [row] = await run<{ elements: string[] }>(cypher(`walk-${direction}`), {
          elements,
          within,
          ...parameters(over),
        });
        for (const element of row?.elements ?? []) next.add(element);
      }
      return next;
    },
    edgesTo: async (element, over) =>
      (await run<EdgeRow & { element: string }>(cypher('walk-edges'), { element, within, ...parameters(over) })).map(
        (row) => ({
          key: row.element,
          edge: toEdge(row),
        }),
      ),
  };
}

/** A node by id, as every repository that is shown has it, the first by name first. */
async function starts(run: Run, id: string, within: Within): Promise<string[]> {
  return (await run<{ element: string }>(cypher('walk-start'), { id, within: ownersIn(within, id) })).map(
    ({ element }) => element,
  );
}

async function nodesOf(run: Run, elements: readonly string[]) {
  const rows = await run<{ node: NodeProperties } & RecordShape>(cypher('walk-nodes'), { elements });
  return rows.map(({ node }) => toNode(node));
}

const parameters = ({ edgeTypes, minConfidence }: Over) => ({ types: edgeTypes, confidence: minConfidence });

/** The driver writes numbers as floats, which SKIP and LIMIT refuse. */
const integers = ({ offset, limit }: { offset: number; limit: number }) => ({ offset: int(offset), limit: int(limit) });

function* parts<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += batchSize) yield items.slice(at, at + batchSize);
}
