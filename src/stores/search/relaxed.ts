import type { SearchQuery, SearchResult } from './port.ts';

/**
 * Searches, and where phrases leave nothing, once more for their words alone, which are part of the text: the phrases are among what
 * was left out then, in quotes. Who asks for nothing but phrases means them as they stand.
 */
export async function relaxed(
  query: SearchQuery,
  search: (query: SearchQuery) => Promise<SearchResult>,
): Promise<SearchResult> {
  const { phrases, ...words } = query;
  const found = await search(query);
  if (phrases === undefined || found.total > 0 || query.text === '' || query.text === phrases.join(' ')) return found;
  const more = await search(words);
  if (more.total === 0) return found;
  return { ...more, leftOut: [...(more.leftOut ?? []), ...phrases.map((phrase) => `"${phrase}"`)] };
}
