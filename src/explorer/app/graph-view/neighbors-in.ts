import type { EdgeType } from '../../../model/graph.ts';
import type { CodeGraph, GraphNode } from './code-graph.ts';

/** What is one edge away. */
export type Neighbor = GraphNode & {
  edge_type: EdgeType;
  direction: 'in' | 'out';
  weight: number;
  confidence: number;
};

/** What is next to a node among what is drawn, but for what it contains: by type of edge, the heaviest first. */
export function neighborsIn(graph: CodeGraph, id: string): Neighbor[] {
  if (!graph.hasNode(id)) return [];
  return graph
    .mapEdges(id, (_, { kind, weight, confidence }, from, to) => {
      const direction = from === id ? ('out' as const) : ('in' as const);
      const { node } = graph.getNodeAttributes(direction === 'out' ? to : from);
      return { ...node, edge_type: kind, direction, weight, confidence };
    })
    .filter(({ edge_type }) => edge_type !== 'CONTAINS')
    .sort((a, b) => (a.edge_type < b.edge_type ? -1 : a.edge_type > b.edge_type ? 1 : b.weight - a.weight));
}
