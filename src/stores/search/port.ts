import type { NodeType } from '../../model/graph.ts';
import type { SearchDocument } from '../../model/search-document.ts';
import type { Circuit } from '../guard.ts';

export interface SearchQuery {
  /** What the person typed, 0 to 256 characters; empty means everything. */
  text: string;
  types?: readonly NodeType[];
  repositories?: readonly string[];
  languages?: readonly string[];
  /** Of the composite score, 0 to 100. */
  minScore?: number;
  sort: 'composite_score' | 'relevance' | 'name';
  order: 'asc' | 'desc';
  /** From 0. */
  offset: number;
  limit: number;
}

export interface SearchHit {
  document: SearchDocument;
  /** Composite, 0 to 100. */
  score: number;
  /** Of the text alone, 0 to 100. */
  relevance: number;
}

interface SearchResult {
  hits: SearchHit[];
  /** Exact: how many documents match. */
  total: number;
}

/**
 * Holds the search index. Promises of every engine:
 * - a replaced repository is seen as the old one or the new one, never as half; after a crash too
 * - the same generation twice changes nothing; a removed repository leaves nothing behind
 * - hits are ordered by the sort asked for, then by name, then by id: paging never repeats or drops one
 * - totals and filters are equal on every engine; an engine that can't be reached throws `StoreUnavailable`
 */
export interface SearchStore {
  readonly engine: string;
  /** Of its server; an embedded engine has none. */
  readonly circuit?: Circuit;
  replaceRepository(snapshot: {
    repository: string;
    generation: string;
    documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>;
  }): Promise<void>;
  /** False when there was none. */
  removeRepository(repository: string): Promise<boolean>;
  generations(): Promise<Map<string, string>>;
  search(query: SearchQuery): Promise<SearchResult>;
  ping(): Promise<void>;
  close(): Promise<void>;
}
