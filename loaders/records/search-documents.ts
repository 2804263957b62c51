import type { GraphEdge, GraphNode } from '../../src/model/graph.ts';
import type { SearchDocument } from '../../src/model/search-document.ts';
import type { RepositoryInfo } from '../../src/model/snapshot.ts';
import { pageRank } from './page-rank.ts';

/** What is known of a repository beside its snapshot. */
export interface Standing {
  /** How many other repositories need it. */
  usage: number;
  /** 0 to 1; null when not known. */
  health: number | null;
}

/** The search documents of one repository, one a node of whatever type, in the nodes' order. */
export function* searchDocuments(
  repository: RepositoryInfo,
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  { usage, health }: Standing,
): Generator<SearchDocument> {
  const centrality = centralities(nodes, edges);
  const frameworks = nodes.filter(({ type }) => type === 'Framework').map(({ name }) => name.toLowerCase());
  for (const [index, node] of nodes.entries()) {
    const { id, type, name, qualified_name, path, line, language, kind, signature, exported, properties } = node;
    // A contributor belongs to several repositories, and so would have the standing of any.
    const shared = node.repository === null;
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
      doc: node.doc ?? textsOf(properties['description'])[0] ?? textsOf(properties['readme'])[0] ?? null,
      details: detailsOf(node, frameworks),
      frameworks: type === 'Repository' ? frameworks : frameworksOf(node),
      exported,
      centrality: centrality[index] ?? 0,
      usage: shared ? 0 : usage,
      health: shared ? null : health,
      updated_at: repository.committed_at,
      test: properties['test'] === true,
    };
  }
}

function frameworksOf({ type, name, properties }: GraphNode): string[] {
  const own = type === 'Framework' ? [name] : textsOf(properties['framework']);
  return own.map((each) => each.toLowerCase());
}

/** A repository is looked for by what it is about; of other nodes every property that is text is worth finding. */
function detailsOf({ type, properties }: GraphNode, frameworks: readonly string[]): string | null {
  const { description, ...others } = properties;
  const found =
    type === 'Repository'
      ? [
          ...['readme', 'topics', 'license'].flatMap((property) => textsOf(properties[property])),
          ...Object.keys(properties['languages'] ?? {}),
          ...frameworks,
        ].filter((text) => text !== description)
      : Object.values(others).flatMap(textsOf);
  return found.length === 0 ? null : found.join(' ');
}

/** PageRank over what leads from one to another, on a log scale from 0 to 1 within the repository: the most used symbol has 1. */
function centralities(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Float64Array {
  const index = new Map(nodes.map((node, position) => [node.id, position]));
  const from: number[] = [];
  const to: number[] = [];
  for (const edge of edges) {
    if (!leading.has(edge.type)) continue;
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

const leading: ReadonlySet<string> = new Set(['CALLS', 'IMPORTS', 'DEPENDS_ON', 'INHERITS']);

const textsOf = (value: unknown): string[] =>
  [value].flat().filter((each): each is string => typeof each === 'string' && each !== '');
