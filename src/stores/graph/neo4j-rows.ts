import type { RecordShape } from 'neo4j-driver';
import { nodeId, type EdgeType, type GraphEdge, type GraphNode } from '../../model/graph.ts';
import { repositoryOf } from '../../model/repository-of.ts';
import type { Neighbor, NeighborEdge, RepositoryGraph } from './port.ts';

/** A node as Neo4j keeps it: what is null is absent, and `properties` is JSON. */
export type NodeProperties = Partial<Omit<GraphNode, 'properties'>> & { properties: string };

/** An edge with its ends' ids. */
export interface EdgeRow extends RecordShape {
  type: EdgeType;
  from: string;
  to: string;
  edge: Partial<GraphEdge>;
}

/** An edge with what is at its other end. */
export interface NeighborRow extends EdgeRow {
  direction: NeighborEdge['direction'];
  node: NodeProperties;
}

/** A node as everybody has it. */
export function toNode(node: NodeProperties): GraphNode {
  return {
    id: node.id ?? '',
    type: node.type ?? 'Function',
    name: node.name ?? '',
    repository: node.repository ?? null,
    kind: node.kind ?? null,
    qualified_name: node.qualified_name ?? null,
    language: node.language ?? null,
    path: node.path ?? null,
    line: node.line ?? null,
    end_line: node.end_line ?? null,
    signature: node.signature ?? null,
    doc: node.doc ?? null,
    exported: node.exported ?? false,
    properties: JSON.parse(node.properties) as GraphNode['properties'],
  };
}

/** Likewise an edge. */
export function toEdge({ type, from, to, edge }: EdgeRow): GraphEdge {
  return {
    type,
    from,
    to,
    weight: edge.weight ?? 1,
    confidence: edge.confidence ?? 1,
    strategy: edge.strategy ?? '',
    path: edge.path ?? null,
    line: edge.line ?? null,
  };
}

/** Likewise what is at the other end of an edge. */
export function toNeighbor(row: NeighborRow): NeighborEdge & Pick<Neighbor, 'node'> {
  return { node: toNode(row.node), direction: row.direction, edge: toEdge(row) };
}

/** Of nodes in order of id, the first of each id. */
export function firstOfEach<T extends { id: string }>(nodes: readonly T[]): T[] {
  return nodes.filter((node, i) => node.id !== nodes[i - 1]?.id);
}

export interface SnapshotRow extends RecordShape {
  repository: string;
  generation: string;
  version: string;
  counts: string;
  /** The generation of its links; null where they are not whole. */
  links: string | null;
}

/** The names of the repositories that a question sees; null for all. */
export type Within = readonly string[] | null;

/** Of these, those that may have a node: to send hundreds of names costs a third of what a question for one node takes. */
export function ownersIn(within: Within, id: string): Within {
  if (within === null || id.startsWith(nodeId.contributor(''))) return within;
  return within.filter((name) => name === repositoryOf(id));
}

export type Counts = Pick<RepositoryGraph['counts'][number], 'nodes' | 'edges'>;

/** Types in order, as every engine gives them. */
export function countsOf(repository: string, json: string): RepositoryGraph['counts'][number] {
  const { nodes, edges } = JSON.parse(json) as Counts;
  return { repository, nodes, edges };
}
