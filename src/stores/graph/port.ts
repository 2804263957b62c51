import type { EdgeType, GraphEdge, GraphNode, NodeType } from '../../model/graph.ts';
import type { Circuit } from '../guard.ts';

/** One repository's part of the graph, to be put in place of what was there. */
export interface GraphSnapshot {
  repository: string;
  /** Unique per analysis; the same generation twice changes nothing. */
  generation: string;
  nodes: Iterable<GraphNode> | AsyncIterable<GraphNode>;
  edges: Iterable<GraphEdge> | AsyncIterable<GraphEdge>;
}

/** Repositories and the edges between them; what `GET /api/graph` shows. */
export interface RepositoryGraph {
  /** Repositories and contributors, by id. */
  nodes: GraphNode[];
  /** Edges whose two ends are in `nodes`, by type, from, to. */
  edges: GraphEdge[];
  /** Nodes and edges inside each repository, by repository and type; what the repository level leaves out. */
  counts: { repository: string; nodes: Partial<Record<NodeType, number>>; edges: Partial<Record<EdgeType, number>> }[];
}

export interface Neighbor {
  node: GraphNode;
  /** Of the edge, seen from the repository asked for. */
  direction: 'in' | 'out';
  edge: GraphEdge;
}

/**
 * Holds the code graph. Promises of every engine:
 * - a replaced repository is seen as the old one or the new one, never as half; after a crash too
 * - the same generation twice changes nothing; a removed repository leaves nothing behind
 * - lists come in one stable order (by type, then by id, by code point), the same on every engine
 * - an edge with an end that is not there is left out
 * - what is missing is null or an empty list, never an error; an engine that can't be reached throws `StoreUnavailable`
 */
export interface GraphStore {
  readonly engine: string;
  /** Of its server; an embedded engine has none. */
  readonly circuit?: Circuit;
  /**
   * Puts one repository's nodes and edges in place of its old ones. Contributors are shared: they live while one repository has
   * them, and where several do, the node is the one of the repository asked for, else of the first by name.
   */
  replaceRepository(snapshot: GraphSnapshot): Promise<void>;
  /** False when there was none. */
  removeRepository(repository: string): Promise<boolean>;
  /** Puts these edges between repositories (DEPENDS_ON, IMPORTS …) in place of all earlier ones; those with a missing end are dropped. */
  replaceLinks(edges: readonly GraphEdge[]): Promise<void>;
  /** The generation of each repository that is held. */
  generations(): Promise<Map<string, string>>;
  repositoryGraph(): Promise<RepositoryGraph>;
  /** Repositories and contributors next to this repository, by edge type, then id; null when the repository is not held. */
  neighbors(repository: string): Promise<Neighbor[] | null>;
  /** One node by id, or null. */
  node(id: string): Promise<GraphNode | null>;
  /**
   * Every edge of one repository or of all, without holding them all in memory: repository by repository, each by type, from, to.
   * A link belongs to the repository that it comes from.
   */
  edges(filter?: { repository?: string; types?: readonly EdgeType[] }): AsyncIterable<GraphEdge>;
  /** Every node, likewise: repository by repository, each by type, then id; contributors at the end, once. */
  nodes(filter?: { repository?: string; types?: readonly NodeType[] }): AsyncIterable<GraphNode>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
