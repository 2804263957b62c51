import type { FacetValue, SearchHit, SearchQuery, SearchReader } from '../stores/search/port.ts';
import type { Names } from './names.ts';

/** The search over what a caller sees, in the names by which he sees it. */
export function namedSearch(search: SearchReader, names: Names): SearchReader {
  const hit = (stored: SearchHit): SearchHit => {
    const { id, repository } = stored.document;
    const document = {
      ...stored.document,
      id: names.shownId(id),
      repository: repository === null ? null : names.nameOf(repository),
    };
    return { ...stored, document };
  };
  return {
    async search(query) {
      const found = await search.search(inKeys(query, names));
      const { repo } = found.facets;
      return {
        ...found,
        hits: found.hits.map(hit),
        facets: { ...found.facets, ...(repo === undefined ? {} : { repo: repo.map(named(names)) }) },
      };
    },
  };
}

const named =
  ({ nameOf }: Names) =>
  ({ value, count }: FacetValue): FacetValue => ({ value: nameOf(value), count });

function inKeys(query: SearchQuery, { keyOf }: Names): SearchQuery {
  const keysOf = (repositories: readonly string[]) => repositories.map(keyOf);
  return {
    ...query,
    ...(query.repositories === undefined ? {} : { repositories: keysOf(query.repositories) }),
    ...(query.excluded?.repositories === undefined
      ? {}
      : { excluded: { ...query.excluded, repositories: keysOf(query.excluded.repositories) } }),
  };
}
