import type { GraphEdge, GraphNode } from '../../src/model/graph.ts';
import type { SearchDocument } from '../../src/model/search-document.ts';
import type { RepositoryInfo } from '../../src/model/snapshot.ts';
import { pageRank } from './page-rank.ts';

/** The search documents of one repository, one a node, in the nodes' order. */
export function* searchDocuments(
  repository: RepositoryInfo,
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): Generator<SearchDocument> {
  const centrality = centralities(nodes, edges);
  for (const [index, node] of nodes.entries()) {
    const { id, type, name, qualified_name, path, line, language, kind, signature, doc } = node;
    yield {
      id,
      type,
      name,
      qualified_name,
      repository: node.repository,
      path,
      line,
      language,
      kind,
      signature,
      doc: doc ?? text(node.properties['description']),
      centrality: centrality[index] ?? 0,
      updated_at: repository.committed_at,
      test: node.properties['test'] === true,
    };
  }
}

/** PageRank over calls and inheritance, on a log scale from 0 to 1 within the repository: the most used symbol has 1. */
function centralities(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Float64Array {
  const index = new Map(nodes.map((node, position) => [node.id, position]));
  const from: number[] = [];
  const to: number[] = [];
  for (const edge of edges) {
    if (edge.type !== 'CALLS' && edge.type !== 'INHERITS') continue;
    const [source, target] = [index.get(edge.from), index.get(edge.to)];
    if (source === undefined || target === undefined) continue;
    from.push(source);
    to.push(target);
  }
  const rank = pageRank(nodes.length, from, to);
  // What nobody leads to has the least rank: 0 on this scale.
  const least = rank.reduce((low, value) => Math.min(low, value), Infinity);
  const most = rank.reduce((high, value) => Math.max(high, value), 0);
  const span = Math.log(most / least);
  return rank.map((value) => (span > 0 ? Math.round((Math.log(value / least) / span) * 1e4) / 1e4 : 0));
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
