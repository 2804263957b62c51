import type { ImpactAnswer } from '../../../graph/impact.ts';
import type { PathAnswer } from '../../../graph/path.ts';
import type { EdgeType } from '../../../model/graph.ts';
import { edgeIn } from './code-graph.ts';
import type { CodeGraph } from './code-graph.ts';

/** What stands out, and what is not drawn at all. */
export interface Emphasis {
  selected: string | null;
  /** Null where nothing is set apart; else all but these step back. */
  nodes: ReadonlySet<string> | null;
  edges: ReadonlySet<string> | null;
  hidden: ReadonlySet<EdgeType>;
}

/** A node with what is next to it, over the edges that are shown. */
export function neighborhood(graph: CodeGraph, node: string, hidden: ReadonlySet<EdgeType>) {
  const nodes = new Set([node]);
  const edges = new Set<string>();
  graph.forEachEdge(node, (edge, { kind }, from, to) => {
    if (hidden.has(kind)) return;
    edges.add(edge);
    nodes.add(from).add(to);
  });
  return { nodes, edges };
}

/** The way that was found; for a node that is not drawn, its repository stands. */
export function onPath(graph: CodeGraph, { nodes, edges }: PathAnswer) {
  return {
    nodes: new Set(nodes.flatMap((node) => shownFor(graph, node))),
    edges: new Set(edges.flatMap((edge) => edgeIn(graph, edge) ?? [])),
  };
}

/** What is affected, with the edges over which it is. */
export function affectedBy(graph: CodeGraph, { node, affected }: ImpactAnswer) {
  const nodes = new Set([node, ...affected].flatMap((each) => shownFor(graph, each)));
  const edges = graph.filterEdges(
    (_, { kind }, from, to) =>
      kind !== 'CONTAINS' && kind !== 'CONTRIBUTED_TO' && from !== to && nodes.has(from) && nodes.has(to),
  );
  return { nodes, edges: new Set(edges) };
}

function shownFor(graph: CodeGraph, { id, repository }: { id: string; repository: string | null }): string[] {
  return [id, repository]
    .filter((each) => each !== null)
    .filter((each) => graph.hasNode(each))
    .slice(0, 1);
}
