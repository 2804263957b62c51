import type { IndexedDocument, SearchDocument } from '../../model/search-document.ts';
import type { Highlight } from '../../search/ranking/highlight.ts';
import type { SearchFilters } from '../../search/ranking/query.ts';
import type { ScoreBreakdown } from '../../search/ranking/score.ts';
import type { Circuit } from '../guard.ts';
import type { Healing } from '../healing.ts';

/** How every engine splits an identifier: a document's `words` are given as such parts. */
export { parts } from '../../search/ranking/tokens.ts';
/** How every engine has the text of a file: a document's `content`. */
export { contentLevels, type Said } from '../../search/ranking/content.ts';

export const facetNames = ['type', 'kind', 'language', 'repo'] as const;
export type FacetName = (typeof facetNames)[number];
/** A facet's values beyond these are rare. */
export const maxFacetValues = 50;

export interface SearchQuery extends SearchFilters {
  /** What to look for, 0 to 256 characters; empty means everything. */
  text: string;
  /** Words that must follow one another somewhere; each of these, beside the text. Where that is nowhere, other text is enough. */
  phrases?: readonly string[];
  /** Documents whose text has all that is typed as it stands: they come before what has its words, and have the phrases. */
  quoted?: readonly QuotedIn[];
  /** Words or phrases that must be nowhere. */
  without?: readonly string[];
  /** What has any of these is left out. */
  excluded?: SearchFilters;
  /** Of the composite score, 0 to 100. */
  minScore?: number;
  sort: 'composite_score' | 'relevance' | 'name';
  order: 'asc' | 'desc';
  /** From 0. */
  offset: number;
  limit: number;
  /** Goes on behind a hit instead, however far: the `end` of a result for the same search; `offset` only says how far that is. */
  after?: Place | null;
  /** What to count all that matches by. */
  facets?: readonly FacetName[];
}

/** A document whose text the query stands in, by its id, and by what finds it: its name, or null of a file. */
export interface QuotedIn {
  id: string;
  repository: string;
  path: string;
  name: string | null;
}

/** Behind a hit, in the order of the search: the points of its engine (null by name alone), its name and its id. */
export type Place = readonly [points: number | null, name: string, id: string];

export interface SearchHit {
  document: SearchDocument;
  /** Composite, 0 to 100. */
  score: number;
  breakdown: ScoreBreakdown;
  /** Of the text alone, 0 to 100. */
  relevance: number;
  highlights: Highlight[];
}

export interface FacetValue {
  value: string;
  count: number;
}

export interface SearchResult {
  hits: SearchHit[];
  /** Behind the last hit; null where that has no place of its own, as it was put in order anew, or where there is none. */
  end: Place | null;
  /** Exact: how many documents match. */
  total: number;
  /** Null where each hit has all words and phrases. Else some have but some of them, and these parts of words or `"phrases"` nobody has. */
  leftOut: readonly string[] | null;
  /** Those asked for, each with its most frequent values; what has none is not counted. */
  facets: Partial<Record<FacetName, FacetValue[]>>;
}

/** Some of a repository's documents. */
export interface DocumentPage {
  documents: SearchDocument[];
  /** Of the repository. */
  total: number;
  /** Where it is the same on two pages, both are of the same documents in the same order. */
  generation: string;
}

/** Searches among some repositories, or among all. Whatever is not of these is not there. */
export interface SearchReader {
  search(query: SearchQuery): Promise<SearchResult>;
  /**
   * Documents of one repository in the order in which they were written, from 0; its contributors as it has them, whoever else has
   * them too. Null when it is not held.
   */
  documents(query: { repository: string; offset: number; limit: number }): Promise<DocumentPage | null>;
}

/**
 * Holds the search index. Promises of every engine:
 * - a replaced repository is seen as the old one or the new one, never as half; after a crash too
 * - the same generation twice changes nothing; a removed repository leaves nothing behind
 * - hits are ordered by the sort asked for, then by name, then by id: paging never repeats or drops one
 * - hits, scores, totals and facets are equal on every engine; an engine that can't be reached throws `StoreUnavailable`
 */
export interface SearchStore {
  readonly engine: string;
  /** Of its server; an embedded engine has none. */
  readonly circuit?: Circuit;
  /** Of its file; a server looks after its own. */
  readonly healing?: Healing;
  replaceRepository(snapshot: {
    repository: string;
    generation: string;
    documents: Iterable<IndexedDocument> | AsyncIterable<IndexedDocument>;
  }): Promise<void>;
  /** False when there was none. */
  removeRepository(repository: string): Promise<boolean>;
  generations(): Promise<Map<string, string>>;
  /**
   * Every document of one repository, in no order, without holding them all in memory; also contributors whom searches show as
   * another repository has them. None when it is not held.
   */
  documents(repository: string): AsyncIterable<SearchDocument>;
  /** All repositories. */
  readonly everything: SearchReader;
  /**
   * Only these: every search is answered as by a store that holds these repositories alone. A contributor is shown as the first of
   * these by name has him. A name that is not held is ignored.
   */
  within(repositories: readonly string[]): SearchReader;
  ping(): Promise<void>;
  close(): Promise<void>;
}
