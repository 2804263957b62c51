import type { DatabaseSync } from 'node:sqlite';
import { oneAtATime } from '../batches.ts';
import { highlighter } from '../../search/ranking/highlight.ts';
import { facetMark, marksOfNoNodes } from './marks.ts';
import { maxFacetValues } from './port.ts';
import type { FacetName, FacetValue, SearchQuery, SearchResult } from './port.ts';
import {
  isTooFew,
  parseQuery,
  readAsTyped,
  readByParts,
  type CountDocuments,
  type Lookup,
  type Reading,
} from '../../search/ranking/query.ts';
import { scoreOf } from '../../search/ranking/score.ts';
import { secondStep } from '../../search/ranking/sentence.ts';
import { countOf, meet, type Bits } from './segments/bits.ts';
import { inBytes } from '../../search/ranking/in-bytes.ts';
import { documentIn } from './sqlite-document.ts';
import { matchesIn, type Asked, type Matches } from './sqlite-matches.ts';
import { nearNames } from './sqlite-near-names.ts';
import { rankedOf, reaching } from './sqlite-page.ts';
import { relaxed } from './relaxed.ts';
import { prepareSegments } from './sqlite-segments.ts';
import { viewOf, type View } from './sqlite-view.ts';
import { prepareVisible } from './sqlite-visible.ts';

/** A search within some repositories; among all where that is null. */
export interface Search {
  query: SearchQuery;
  /** Their names in JSON: between threads a text goes faster than a list, and what is kept for them is found by it. */
  repositories: string | null;
}

/** Searches in this database, in this thread. */
export function searchIn(database: DatabaseSync): (search: Search) => Promise<SearchResult> {
  const segments = prepareSegments(database);
  const visible = prepareVisible(database);
  const nameAt = database.prepare('SELECT name, id FROM documents WHERE key = ?');
  const documentAt = database.prepare('SELECT id, name, document FROM documents WHERE key = ?');
  const inTurn = oneAtATime();

  const nameOf = (key: number) => {
    const row = nameAt.get(key);
    return { name: String(row?.['name']), id: String(row?.['id']) };
  };

  const search = async (query: SearchQuery, repositories: string | null): Promise<SearchResult> => {
    const views = visible(segments(), repositories).map((each) => viewOf(each, (key) => nameOf(key).id));
    const parsed = parseQuery(query.text);
    const count: CountDocuments = async (lookups, exactly) => ({
      found: lookups.map((each) => countOfLookup(views, each, exactly)),
      all: views.reduce((sum, view) => sum + countOfNodes(view), 0),
    });
    const near = nearNames(views);
    const { quoted, ...byWords } = query;
    const find = (reading: Reading, query: SearchQuery) => {
      const asked: Asked = { query, parsed, reading, near };
      const matches = views.map((view) => matchesIn(view, asked)).filter((each) => each !== null);
      const { minScore } = query;
      return minScore === undefined ? matches : matches.map((each) => reaching(each, minScore));
    };
    let reading = await readAsTyped(parsed, count);
    let matches = find(reading, byWords);
    // What is below the lowest score does not count as found.
    const isFew = isTooFew(totalOf(matches), parsed, reading);
    if (isFew) reading = await readByParts(parsed, reading, count);
    if (isFew || quoted !== undefined) matches = find(reading, query);
    const total = totalOf(matches);
    const { first, pageOf } = secondStep(query, parsed, reading);
    const isThere = first.limit > 0 && (total > first.offset || (first.after ?? null) !== null);
    const ranked = isThere ? rankedOf(matches, first, total, nameOf) : { page: [], end: null };
    const highlights = highlighter(reading.words);
    const hits = pageOf(
      ranked.page.map(({ key, relevance }) => scoreOf(documentIn(documentAt.get(key)), relevance)),
    ).map((hit) => ({ ...hit, highlights: highlights(hit.document) }));
    return {
      hits,
      // Of the first step: behind all that is put in order anew, it is that of the page.
      end: first.offset + ranked.page.length <= query.offset + query.limit ? ranked.end : null,
      total,
      leftOut: reading.any && total > 0 ? reading.leftOut : null,
      facets: Object.fromEntries((query.facets ?? []).map((name) => [name, facet(matches, name)])),
    };
  };

  return ({ query: asked, repositories }) =>
    inTurn(async () => {
      // Holds one state of the file.
      database.exec('BEGIN');
      try {
        return await relaxed(asked, (query) => search(query, repositories));
      } finally {
        database.exec('ROLLBACK');
      }
    });
}

function totalOf(matches: readonly Matches[]): number {
  return matches.reduce((sum, { documents }) => sum + countOf(documents), 0);
}

/** How many of the matches have which value, the most frequent first. */
function facet(matches: readonly Matches[], name: FacetName): FacetValue[] {
  const mark = facetMark(name);
  const counts = new Map<string, number>();
  for (const { segment, documents } of matches) {
    for (const { term, found } of segment.begun(mark)) {
      const value = term.slice(mark.length);
      const count = found().reduce((sum, each) => sum + (each === undefined ? 0 : countOf(each, documents)), 0);
      if (count > 0) counts.set(value, (counts.get(value) ?? 0) + count);
    }
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || inBytes(a.value, b.value))
    .slice(0, maxFacetValues);
}

/** How many documents are visible that are nodes. */
function countOfNodes(view: View): number {
  const others = marksOfNoNodes.map((mark) => view.token('marks', mark, 'whole') ?? NONE);
  return others.reduce((left, each) => left - countOf(each, view.visible), countOf(view.visible));
}

/** How many documents that are visible have such a token; if not exactly, whether any has. */
function countOfLookup(views: readonly View[], { field, token }: Lookup, exactly: boolean): number {
  const foundIn = (view: View) => view.token(field, token, 'prefix');
  if (!exactly) return Number(views.some((view) => meet(foundIn(view) ?? NONE, view.visible)));
  return views.reduce((sum, view) => sum + countOf(foundIn(view) ?? NONE, view.visible), 0);
}

const NONE: Readonly<Bits> = new Uint32Array();
