import type { DirectQuery } from '../../model/direct-query.ts';
import type { EdgeType, GraphEdge, GraphNode, NodeType } from '../../model/graph.ts';
import type { PropertyGraph, Value } from '../../model/property-graph.ts';
import type { Circuit } from '../guard.ts';
import type { Healing } from '../healing.ts';

/** One repository's part of the graph, to be put in place of what was there. */
export interface GraphSnapshot {
  repository: string;
  /** Unique per analysis; the same generation twice changes nothing. */
  generation: string;
  nodes: Iterable<GraphNode> | AsyncIterable<GraphNode>;
  edges: Iterable<GraphEdge> | AsyncIterable<GraphEdge>;
}

/** What leads from one repository to others, and into them. */
export interface Links {
  repository: string;
  /** Equal only where the edges would be. */
  generation: string;
  /** Each comes from the repository or from a symbol of it. */
  edges: readonly GraphEdge[];
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
  /** All that join it to what was asked for, in the order of the list; at least one. */
  edges: NeighborEdge[];
}

export interface NeighborEdge {
  /** Seen from what was asked for. */
  direction: 'in' | 'out';
  edge: GraphEdge;
}

/** An edge with what it leads to. */
export interface Outgoing {
  edge: GraphEdge;
  to: GraphNode;
}

/** Which edges count. */
export interface Over {
  edgeTypes: readonly EdgeType[];
  minConfidence: number;
}

/** Which part of a list is wanted. */
export interface Window {
  offset: number;
  limit: number;
}

/** A page of what lies inside one repository. */
export interface Inside {
  /** By type, then id. */
  nodes: GraphNode[];
  /** Those that lead to these nodes, from nodes that the whole list shows: over all pages each once. By type, from, to. */
  edges: GraphEdge[];
  /** Edges between these nodes and the symbols of other repositories, in the same order. */
  links: GraphEdge[];
  /** Their ends there, by id. */
  outside: GraphNode[];
  /** Nodes on all pages. */
  total: number;
}

/** Lines of a repository's file, from 1. */
export interface LinesOf {
  repository: string;
  path: string;
  lines: readonly number[];
}

/** Who is affected when a node changes. */
export interface Impact {
  /** A page of them, the nearest first, then by id. */
  affected: { node: GraphNode; depth: number }[];
  /** On all pages. */
  total: number;
  /** How many at each depth, from 1. */
  depths: number[];
  /** There are more: so many were found that those further away were not looked for. */
  truncated: boolean;
}

/** One of the shortest ways from node to node; an edge fewer than nodes. */
export interface Path {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** Questions to the graph, of some repositories or of all. Whatever is not among them is not there. */
export interface GraphReader {
  /** Another text whenever another answer may be given to any of these questions; the same one for as long as nothing is written. */
  state(): Promise<string>;
  repositoryGraph(): Promise<RepositoryGraph>;
  /** Repositories and contributors next to this repository, by type of their first edge, then id; null when it is not held. */
  neighbors(repository: string): Promise<Neighbor[] | null>;
  /** What lies inside a repository, itself and its contributors too. Null when it is not held. */
  inside(query: Over & Window & { repository: string; nodeTypes: readonly NodeType[] }): Promise<Inside | null>;
  /** Another text whenever `inside` may answer otherwise of this repository; the same one for as long as nothing is written. */
  stateInside(repository: string): Promise<string | null>;
  /** Edges and links on all its pages. */
  edgesInside(query: Over & { repository: string; nodeTypes: readonly NodeType[] }): Promise<number | null>;
  /**
   * What is one edge away from any node, each once with its edges: by edge type, the heaviest first, then by id, `out` before `in`;
   * each neighbor stands where its first edge does. An edge to itself goes out. Null when there is no such node.
   */
  adjacent(
    query: Over & Window & { id: string; nodeTypes: readonly NodeType[]; direction?: NeighborEdge['direction'] },
  ): Promise<{ neighbors: Neighbor[]; total: number } | null>;
  /**
   * Edges from any of these nodes to nodes of these types, with what they lead to: by the ids they come from, by type, the heaviest
   * first, then by the id they lead to. What is not there gives none, nor does a contributor, who is in several repositories.
   */
  outgoing(query: Over & { ids: readonly string[]; nodeTypes: readonly NodeType[] }): Promise<Outgoing[]>;
  /**
   * Nodes from which edges lead to this one or to what it contains, over at most `depth` edges; a node counts where it is nearest,
   * and what the node itself contains is not among them. Null when there is no such node.
   */
  impact(query: Over & Window & { id: string; nodeTypes: readonly NodeType[]; depth: number }): Promise<Impact | null>;
  /** The shortest way along the edges, of at most `longest`; of several the first by the ids before the end. Null when there is none. */
  path(query: Over & { from: string; to: string; longest: number }): Promise<Path | null>;
  /**
   * Works on one state of the graph in terms of labels (a node's type), types (an edge's) and properties (all other fields that
   * are not null), and again where that state was replaced meanwhile.
   */
  query<T>(work: (graph: PropertyGraph) => Promise<T>): Promise<T>;
  /**
   * The rows of a question that the engine answers by itself, a value for each column: what `query` would find, of one state. `time`
   * where it takes longer than it may; null where the engine leaves it to `query`.
   */
  answer(query: DirectQuery): Promise<Value[][] | 'time' | null>;
  /** One node by id, or null. */
  node(id: string): Promise<GraphNode | null>;
  /** Functions and classes that any of these lines are part of, by id. */
  definitions(files: readonly LinesOf[]): Promise<GraphNode[]>;
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
  /** Of its file; a server looks after its own. */
  readonly healing?: Healing;
  /**
   * Puts one repository's nodes and edges in place of its old ones. Contributors are shared: they live while one repository has
   * them, and where several do, the node is the one of the repository asked for, else of the first by name.
   */
  replaceRepository(snapshot: GraphSnapshot): Promise<void>;
  /** False when there was none. */
  removeRepository(repository: string): Promise<boolean>;
  /**
   * Puts these edges in place of all earlier ones from this repository to others; those with a missing end are dropped. When either
   * side is replaced or removed, the links of its symbols go with it, and `linkGenerations` forgets whose they were.
   */
  replaceLinks(links: Links): Promise<void>;
  /** The generation of the links of each repository, where they are whole. */
  linkGenerations(): Promise<Map<string, string>>;
  /** The generation of each repository that is held. */
  generations(): Promise<Map<string, string>>;
  /** All repositories. */
  readonly everything: GraphReader;
  /** Only these: every question is answered as by a store that holds these repositories alone. */
  within(repositories: readonly string[]): GraphReader;
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
