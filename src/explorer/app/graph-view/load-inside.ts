import type { GraphAnswer } from '../../../graph/repository-graph.ts';
import type { Api } from '../api.ts';
import { format } from '../format.ts';
import { addTo, emptyGraph } from './code-graph.ts';
import type { CodeGraph } from './code-graph.ts';
import { around, layOut } from './layout.ts';

/** At most so many parts of one repository are drawn. */
const maxParts = 10_000;
const pageSize = 1_000;

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
  const pages: GraphAnswer[] = [];
  for (let page = 1, pageCount = 1; page <= Math.min(pageCount, maxParts / pageSize); page++) {
    const query = { level: 'symbol', repo: repository, page, page_size: pageSize };
    const answer = await api.get<GraphAnswer>('/api/graph', query, signal);
    pageCount = answer.total_pages;
    pages.push(answer);
  }
  const nodes = pages.flatMap((page) => page.nodes);
  const edges = pages.flatMap((page) => page.edges);
  const total = pages[0]?.total_nodes ?? 0;
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
