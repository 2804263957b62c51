import { edgeTypeSchema, nodeTypeSchema } from '../../model/graph.ts';
import type { EdgeType, GraphEdge, GraphNode, NodeType } from '../../model/graph.ts';
import { valueOf } from '../../model/property-graph.ts';
import type { NodesWanted, Value } from '../../model/property-graph.ts';

type Json = GraphNode['properties'][string];

/** What queries see of a node: its fields but the type, which is its label. What is null is not there. */
export function nodeProperties(node: GraphNode): Map<string, Value> {
  return present(Object.entries(node).filter(([name]) => name !== 'type'));
}

/** Likewise of an edge; how certain it is, is no count. */
export function edgeProperties({ weight, confidence, strategy, path, line }: Omit<GraphEdge, 'type' | 'from' | 'to'>) {
  return present(Object.entries({ weight, strategy, path, line })).set('confidence', confidence);
}

const present = (entries: readonly [string, Json][]) =>
  new Map(
    entries.filter(([, value]) => value !== null).map(([name, value]): [string, Value] => [name, valueOf(value)]),
  );

/** The types of nodes that a label stands for; none where it is no type. */
export const typesOf = (label: string | null): readonly NodeType[] =>
  nodeTypeSchema.options.filter((type) => label === null || type === label);

/** Likewise of edges. */
export const edgeTypesOf = (types: readonly string[] | null): readonly EdgeType[] =>
  edgeTypeSchema.options.filter((type) => types === null || types.includes(type));

/** The properties that are texts of every node, by which an engine may look. */
const texts = ['name', 'kind', 'qualified_name', 'language', 'path'];

export function textsOf({ equal }: NodesWanted): Record<string, string> {
  return Object.fromEntries(
    [...equal].filter((entry): entry is [string, string] => texts.includes(entry[0]) && typeof entry[1] === 'string'),
  );
}

/** Whether something is asked for that no node has: an id or repository that is no text. */
export const isNowhere = ({ equal }: NodesWanted): boolean =>
  ['id', 'repository'].some((name) => equal.has(name) && typeof equal.get(name) !== 'string');

/** About how many nodes have to be looked at, of so many in so many repositories. */
export function costOf(
  { label, equal }: { label: string | null; equal: readonly string[] },
  { nodes, repositories }: { nodes: number; repositories: number },
): number {
  if (equal.includes('id')) return 1;
  const near = equal.includes('repository') ? 1 / Math.max(1, repositories) : 1;
  if (label === 'Repository') return repositories * near;
  const share = label === null ? 1 : (shares[label] ?? 0.01);
  // A name is looked for among all, and found a few times.
  return nodes * share * near * (equal.includes('name') ? 0.01 : 1);
}

const shares: Readonly<Record<string, number>> = { Function: 0.8, Class: 0.15 };
