import type { EdgeType } from '../../model/graph.ts';
import type { GraphStore } from '../../stores/graph/port.ts';

/** What of the graph is written. */
export interface Exported {
  repository?: string;
  types?: readonly EdgeType[];
}

/** One way to write the graph: parts of a text, and how many edges or nodes it holds in the end. */
export type ExportFormat = (
  graph: Pick<GraphStore, 'nodes' | 'edges'>,
  wanted: Exported,
) => AsyncGenerator<string, number>;

/** Rows a part. */
export const batchSize = 500;
