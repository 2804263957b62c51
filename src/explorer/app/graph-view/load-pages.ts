import type { GraphAnswer } from '../../../graph/repository-graph.ts';
import type { Api } from '../api.ts';
import type { Query } from '../router.ts';

const pageSize = 1_000;

/** What `/api/graph` answers over all its pages, up to so many nodes. */
export interface AllPages {
  nodes: GraphAnswer['nodes'];
  edges: GraphAnswer['edges'];
  /** Of all nodes there are. */
  total: number;
}

/** Asks for one page after the other. */
export async function loadPages(
  api: Api,
  query: Query,
  { maxNodes, signal }: { maxNodes: number; signal: AbortSignal },
): Promise<AllPages> {
  const all: AllPages = { nodes: [], edges: [], total: 0 };
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await api.get<GraphAnswer>('/api/graph', { ...query, page_size: pageSize, cursor }, signal);
    // A page without nodes has more edges of those before.
    if (page.nodes.length > 0 && all.nodes.length >= maxNodes) break;
    all.nodes.push(...page.nodes);
    all.edges.push(...page.edges);
    all.total = page.total_nodes;
    cursor = page.next_cursor;
  }
  return all;
}
