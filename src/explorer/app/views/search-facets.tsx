import type { SearchAnswer } from '../../../search/routes.ts';
import { format } from '../format.ts';
import { useMedia } from '../use-media.ts';
import { kindWords, languageName } from '../words.ts';

/** By which a search is narrowed: names of parameters, and of facets. */
export const facetParameters = ['type', 'kind', 'language', 'repo'] as const;
type FacetParameter = (typeof facetParameters)[number];

const titles: Record<FacetParameter, string> = {
  type: 'Type',
  kind: 'Kind',
  language: 'Language',
  repo: 'Repository',
};

/** As people say it. */
const wordsOf: Record<FacetParameter, (value: string) => string | null> = {
  type: kindWords,
  kind: kindWords,
  language: languageName,
  repo: (value) => value,
};

/** What is found, counted by type, kind, language and repository; each value narrows the search. */
export function SearchFacets({
  facets: answered,
  query,
  narrow,
}: {
  /** Null while they are asked for. Their place is kept, also where nothing is found. */
  facets: NonNullable<SearchAnswer['facets']> | null;
  query: URLSearchParams;
  narrow: (name: FacetParameter, values: string[]) => void;
}) {
  const isWide = useMedia('(min-width: 60rem)');
  const facets = answered ?? {};
  const isEmpty =
    answered !== null && facetParameters.every((name) => !query.get(name) && (facets[name] ?? []).length === 0);
  return (
    <details class="facets" open={isWide}>
      <summary>Filters</summary>
      {isEmpty && <p class="quiet">There is nothing to narrow.</p>}
      {facetParameters.map((name) => {
        const chosen = query.get(name)?.split(',') ?? [];
        const counts = new Map((facets[name] ?? []).map(({ value, count }) => [value, count]));
        // What is chosen stays there to be left, even where nothing of it is found.
        const values = [...new Set([...counts.keys(), ...chosen])];
        if (values.length === 0) return null;
        return (
          <fieldset key={name}>
            <legend>{titles[name]}</legend>
            {values.map((value) => (
              <label key={value}>
                <input
                  type="checkbox"
                  checked={chosen.includes(value)}
                  onChange={({ currentTarget }) =>
                    narrow(name, currentTarget.checked ? [...chosen, value] : chosen.filter((other) => other !== value))
                  }
                />
                <span>{wordsOf[name](value)}</span>
                <span class="quiet">{format.whole(counts.get(value) ?? 0)}</span>
              </label>
            ))}
          </fieldset>
        );
      })}
    </details>
  );
}
