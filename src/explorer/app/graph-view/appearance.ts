import type { EdgeType, NodeType } from '../../../model/graph.ts';
import { colorOf } from '../theme.ts';
import type { CodeGraph, GraphNode } from './code-graph.ts';

/** By what nodes are coloured. */
export type Coloring = 'grade' | 'language' | 'type';
export const colorings: readonly Coloring[] = ['grade', 'language', 'type'];

/**
 * Edges by type: what they say, the custom property of their colour, and how wide they are. Two nodes are often joined by several:
 * the narrow lie on the wide.
 */
export const edgeKinds: Record<EdgeType, { title: string; color: string; size: number }> = {
  CONTRIBUTED_TO: { title: 'contributed to', color: '--line', size: 0.8 },
  CONTAINS: { title: 'contains', color: '--line', size: 0.8 },
  DEPENDS_ON: { title: 'depends on', color: '--palette-0', size: 3.6 },
  IMPORTS: { title: 'imports', color: '--palette-1', size: 2.2 },
  CALLS: { title: 'calls', color: '--palette-2', size: 1.1 },
  INHERITS: { title: 'inherits', color: '--palette-3', size: 1.1 },
};
const kindsByWidth = Object.keys(edgeKinds);

const grades = ['A', 'B', 'C', 'D', 'E', 'none'];
/** All types of nodes, in the order in which they are told of. */
export const types: NodeType[] = [
  'Repository',
  'Class',
  'Function',
  'Endpoint',
  'DataModel',
  'Framework',
  'SecurityPattern',
  'Contributor',
];
const paletteSize = 8;
const other = 'other';

/** What one colour stands for. */
export interface LegendEntry {
  value: string;
  /** The custom property. */
  color: string;
}

/** What the colours stand for in this graph: the most frequent languages have one of their own. */
export function legendOf(graph: CodeGraph, coloring: Coloring): LegendEntry[] {
  if (coloring === 'grade')
    return grades.map((value) => ({
      value: value === 'none' ? 'no grade' : value,
      color: `--grade-${value.toLowerCase()}`,
    }));
  const counts = new Map<string, number>();
  graph.forEachNode((_, { node }) => {
    const value = coloring === 'type' ? node.type : node.language;
    if (value !== null && node.type !== 'Contributor') counts.set(value, (counts.get(value) ?? 0) + 1);
  });
  const values =
    coloring === 'type'
      ? types.filter((type) => counts.has(type))
      : [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([value]) => value);
  return [
    ...values.slice(0, paletteSize).map((value, index) => ({ value, color: `--palette-${index}` })),
    ...(values.length > paletteSize ? [{ value: other, color: '--grade-none' }] : []),
  ];
}

/** Gives every node and edge its size and colour, in the current theme. */
export function dress(graph: CodeGraph, coloring: Coloring): void {
  const colors = new Map(legendOf(graph, coloring).map(({ value, color }) => [value, colorOf(color)]));
  const gray = colorOf('--grade-none');
  const person = colorOf('--edge');
  const valueOf = (node: GraphNode) =>
    coloring === 'grade' ? (node.grade ?? 'no grade') : coloring === 'type' ? node.type : (node.language ?? other);
  const most = Math.max(1, ...graph.mapNodes((_, { node }) => codeIn(node)));
  graph.updateEachNodeAttributes((_, attributes) => ({
    ...attributes,
    size: sizeOf(attributes.node, codeIn(attributes.node) / most, graph.order),
    color: attributes.node.type === 'Contributor' ? person : (colors.get(valueOf(attributes.node)) ?? gray),
  }));
  const kinds = new Map(Object.entries(edgeKinds).map(([kind, { color }]) => [kind, colorOf(color)]));
  // Arrows cost more than lines: where there are many, nobody could tell them anyway.
  const isMany = graph.size > 5_000;
  graph.updateEachEdgeAttributes((_, attributes) => {
    const { size } = edgeKinds[attributes.kind];
    return {
      ...attributes,
      type: isMany || size < 1 ? 'line' : 'arrow',
      size: isMany ? Math.min(1, size) : size,
      zIndex: kindsByWidth.indexOf(attributes.kind),
      color: kinds.get(attributes.kind) ?? gray,
    };
  });
}

/** Lines of code; without due diligence, what was found inside. */
function codeIn({ type, loc, counts }: GraphNode): number {
  if (type !== 'Repository') return 0;
  return loc ?? 20 * Object.values(counts?.nodes ?? {}).reduce((sum, count) => sum + count, 0);
}

/** The area says how much code there is; all are the smaller, the more there are. */
function sizeOf({ type }: GraphNode, code: number, count: number): number {
  const scale = Math.max(0.35, Math.min(1, Math.sqrt(100 / count)));
  if (type === 'Repository') return scale * (5 + 15 * Math.sqrt(code));
  return Math.max(scale, 0.5) * (type === 'Contributor' || type === 'Function' ? 3 : 4);
}
