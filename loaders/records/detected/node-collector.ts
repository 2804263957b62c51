import { nodeId } from '../../../src/model/graph.ts';
import type { GraphEdge, GraphNode, NodeType } from '../../../src/model/graph.ts';
import type { Document } from '../../facts/document.ts';

export type NodeCollector = ReturnType<typeof createNodeCollector>;

/** Nodes in the order in which they are added, each once and contained in the repository, and edges. */
export function createNodeCollector(repository: string, documents: readonly Document[], tests: ReadonlySet<string>) {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const ids = new Set<string>();
  const indexes = new Map(documents.map(({ path }, index) => [path, index]));

  /** Null for what is there already. */
  function add(
    type: NodeType,
    path: string | null,
    line: number | null,
    name: string,
    kind: string,
    properties: GraphNode['properties'],
    doc: string | null = null,
  ): string | null {
    const what = type.toLowerCase();
    const plain = nodeId.detected(repository, path ?? '', what, name);
    const id = ids.has(plain) && line !== null ? nodeId.detected(repository, path ?? '', what, name, line) : plain;
    if (ids.has(id)) return null;
    ids.add(id);
    const document = documents[documentOf(path)];
    nodes.push({
      id,
      type,
      name,
      repository,
      kind,
      qualified_name: null,
      language: document?.facts.language ?? null,
      path,
      line,
      end_line: null,
      signature: null,
      doc,
      exported: true,
      properties: path !== null && tests.has(path) ? { ...properties, test: true } : properties,
    });
    connect('CONTAINS', nodeId.repository(repository), id, path, line, 1, 'pattern');
    return id;
  }

  function connect(
    type: GraphEdge['type'],
    from: string,
    to: string,
    path: string | null,
    line: number | null,
    confidence: number,
    strategy: string,
  ): void {
    edges.push({ type, from, to, weight: 1, confidence, strategy, path, line });
  }
  /** Index of the document; -1 where the file has none. */
  function documentOf(path: string | null): number {
    return path === null ? -1 : (indexes.get(path) ?? -1);
  }

  return { nodes, edges, add, connect, documentOf };
}
