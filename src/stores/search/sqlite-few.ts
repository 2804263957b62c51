import type { SearchDocument } from '../../model/search-document.ts';
import { MAX_FACET_VALUES } from './port.ts';
import type { FacetName, FacetValue, SearchQuery } from './port.ts';
import { leastUnits, staticUnits, TEXT_UNITS } from './score.ts';
import { facetColumns } from './sqlite-query.ts';

/** A document that matches, and how well. */
export interface Match {
  document: SearchDocument;
  relevance: number;
}

/** The page, total and facets of a query that matches these: the same as the statements give, without their look-ups. */
export function ordered(matches: readonly Match[], query: SearchQuery) {
  const { sort, order, offset, limit, minScore, facets = [] } = query;
  const least = minScore === undefined ? 0 : leastUnits(minScore);
  const scored = matches
    .map((match) => ({ ...match, units: match.relevance * TEXT_UNITS + staticUnits(match.document) }))
    .filter(({ units }) => units >= least);
  const up = order === 'asc' ? 1 : -1;
  const first = {
    composite_score: (a: Scored, b: Scored) => a.units - b.units,
    relevance: (a: Scored, b: Scored) => a.relevance - b.relevance,
    name: (a: Scored, b: Scored) => inBytes(a.document.name, b.document.name),
  }[sort];
  scored.sort(
    (a, b) => up * first(a, b) || inBytes(a.document.name, b.document.name) || inBytes(a.document.id, b.document.id),
  );
  return {
    page: scored.slice(offset, offset + limit),
    total: scored.length,
    facets: Object.fromEntries(facets.map((name) => [name, facetOf(scored, name)])),
  };
}

type Scored = Match & { units: number };

function facetOf(matches: readonly Match[], name: FacetName): FacetValue[] {
  const counts = new Map<string, number>();
  for (const { document } of matches) {
    const value = name === 'language' ? document.language?.toLowerCase() : document[facetColumns[name]];
    if (value != null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || inBytes(a.value, b.value))
    .slice(0, MAX_FACET_VALUES);
}

/** As SQLite orders text. */
export function inBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
