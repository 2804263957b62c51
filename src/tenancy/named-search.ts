import type { SearchDocument } from '../model/search-document.ts';
import type { FacetValue, Place, SearchHit, SearchQuery, SearchReader } from '../stores/search/port.ts';
import type { Names } from './names.ts';

/** The search over what a caller sees, in the names by which he sees it. */
export function namedSearch(search: SearchReader, names: Names): SearchReader {
  const document = (stored: SearchDocument): SearchDocument => ({
    ...stored,
    id: names.shownId(stored.id),
    repository: stored.repository === null ? null : names.nameOf(stored.repository),
  });
  const hit = (stored: SearchHit): SearchHit => ({ ...stored, document: document(stored.document) });
  const placed = (place: Place | null, idOf: (id: string) => string): Place | null =>
    place && [place[0], place[1], idOf(place[2])];
  return {
    async search(query) {
      const after = placed(query.after ?? null, (id) => names.storedId(id));
      const found = await search.search({ ...inKeys(query, names), after });
      const { repo } = found.facets;
      return {
        ...found,
        hits: found.hits.map(hit),
        end: placed(found.end, (id) => names.shownId(id)),
        facets: { ...found.facets, ...(repo === undefined ? {} : { repo: repo.map(named(names)) }) },
      };
    },
    async documents(query) {
      const found = await search.documents({ ...query, repository: names.keyOf(query.repository) });
      return found && { ...found, documents: found.documents.map(document) };
    },
  };
}

const named =
  ({ nameOf }: Names) =>
  ({ value, count }: FacetValue): FacetValue => ({ value: nameOf(value), count });

function inKeys(query: SearchQuery, { keyOf, storedId }: Names): SearchQuery {
  const keysOf = (repositories: readonly string[]) => repositories.map(keyOf);
  return {
    ...query,
    ...(query.repositories === undefined ? {} : { repositories: keysOf(query.repositories) }),
    ...(query.quoted === undefined
      ? {}
      : {
          quoted: query.quoted.map(({ id, repository, ...each }) => ({
            ...each,
            id: storedId(id),
            repository: keyOf(repository),
          })),
        }),
    ...(query.excluded?.repositories === undefined
      ? {}
      : { excluded: { ...query.excluded, repositories: keysOf(query.excluded.repositories) } }),
  };
}
