import { useEffect, useRef, useState } from 'preact/hooks';
import type { SearchAnswer, SuggestAnswer } from '../../../search/routes.ts';
import type { TextSearchAnswer } from '../../../search/text-routes.ts';
import type { Api } from '../api.ts';
import { Empty } from '../components/empty.tsx';
import { Failure } from '../components/failure.tsx';
import { Pages } from '../components/pages.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { format } from '../format.ts';
import { lastSearch } from '../last-search.ts';
import { hrefOf } from '../router.ts';
import type { Query } from '../router.ts';
import { useAnswer } from '../use-answer.ts';
import type { Asked } from '../use-answer.ts';
import { useDebounced } from '../use-debounced.ts';
import type { ViewProps } from './index.ts';
import { SavedSearches } from './saved-searches.tsx';
import { CodeHits, CodeHitsTotal, SearchKinds } from './search-code.tsx';
import { SearchFacets, facetParameters } from './search-facets.tsx';
import { SearchResult } from './search-result.tsx';
import './search.css';

const pageSize = 20;

/** How the box is spoken to. */
const boxes = {
  named: {
    says: 'Names, words, paths; type:class kind:constant repo:koa language:go narrow it; type:commit author:anna after:2024 finds commits',
    placeholder: 'getUser, parse url, type:class repo:koa -test',
    maxLength: 256,
  },
  code: {
    says: 'Words, "as it stands" or /a regular expression/; file:^src/ lang:go repo:koa case:yes -word narrow it',
    placeholder: 'catch (, /TODO|FIXME/ -file:test',
    maxLength: 1_024,
  },
} as const;

/** Search as one types, among what has a name or in the lines of code: what is asked for is in the address, and narrowed by facets. */
export function SearchView({ api, query, navigate }: ViewProps) {
  const asked = query.get('q') ?? '';
  const page = Number(query.get('page') ?? 1);
  const isCode = query.get('in') === 'code';
  const { says, placeholder, maxLength } = boxes[isCode ? 'code' : 'named'];
  const [typed, setTyped] = useState(asked);
  const settled = useDebounced(typed, 150);
  const box = useRef<HTMLInputElement>(null);
  const filters = Object.fromEntries(facetParameters.map((name) => [name, query.get(name)]));
  const isNarrowed = Object.values(filters).some((value) => value !== null);

  // Who goes back in history gets what was asked for there. What the box itself asked for is no news to it: by the time the
  // address has it, more may be typed.
  const known = useRef(asked);
  useEffect(() => {
    if (asked !== known.current) setTyped(asked);
    known.current = asked;
  }, [asked]);
  useEffect(() => {
    if (settled === asked || settled !== typed) return;
    known.current = settled;
    navigate({ query: { ...filters, in: query.get('in'), q: settled }, replace: true });
  }, [settled]);
  useEffect(() => box.current?.focus(), []);
  lastSearch.query = query.toString();

  const found = useAnswer<SearchAnswer>(api, isCode ? null : '/api/search', {
    q: asked,
    ...filters,
    page,
    page_size: pageSize,
    facets: facetParameters.join(','),
  });
  // What nothing is called by may be written somewhere all the same.
  const isUnnamed = found.answer?.total === 0 && !found.isLoading && !isNarrowed;
  const inCode = useAnswer<TextSearchAnswer>(api, asked !== '' && (isCode || isUnnamed) ? '/api/search/text' : null, {
    q: asked,
    page,
    page_size: pageSize,
  });

  // Enter leads to the first that is found, also when it is not yet.
  const isHasty = useRef(false);
  const { answer } = isCode ? inCode : found;
  const isAnswered = answer !== null && !found.isLoading && !inCode.isLoading && asked === typed;
  useEffect(() => {
    if (isAnswered && isHasty.current) resultLinks()[0]?.click();
    if (isAnswered) isHasty.current = false;
  }, [isAnswered, answer]);

  return (
    <>
      <h1>Search</h1>
      <SearchKinds isCode={isCode} query={asked} />
      <form class="search-box" role="search" onSubmit={(event) => event.preventDefault()}>
        <label class="quiet" for="q">
          {says}
        </label>
        <input
          ref={box}
          id="q"
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          maxLength={maxLength}
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
        {!isCode && (
          <Suggestions
            api={api}
            query={asked}
            take={(text) => {
              setTyped(text);
              box.current?.focus();
            }}
          />
        )}
      </form>
      {asked === '' && <SavedSearches api={api} />}
      {isCode ? (
        <section aria-label="Results" aria-busy={inCode.isLoading}>
          <InCode asked={inCode} page={page} query={asked} />
        </section>
      ) : (
        <div class="search-body">
          <SearchFacets
            facets={found.answer?.facets ?? null}
            query={query}
            narrow={(name, values) => navigate({ query: { ...filters, q: typed, [name]: values.join(',') } })}
          />
          <section aria-label="Results" aria-busy={found.isLoading}>
            <Named asked={found} page={page} query={asked} filters={filters} />
            {isUnnamed && <Unnamed asked={inCode} query={asked} />}
            {found.answer?.total === 0 && isNarrowed && (
              <Empty title="Nothing was found">
                <p>
                  <a href={hrefOf('search', { q: asked })}>Look without the filters</a>
                </p>
              </Empty>
            )}
          </section>
        </div>
      )}
    </>
  );
}

/** Ways to go on with what is typed. */
function Suggestions({ api, query, take }: { api: Api; query: string; take: (text: string) => void }) {
  const { answer } = useAnswer<SuggestAnswer>(api, query === '' ? null : '/api/search/suggest', { q: query, limit: 8 });
  return (
    <div class="suggestions" role="group" aria-label="Suggestions">
      {(answer?.items ?? [])
        .filter(({ text }) => text !== query)
        .map(({ text, completion }) => (
          <button key={text} type="button" onClick={() => take(text)}>
            {completion}
          </button>
        ))}
    </div>
  );
}

/** What has a name. */
function Named({
  asked: { answer, error, again },
  page,
  query,
  filters,
}: {
  asked: Asked<SearchAnswer>;
  page: number;
  query: string;
  filters: Query;
}) {
  if (error !== null) return <Failure error={error} again={again} />;
  return (
    <>
      <p class="quiet" role="status">
        {answer === null ? 'Searching…' : format.count(answer.total, 'result')}
        {answer?.left_out !== undefined && ' with all or some of the words'}
      </p>
      {answer?.hints?.map((hint) => (
        <p key={hint} class="quiet">
          {hint}
        </p>
      ))}
      {answer === null && <Skeleton lines={16} />}
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
            hrefOf={(to) => hrefOf('search', { q: query, ...filters, page: to })}
            label="Pages of results"
          />
        </>
      )}
    </>
  );
}

/** Lines of code, by file. */
function InCode({
  asked: { answer, error, again },
  page,
  query,
}: {
  asked: Asked<TextSearchAnswer>;
  page: number;
  query: string;
}) {
  if (error !== null) return <Failure error={error} again={again} />;
  if (query === '')
    return (
      <Empty title="All that is written">
        <p>Each line of each file is searched: code, comments, documentation.</p>
      </Empty>
    );
  if (answer === null) return <Skeleton lines={16} />;
  if (answer.total === 0)
    return (
      <Empty title="Nothing was found">
        <p>No file has it. Words that stand together must all be in one file.</p>
      </Empty>
    );
  return (
    <>
      <CodeHitsTotal answer={answer} />
      <ol class="results" onKeyDown={moveByArrow}>
        <CodeHits files={answer.items} />
      </ol>
      <Pages
        page={page}
        pages={answer.total_pages}
        hrefOf={(to) => hrefOf('search', { q: query, in: 'code', page: to })}
        label="Pages of results"
      />
    </>
  );
}

/** Nothing is called so: the first lines that have it, where there are any. */
function Unnamed({ asked: { answer: inCode, isLoading }, query }: { asked: Asked<TextSearchAnswer>; query: string }) {
  if (isLoading) return <Skeleton lines={16} />;
  if (inCode === null || inCode.total === 0)
    return (
      <Empty title="Nothing was found">
        <p>Fewer letters find more: the beginning of a name, or a part of it, is enough.</p>
      </Empty>
    );
  return (
    <>
      <p>Nothing is called so, but it stands in the code:</p>
      <ol class="results" onKeyDown={moveByArrow}>
        <CodeHits files={inCode.items} />
      </ol>
      {inCode.total > inCode.items.length && (
        <p>
          <a href={hrefOf('search', { q: query, in: 'code' })}>All {format.count(inCode.total, 'file')}</a>
        </p>
      )}
    </>
  );
}

const resultLinks = () => [...document.querySelectorAll<HTMLElement>('.results .what a, .results .hit')];

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
