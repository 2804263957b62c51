import { MultiDirectedGraph } from 'graphology';
import type { GraphAnswer } from '../../../graph/repository-graph.ts';
import type { EdgeType } from '../../../model/graph.ts';

export type GraphNode = Omit<GraphAnswer['nodes'][number], 'counts'> & {
  /** What lies inside a repository. */
  counts?: GraphAnswer['nodes'][number]['counts'];
  /** Of a repository, by due diligence. */
  grade?: string | null;
  score?: number | null;
  loc?: number | null;
};

export interface NodeAttributes {
  node: GraphNode;
  label: string;
  x: number;
  y: number;
  /** In pixels on the screen. */
  size: number;
  color: string;
}

export interface EdgeAttributes {
  type: string;
  kind: EdgeType;
  weight: number;
  confidence: number;
  size: number;
  zIndex: number;
  color: string;
}

/** What is drawn: nodes and edges as the service tells them, with what they look like. */
export type CodeGraph = MultiDirectedGraph<NodeAttributes, EdgeAttributes>;

/** A graph without anything in it. */
export const emptyGraph = (): CodeGraph => new MultiDirectedGraph<NodeAttributes, EdgeAttributes>();

type Edge = GraphAnswer['edges'][number];

const keyOf = ({ type, from, to }: Pick<Edge, 'type' | 'from' | 'to'>) => `${type} ${from} ${to}`;

/** The edge in the graph; null where it is not shown. */
export function edgeIn(graph: CodeGraph, edge: Pick<Edge, 'type' | 'from' | 'to'>): string | null {
  const key = keyOf(edge);
  return graph.hasEdge(key) ? key : null;
}

/** Puts nodes and edges into the graph that are not in it; an edge whose ends are not both there is left out. */
export function addTo(graph: CodeGraph, nodes: readonly GraphNode[], edges: readonly Edge[]): void {
  for (const node of nodes) {
    if (graph.hasNode(node.id)) continue;
    graph.addNode(node.id, { node, label: node.name, x: 0, y: 0, size: 3, color: '#888' });
  }
  for (const edge of edges) {
    const { type, from, to, weight, confidence } = edge;
    const key = keyOf(edge);
    if (graph.hasEdge(key) || !graph.hasNode(from) || !graph.hasNode(to)) continue;
    graph.addEdgeWithKey(key, from, to, {
      type: 'line',
      kind: type,
      weight,
      confidence,
      size: 1,
      zIndex: 0,
      color: '#888',
    });
  }
}
