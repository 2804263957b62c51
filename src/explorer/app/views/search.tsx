import { useEffect, useRef, useState } from 'preact/hooks';
import type { SearchAnswer, SuggestAnswer } from '../../../search/routes.ts';
import { Empty } from '../components/empty.tsx';
import { Failure } from '../components/failure.tsx';
import { Pages } from '../components/pages.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { format } from '../format.ts';
import { lastSearch } from '../last-search.ts';
import { hrefOf } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import { useDebounced } from '../use-debounced.ts';
import type { ViewProps } from './index.ts';
import { SavedSearches } from './saved-searches.tsx';
import { SearchFacets, facetParameters } from './search-facets.tsx';
import { SearchResult } from './search-result.tsx';
import './search.css';

const pageSize = 20;

/** Search as one types: what is asked for is in the address, and narrowed by facets. */
export function SearchView({ api, query, navigate }: ViewProps) {
  const asked = query.get('q') ?? '';
  const page = Number(query.get('page') ?? 1);
  const [typed, setTyped] = useState(asked);
  const settled = useDebounced(typed, 150);
  const box = useRef<HTMLInputElement>(null);
  const filters = Object.fromEntries(facetParameters.map((name) => [name, query.get(name)]));

  // Who goes back in history gets what was asked for there.
  useEffect(() => setTyped(asked), [asked]);
  useEffect(() => {
    if (settled !== asked && settled === typed) navigate({ query: { ...filters, q: settled }, replace: true });
  }, [settled]);
  useEffect(() => box.current?.focus(), []);
  lastSearch.query = query.toString();

  const found = useAnswer<SearchAnswer>(api, '/api/search', {
    q: asked,
    ...filters,
    page,
    page_size: pageSize,
    facets: facetParameters.join(','),
  });
  const suggested = useAnswer<SuggestAnswer>(api, asked === '' ? null : '/api/search/suggest', { q: asked, limit: 8 });
  const { answer } = found;

  // Enter leads to the first that is found, also when it is not yet.
  const isHasty = useRef(false);
  const isAnswered = answer !== null && !found.isLoading && asked === typed;
  useEffect(() => {
    if (isAnswered && isHasty.current) resultLinks()[0]?.click();
    if (isAnswered) isHasty.current = false;
  }, [isAnswered, answer]);

  return (
    <>
      <h1>Search</h1>
      <form class="search-box" role="search" onSubmit={(event) => event.preventDefault()}>
        <label class="quiet" for="q">
          Names, words, paths; type:class kind:constant repo:koa language:go narrow it; type:commit author:anna
          after:2024 finds commits
        </label>
        <input
          ref={box}
          id="q"
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder="getUser, parse url, type:class repo:koa -test"
          maxLength={256}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' && focusResult(0)) event.preventDefault();
            if (event.key === 'Enter' && typed !== '') {
              if (isAnswered) resultLinks()[0]?.click();
              else isHasty.current = true;
            } else isHasty.current = false;
          }}
        />
        <div class="suggestions" role="group" aria-label="Suggestions">
          {(suggested.answer?.items ?? [])
            .filter(({ text }) => text !== asked)
            .map(({ text, completion }) => (
              <button
                key={text}
                type="button"
                onClick={() => {
                  setTyped(text);
                  box.current?.focus();
                }}
              >
                {completion}
              </button>
            ))}
        </div>
      </form>
      {asked === '' && <SavedSearches api={api} />}
      <div class="search-body">
        <SearchFacets
          facets={answer?.facets ?? {}}
          query={query}
          narrow={(name, values) => navigate({ query: { ...filters, q: typed, [name]: values.join(',') } })}
        />
        <section aria-label="Results" aria-busy={found.isLoading}>
          <p class="quiet" role="status">
            {answer === null ? 'Searching…' : format.count(answer.total, 'result')}
            {answer?.left_out !== undefined && ' with all or some of the words'}
          </p>
          {answer?.hints?.map((hint) => (
            <p key={hint} class="quiet">
              {hint}
            </p>
          ))}
          {found.error !== null && <Failure error={found.error} again={found.again} />}
          {answer === null && found.error === null && <Skeleton lines={16} />}
          {answer?.total === 0 && (
            <Empty title="Nothing was found">
              <p>
                {Object.values(filters).some((value) => value !== null) ? (
                  <a href={hrefOf('search', { q: asked })}>Look without the filters</a>
                ) : (
                  'Fewer letters find more: the beginning of a name, or a part of it, is enough.'
                )}
              </p>
            </Empty>
          )}
          {answer !== null && answer.total > 0 && (
            <>
              <ol class="results" onKeyDown={moveByArrow}>
                {answer.items.map((item) => (
                  <SearchResult key={item.id} item={item} />
                ))}
              </ol>
              <Pages
                page={page}
                pages={answer.total_pages}
                hrefOf={(to) => hrefOf('search', { q: asked, ...filters, page: to })}
                label="Pages of results"
              />
            </>
          )}
        </section>
      </div>
    </>
  );
}

const resultLinks = () => [...document.querySelectorAll<HTMLElement>('.results .what a')];

/** False when there is no such result. */
function focusResult(index: number): boolean {
  const link = resultLinks()[index];
  link?.focus();
  return link !== undefined;
}

/** Down and up go from result to result, and from the first back to the box. */
function moveByArrow(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const to = resultLinks().findIndex((link) => link === document.activeElement) + step;
  if (to < 0) document.getElementById('q')?.focus();
  else focusResult(to);
  event.preventDefault();
}
