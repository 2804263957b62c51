import { int } from 'neo4j-driver';
import type { EdgeType, GraphEdge, NodeType } from '../../model/graph.ts';
import type { Key, NodesWanted, PropertyGraph, Step } from '../../model/property-graph.ts';
import { cypher } from './cypher.ts';
import { toEdge, toNode, type NodeProperties, type Within } from './neo4j-rows.ts';
import type { Run } from './neo4j-transactions.ts';
import { costOf, edgeProperties, edgeTypesOf, isNowhere, nodeProperties, textsOf, typesOf } from './property-values.ts';

/** Nodes that one statement gives, or is told of. */
const maxNodes = 2_000;
/** How many nodes a repository has is not asked: so many, for choosing where to begin. */
const nodesOfOne = 10_000;

/**
 * The graph in terms of labels, types and properties, for queries. No text of a caller comes near the server: the planner asks these
 * few statements, which are filtered as all others are. A node is known by its element id, a contributor, who has a node in
 * each repository, by its id.
 */
export function neo4jPropertyGraph(
  run: Run,
  within: Within,
  versions: readonly string[],
  startsOf: (id: string) => Promise<string[]>,
): PropertyGraph {
  const contributors = new Map<Key, readonly string[]>();

  /** The nodes that a key stands for, the one that is shown first. */
  async function elementsOf(key: Key): Promise<readonly string[]> {
    const name = String(key);
    if (!name.startsWith('contributor:')) return [name];
    const known = contributors.get(name) ?? (await startsOf(name));
    contributors.set(name, known);
    return known;
  }

  const headOf = ({ element, id, type }: { element: string; id: string; type: NodeType }): Step['other'] => ({
    key: type === 'Contributor' ? id : element,
    labels: [type],
  });

  async function* ofType(version: string, type: NodeType, wanted: NodesWanted): AsyncIterable<Step['other'][]> {
    for (let after = ''; ;) {
      const rows = await run<{ element: string; id: string; type: NodeType }>(cypher('query-nodes'), {
        version,
        type,
        after,
        equal: textsOf(wanted),
        limit: int(maxNodes),
      });
      yield rows.map(headOf);
      const last = rows.at(-1);
      if (!last || rows.length < maxNodes) return;
      after = last.id;
    }
  }

  async function* all(wanted: NodesWanted): AsyncIterable<Step['other'][]> {
    const repository = wanted.equal.get('repository');
    if (typeof repository === 'string' && within?.includes(repository) === false) return;
    const shown =
      typeof repository === 'string'
        ? (await run<{ version: string }>(cypher('snapshot'), { repository })).map(({ version }) => version)
        : versions;
    const seen = new Set<Key>();
    for (const version of shown) {
      for (const type of typesOf(wanted.label)) {
        for await (const heads of ofType(version, type, wanted)) {
          yield heads.filter(({ key }) => type !== 'Contributor' || !seen.has(key));
          if (type === 'Contributor') for (const { key } of heads) seen.add(key);
        }
      }
    }
  }

  return {
    cost: (wanted) => costOf(wanted, { nodes: nodesOfOne * versions.length, repositories: versions.length }),

    async *nodes(wanted) {
      if (isNowhere(wanted)) return;
      const id = wanted.equal.get('id');
      if (typeof id !== 'string') return yield* all(wanted);
      const [element] = await startsOf(id);
      if (element === undefined) return;
      const rows = await run<{ element: string; id: string; type: NodeType }>(cypher('walk-heads'), {
        elements: [element],
      });
      yield rows.map(headOf);
    },

    async steps(keys, direction, types) {
      const elements: string[] = [];
      const places: number[] = [];
      for (const [place, key] of keys.entries()) {
        for (const element of await elementsOf(key)) {
          elements.push(element);
          places.push(place);
        }
      }
      const rows = await run<{
        place: number;
        edge: string;
        type: EdgeType;
        element: string;
        id: string;
        label: NodeType;
      }>(cypher(`query-steps-${direction}`), { elements, types: edgeTypesOf(types), within });
      return rows.map(({ place, edge, type, element, id, label }) => ({
        from: places[place] ?? 0,
        edge: { key: edge, type },
        other: headOf({ element, id, type: label }),
      }));
    },

    async nodeProperties(keys) {
      const elements: string[] = [];
      for (const key of keys) elements.push((await elementsOf(key))[0] ?? '');
      const rows = await run<{ node: NodeProperties }>(cypher('walk-nodes'), { elements });
      return rows.map(({ node }) => nodeProperties(toNode(node)));
    },

    async edgeProperties(keys) {
      const rows = await run<{ edge: Partial<GraphEdge> }>(cypher('query-edges'), { elements: keys });
      return rows.map(({ edge }) => edgeProperties(toEdge({ type: 'CALLS', from: '', to: '', edge })));
    },
  };
}
