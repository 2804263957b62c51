import type { GraphAnswer } from '../../../graph/repository-graph.ts';
import type { Api } from '../api.ts';
import { format } from '../format.ts';
import { addTo, emptyGraph } from './code-graph.ts';
import type { CodeGraph } from './code-graph.ts';
import { around, layOut } from './layout.ts';
import { loadPages } from './load-pages.ts';

/** At most so many parts of one repository are drawn. */
const maxParts = 10_000;

/** What lies inside one repository, with the places around it. */
export interface Inside {
  nodes: GraphAnswer['nodes'];
  edges: GraphAnswer['edges'];
  positions: Parameters<typeof around>[2];
  /** Says so where not all of it is shown. */
  leftOut: string[];
}

/** Asks for all pages of what lies inside, and finds places for it by its own edges alone: the rest stays where it is. */
export async function loadInside(
  api: Api,
  graph: CodeGraph,
  repository: string,
  { onShare, signal }: { onShare: (share: number) => void; signal: AbortSignal },
): Promise<Inside> {
  const query = { level: 'symbol', repo: repository };
  const { nodes, edges, total } = await loadPages(api, query, { maxNodes: maxParts, signal });
  const own = emptyGraph();
  addTo(own, nodes, edges);
  const parts = nodes.map(({ id }) => id).filter((id) => !graph.hasNode(id));
  return {
    nodes,
    edges,
    positions: around(graph, repository, await layOut(own, parts, { onShare, signal })),
    leftOut:
      nodes.length < total
        ? [`Of ${repository}, ${format.whole(nodes.length)} of ${format.count(total, 'part')} are shown.`]
        : [],
  };
}
