import type { EdgeType, GraphEdge, GraphNode } from '../../model/graph.ts';
import { jsonIn } from '../sqlite.ts';

type Row = Record<string, unknown>;

/** What `toEdge` reads, beside the ends. */
export const EDGE = 'e.type, e.weight, e.confidence, e.strategy, e.path, e.line';

/** A node as its row's JSON has it. */
export function toNode(row: Row): GraphNode {
  return jsonIn(row['node']) as GraphNode;
}

/** An edge of a row that names its ends. */
export function toEdge(row: Row): GraphEdge {
  return {
    type: row['type'] as EdgeType,
    from: String(row['from_id']),
    to: String(row['to_id']),
    weight: Number(row['weight']),
    confidence: Number(row['confidence']),
    strategy: String(row['strategy']),
    path: row['path'] as string | null,
    line: row['line'] as number | null,
  };
}
