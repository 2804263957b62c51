import type { GraphStore } from '../../src/stores/graph/port.ts';
import type { SearchQuery, SearchStore } from '../../src/stores/search/port.ts';
import type { Comparison } from './compare.ts';

/** A graph store to measure, and its questions sent raw through the engine's own client. */
export interface GraphEngine {
  store: GraphStore;
  /** How many repositories are loaded side by side. */
  lanes: number;
  raw: { neighbors(repository: string): Promise<unknown>; repositoryGraph(): Promise<unknown> };
  /** In MB, once all is loaded; null where it can't be told. */
  disk(): Promise<number | null>;
  /** Of the server; null where the engine runs in this process. */
  serverPid: number | null;
  close(): Promise<void>;
}

/** The same of a search store. */
export interface SearchEngine extends Omit<GraphEngine, 'store' | 'raw'> {
  store: SearchStore;
  /** Sends again what the store sent for this query. */
  raw: { search(query: SearchQuery): Promise<unknown> };
}

/** Of a store that holds no graph: figures by name, and its questions beside the same sent raw. */
export interface Measured {
  figures: string[][];
  comparisons: Comparison[];
}
